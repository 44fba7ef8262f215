import { describe, expect, test } from 'vitest';
import { answerOfHttp, answerOfMessage, noAnswer } from '../../../attacks/answer.mjs';
import { judge } from '../../../attacks/judge.mjs';

/** An answer of `execute_code` as it comes over the wire. */
function answer(data: Record<string, unknown>, ms = 10) {
  const result = { content: [{ type: 'text', text: 'text of the answer' }], structuredContent: data };
  const isError = data.error !== undefined;
  return answerOfMessage(
    Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { ...result, isError } })),
    ms,
  );
}
const failed = (code: string, output = '') => answer({ error: { code, message: `it was ${code}` }, output });
const http = (status: number, headers: Record<string, string> = {}, body = '{}') =>
  answerOfHttp({ status, headers, body: Buffer.from(body), ms: 10 });

describe('an outcome', () => {
  test.each([
    ['ok', answer({ result: 1 }), true],
    ['ok', failed('python_error'), false],
    ['error', failed('python_error'), true],
    ['error', failed('timeout'), false],
    ['error', failed('too_large'), true],
    ['limited', failed('too_large'), true],
    ['limited', failed('timeout'), true],
    ['limited', failed('python_error'), false],
    ['limited', answer({ result: 1 }), false],
    ['limited', answer({ result: 1, truncated: true }), true],
    ['ok', answer({ result: 1, truncated: true }), true],
    ['blocked', failed('crashed'), true],
    ['blocked', answer({}), true],
    ['blocked', noAnswer('no answer within 15 s', 15_000), false],
    ['error', noAnswer('the server ended', 5), false],
  ])('%s', (outcome, given, isExpected) => {
    expect(judge({ outcome }, [given]).length === 0).toBe(isExpected);
  });

  test('may be one of several, and each answer of several calls must have one of them', () => {
    const expected = { outcome: 'ok', outcomeAlso: ['error'] };
    expect(judge(expected, [answer({}), failed('python_error')])).toEqual([]);
    expect(judge(expected, [answer({}), failed('timeout')])).toEqual([
      expect.stringMatching(/^outcome: expected ok or error, got limited \(timeout\)/),
    ]);
    expect(judge(expected, [])).toEqual(['no call was made']);
  });
});

describe('texts', () => {
  const given = answer({ result: 'value 42', output: 'printed', traceback: 'ValueError: mine' });

  test.each([
    [{ contains: '42' }, []],
    [{ contains: '43' }, [/expected "43" in the answer/]],
    [{ containsAll: ['42', 'printed', 'mine'] }, []],
    [{ containsAll: ['42', 'gone'] }, [/expected "gone"/]],
    [{ contains: '42', scope: 'result' }, []],
    [{ contains: 'printed', scope: 'result' }, [/expected "printed" in the result/]],
    [{ contains: 'printed', scope: 'stdout' }, []],
    [{ contains: 'mine', scope: 'stderr' }, []],
    [{ notContains: '42' }, [/"42" is in the answer/]],
    [{ notContains: '42', scope: 'stdout' }, []],
    [{ outcome: 'blocked', notContains: '42', scope: 'stdout' }, [/"42" is in the answer/]],
    [{ notContains: ['nothing', 'printed'] }, [/"printed" is in the answer/]],
  ])('%j', (expected, failures) => {
    expect(judge({ outcome: 'ok', ...expected }, [given])).toEqual(
      failures.map((pattern) => expect.stringMatching(pattern)),
    );
  });

  test('are looked for as a reader sees them, not as JSON writes them', () => {
    expect(judge({ notContains: '\u001b' }, [answer({ output: 'a\u001b[2J' })])).toHaveLength(1);
  });

  test('are looked for in the log where the case is blocked or the text is a secret', () => {
    const beside = { logs: 'a line with FORGED and CNRY-0123' };
    expect(judge({ outcome: 'ok', notContains: 'FORGED' }, [given], beside)).toEqual([]);
    expect(judge({ outcome: 'blocked', notContains: 'FORGED' }, [given], beside)).toHaveLength(1);
    expect(judge({ outcome: 'ok', notContains: 'CNRY-0123' }, [given], beside)).toHaveLength(1);
  });

  test('are looked for in the files that an answer names', () => {
    expect(judge({ notContains: 'secret' }, [given], { files: 'a secret' })).toEqual([
      '"secret" is in a file that the answer names',
    ]);
  });
});

describe('form and time', () => {
  test.each([
    [{ maxResponseBytes: 10_000 }, answer({ output: 'x'.repeat(9_000) }), 0],
    [{ maxResponseBytes: 10_000 }, answer({ output: 'x'.repeat(11_000) }), 1],
    [{ validUtf8: true }, answer({ output: 'ö' }), 0],
    [{ validUtf8: true }, answer({ output: 'a\ud800' }), 1],
    [
      { validUtf8: true },
      answerOfMessage(Buffer.from([...Buffer.from('{"result":{"a":"'), 0xff, 0x22, 0x7d, 0x7d]), 1),
      1,
    ],
    [{ validJson: true, scope: 'result' }, answer({ result: { a: 'NaN' } }), 0],
    [{ validJson: true, scope: 'result' }, answer({}), 1],
    [{ truncationFlagged: true }, answer({ truncated: true }), 0],
    [{ truncationFlagged: true }, answer({}), 1],
    [{ isErrorFlag: true }, failed('timeout'), 0],
    [{ isErrorFlag: true }, answer({}), 1],
    [{ withinSeconds: 2 }, answer({}, 1_999), 0],
    [{ withinSeconds: 2 }, answer({}, 2_001), 1],
    [{ status: [400, 403] }, http(403), 0],
    [{ status: [400, 403] }, http(200), 1],
    [{ status: [400] }, answer({}), 1],
    [{ noHeader: 'access-control-allow-origin: *' }, http(200, { 'access-control-allow-origin': '*' }), 1],
    [{ noHeader: 'access-control-allow-origin: *' }, http(200, { 'access-control-allow-origin': 'x' }), 0],
    [{ noHeader: 'Server' }, http(200, { server: 'x' }), 1],
  ])('%j', (expected, given, failures) => {
    expect(judge(expected, [given])).toHaveLength(failures);
  });

  test('count all calls together where a call is repeated', () => {
    const calls = [answer({}, 900), answer({}, 900)];
    expect(judge({ withinSeconds: 1 }, calls)).toEqual([]);
    expect(judge({ withinSeconds: 1 }, calls, { totalMs: 1_800 })).toHaveLength(1);
  });
});

test('a text is not found in the envelope, the id, the time or the first line of an answer', () => {
  const wire = {
    ...{ jsonrpc: '2.0', id: 'attack-3' },
    result: {
      content: [{ type: 'text', text: 'ok · 4.52 s\nnone' }],
      structuredContent: { success: true, output: 'none', execution_time_ms: 4520.67 },
    },
  };
  const given = answerOfMessage(Buffer.from(JSON.stringify(wire)), 1);
  for (const digit of ['2', '3', '4', '6']) expect(judge({ contains: digit }, [given])).toHaveLength(1);
  expect(judge({ contains: 'none' }, [given])).toEqual([]);
});
