import { expect, test } from 'vitest';
import { CodeExecutionError } from '../../../src/core/errors.js';
import type { Privacy } from '../../../src/privacy/privacy.js';
import { answer } from '../../../src/server/answer.js';
import { MAX_ANSWER_CHARS, ResponseGate } from '../../../src/server/response.js';
import { Stats } from '../../../src/stats/stats.js';
import { connect, printed, raised, returned } from './harness.js';

/** A stand-in for the privacy filter: replaces a secret in all strings. */
const filter: Privacy['filter'] = async (_principal, facts) =>
  JSON.parse(JSON.stringify(facts).replaceAll('s3cret', '[TOKEN]'));

test('a fault of ours is told by a neutral sentence whose id the log has, too', async () => {
  const server = await connect({
    run: () => {
      throw new Error('ENOENT /home/me/.ssh/id_rsa token=abc');
    },
  });
  const { structured, text, isError } = await server.call('execute_code', { code: '1' });
  const { id, err } = (server.logged[0] ?? { fields: {} }).fields as { id: string; err: Error };
  expect(isError).toBe(true);
  expect(structured.error).toEqual({
    code: 'internal',
    message: `the server failed (fault ${id}, see its log); this is not a fault of your input`,
    hint: 'call again once; if it fails again, go on without this tool and tell the user the fault id',
  });
  expect(text).not.toContain('ssh');
  expect(err.message).toContain('id_rsa');
});

test('an error whose code is not for the model keeps its message to the log', async () => {
  const server = await connect({
    run: () => {
      throw new CodeExecutionError('internal', 'secret detail');
    },
  });
  const { text, code } = await server.call('execute_code', { code: '1' });
  expect(code).toBe('internal');
  expect(text).not.toContain('secret detail');
  expect(server.logged).toHaveLength(1);
});

test('a run that ends with an internal error keeps its message from the model', async () => {
  const { call } = await connect({
    run: () => raised({ code: 'internal', message: '/host/path' }, 'crashed'),
  });
  const { text, structured } = await call('execute_code', { code: '1' });
  expect(text).toContain('the server failed while running the code');
  expect(JSON.stringify(structured)).not.toContain('/host/path');
});

test('the egress filter sees results, output, errors and notes before they are shown', async () => {
  const server = await connect({
    privacy: { filter },
    run: ({ code }) =>
      code === 'fail'
        ? raised({ message: 'no s3cret', traceback: 'T s3cret' })
        : returned({ key: 's3cret' }, { output: printed('it is s3cret\n'), notes: ['s3cret'] }),
  });
  for (const code of ['ok', 'fail']) {
    const { text, structured } = await server.call('execute_code', { code });
    expect(text + JSON.stringify(structured)).not.toContain('s3cret');
    expect(text).toContain('[TOKEN]');
  }
});

test('output that a filter shortens is shown whole', async () => {
  const server = await connect({
    privacy: {
      filter: async (_, facts) => JSON.parse(JSON.stringify(facts).replaceAll('s3cret\\n', 'T\\n')),
    },
    run: () => returned(1, { output: printed('it is s3cret\nand more\n') }),
  });
  const { text, structured } = await server.call('execute_code', { code: '1' });
  expect(text).toContain('output:\nit is T\nand more');
  expect([structured.truncated, structured.output]).toEqual([undefined, 'it is T\nand more']);
});

test('what overflows into a file is filtered, too', async () => {
  const server = await connect({
    privacy: { filter },
    run: () => returned(Array.from({ length: 5000 }, () => 's3cret')),
  });
  await server.call('execute_code', { code: '1' });
  expect(server.workspace.textOf('results/run-7f3a.json')).toMatch(/^\["\[TOKEN\]",/);
});

test('files, names in errors, resources and progress pass the filter', async () => {
  const messages: (string | undefined)[] = [];
  const server = await connect({
    privacy: { filter },
    run: ({ onProgress }) => {
      onProgress?.({ message: 'doing s3cret' });
      return returned(1);
    },
  });
  server.workspace.put('f', 'a s3cret');
  expect((await server.call('read_workspace_file', { filename: 'f' })).structured.content).toBe('a [TOKEN]');
  expect((await server.call('read_workspace_file', { filename: 's3cret' })).text).toContain(
    'no file "[TOKEN]"',
  );
  expect((await server.client.readResource({ uri: 'workspace:///f' })).contents[0]).toMatchObject({
    text: 'a [TOKEN]',
  });
  await server.call(
    'execute_code',
    { code: '1' },
    { onprogress: ({ message }: { message?: string }) => messages.push(message) },
  );
  expect(messages).toEqual(['doing [TOKEN]']);
});

test('when the filter fails nothing is shown', async () => {
  const server = await connect({
    run: () => returned('s3cret'),
    privacy: {
      filter: async () => {
        throw new Error('filter broken on s3cret');
      },
    },
  });
  const { text, structured, isError, code } = await server.call('execute_code', { code: '1' });
  expect(isError).toBe(true);
  expect(code).toBe('internal');
  expect(text + JSON.stringify(structured)).not.toContain('s3cret');
});

const gate = () => {
  const stats = new Stats();
  return {
    stats,
    gate: new ResponseGate(
      { statsOf: () => stats, log: { warn: () => undefined, error: () => undefined } },
      'p',
    ),
  };
};

test('whatever a tool renders leaves as visible text, in both forms', async () => {
  const dirty = '\x1b[31mred\u202e\0';
  const shown = await gate().gate.result('t', async () =>
    answer({}, () => ({ text: dirty, structured: { [dirty]: [dirty] } })),
  );
  const clean = 'red\\u202e\\x00';
  expect(shown.content).toEqual([{ type: 'text', text: clean }]);
  expect(shown.structuredContent).toEqual({ [clean]: [clean] });
});

test('an answer is bounded and counted even if its tool did neither', async () => {
  const one = gate();
  const text = 'x'.repeat(1_000_000);
  const shown = await one.gate.result('t', async () =>
    answer({}, () => ({ text, structured: { success: true, text, list: [text, text] }, keptOutChars: 4000 })),
  );
  expect(JSON.stringify(shown.content).length).toBeLessThan(MAX_ANSWER_CHARS + 200);
  expect(JSON.stringify(shown.structuredContent).length).toBeLessThan(MAX_ANSWER_CHARS + 200);
  expect(shown.structuredContent).toMatchObject({ success: true });
  expect(one.stats.snapshot().tokens.keptOut).toBe(1000);
  expect(one.stats.snapshot().tokens.returned).toBeGreaterThanOrEqual(MAX_ANSWER_CHARS / 4);
});
