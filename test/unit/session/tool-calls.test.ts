import { expect, test, vi } from 'vitest';
import { CodeExecutionError } from '../../../src/core/errors.js';
import type { Approval, ApprovalQuestion } from '../../../src/session/tool-access.js';
import { type GateOptions, gate, type Reply, type Tool } from './fake-tools.js';

/** The one reply to the one call of `s.f`. */
async function reply(
  tool: Tool,
  body?: unknown,
  options: GateOptions = {},
): Promise<Reply & { value: unknown }> {
  const { send, replies } = gate({ tools: { f: tool }, ...options });
  send('s.f', body);
  await vi.waitFor(() => expect(replies).toHaveLength(1), 20_000);
  const [first = { id: 0, ok: false, text: '' }] = replies;
  return { ...first, value: first.text === '' ? undefined : JSON.parse(first.text) };
}

const forever: Tool = (_args, signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test.each<[string, ReturnType<Tool>, unknown]>([
  ['structured content', { structured: { n: 1 }, text: 'one' }, { value: { n: 1 } }],
  ['structured null', { structured: null }, { value: null }],
  ['an empty result', {}, { value: null }],
  ['a text', { text: 'hello' }, { value: 'hello' }],
  ['a JSON object as text', { text: ' {"a": [1]}\n' }, { value: { a: [1] } }],
  ['a JSON list as text', { text: '[1, 2]' }, { value: [1, 2] }],
  ['a number as text', { text: '12' }, { value: '12' }],
  ['a text that begins like JSON', { text: '[note] done' }, { value: '[note] done' }],
  ['JSON with more behind it', { text: '{"a":1} and so on' }, { value: '{"a":1} and so on' }],
  [
    'two texts',
    {
      content: [
        { type: 'text', text: '1' },
        { type: 'text', text: '2' },
      ],
    },
    {
      parts: [
        { type: 'text', text: '1' },
        { type: 'text', text: '2' },
      ],
    },
  ],
  [
    'an image beside structured content',
    { structured: { n: 1 }, content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] },
    { parts: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] },
  ],
  [
    'a resource alone',
    { content: [{ type: 'resource', uri: 'x://1', text: 't' }] },
    { parts: [{ type: 'resource', uri: 'x://1', text: 't' }] },
  ],
])('%s reaches Python as its value or its parts', async (_, result, expected) => {
  const got = await reply(() => result);
  expect([got.ok, got.value]).toEqual([true, expected]);
});

test('integers beyond 2**53 in a JSON text reach Python digit for digit', async () => {
  expect((await reply(() => ({ text: '{"id": 12345678901234567890}' }))).text).toBe(
    '{"value":{"id": 12345678901234567890}}',
  );
});

test('lone surrogates in a JSON text are escaped, as UTF-8 cannot hold them', async () => {
  expect((await reply(() => ({ text: '["\ud800"]' }))).text).toBe('{"value":["\\ud800"]}');
});

test.each([
  [200, true],
  [201, false],
  [100_000, false],
])('JSON text nested %i levels deep is parsed: %s', async (depth, parsed) => {
  const text = '['.repeat(depth) + ']'.repeat(depth);
  const got = await reply(() => ({ text }));
  expect(got.text).toBe(parsed ? `{"value":${text}}` : JSON.stringify({ value: text }));
});

test('brackets in strings are no depth', async () => {
  const text = JSON.stringify(['[{'.repeat(10_000), '\\"[['.repeat(300)]);
  expect((await reply(() => ({ text }))).value).toEqual({ value: JSON.parse(text) });
});

test('the shape of a value is learned, that of media is not', async () => {
  const { send, replies, learned } = gate({
    tools: {
      f: () => ({ text: '{"a":1}' }),
      g: () => ({ content: [{ type: 'image', data: '', mimeType: 'image/png' }] }),
    },
  });
  send('s.f', undefined, 1);
  send('s.g', undefined, 2);
  await vi.waitFor(() => expect(replies).toHaveLength(2), 20_000);
  expect(learned).toEqual([{ a: 1 }]);
});

test('a tool that reports failure is tool_failed in its own words', async () => {
  expect(await reply(() => ({ isError: true, text: 'no such file' }))).toMatchObject({
    ok: false,
    code: 'tool_failed',
    message: 's.f failed: no such file',
    tool: 's.f',
    retryable: false,
  });
  expect((await reply(() => ({ isError: true }))).message).toBe('s.f failed: it gave no reason');
});

test('a server that cannot be reached is tool_unavailable and may be tried again', async () => {
  const gone = new CodeExecutionError('tool_unavailable', 'the server "s" did not answer in time', 'go on');
  expect(await reply(() => Promise.reject(gone))).toMatchObject({
    code: 'tool_unavailable',
    message: 'the server "s" did not answer in time',
    hint: 'go on',
    retryable: true,
  });
});

test('a fault of ours tells nothing but that', async () => {
  const got = await reply(() => Promise.reject(new TypeError('secret /path')));
  expect(got).toMatchObject({ code: 'internal', message: 'the server failed to make this call' });
  expect(JSON.stringify(got)).not.toContain('secret');
});

test('an unknown tool is named with the nearest ones, and nothing is recorded', async () => {
  const { send, replies, records, calls } = gate();
  send('s.x');
  await vi.waitFor(() => expect(replies).toHaveLength(1), 20_000);
  expect(replies[0]).toEqual({
    id: 1,
    ok: false,
    code: 'tool_unknown',
    message: 'there is no tool "s.x"',
    hint: 'did you mean s.near?',
    retryable: false,
    text: '',
  });
  expect([records, calls.summaries]).toEqual([[], []]);
});

test('wrong arguments are told before the call, in the words of the catalogue', async () => {
  const tool = vi.fn(() => ({ text: 'x' }));
  expect(await reply(tool, { positional: [], keyword: { wrong: 1 } })).toMatchObject({
    code: 'bad_arguments',
    message: "f() got an unexpected keyword argument 'wrong'",
  });
  expect(tool).not.toHaveBeenCalled();
});

test('a denied tool is not called, and the audit log has the attempt', async () => {
  const deny = vi.fn(() => ({ text: 'x' }));
  const { send, replies, records } = gate({ tools: { deny } });
  send('s.deny');
  await vi.waitFor(() => expect(replies).toHaveLength(1), 20_000);
  expect(replies[0]).toMatchObject({
    code: 'tool_denied',
    message: 's.deny is not allowed: the configuration denies it',
    hint: 'use another',
  });
  expect(deny).not.toHaveBeenCalled();
  expect(records).toMatchObject([{ tool: 's.deny', outcome: 'tool_denied', chars: 0 }]);
});

test.each<[Approval, Partial<Reply>, number]>([
  ['approved', { ok: true, text: '{"value":"done"}' }, 1],
  [
    'declined',
    {
      ok: false,
      code: 'tool_denied',
      message: 'the user declined this call of s.ask',
      hint: 'do not try it again; ask the user what to do instead',
    },
    0,
  ],
  [
    'unavailable',
    {
      ok: false,
      code: 'tool_needs_approval',
      message:
        's.ask needs the approval of the user, and this client cannot ask: the configuration lists it under ask',
      hint: 'allow it',
    },
    0,
  ],
])('a tool under ask, %s', async (answer, expected, called) => {
  const ask = vi.fn(() => ({ text: 'done' }));
  const questions: ApprovalQuestion[] = [];
  const { send, replies } = gate({
    tools: { ask },
    approve: async (question) => {
      questions.push(question);
      return answer;
    },
  });
  send('s.ask', { positional: [], keyword: { path: 'a' } });
  await vi.waitFor(() => expect(replies).toHaveLength(1), 20_000);
  expect(replies[0]).toMatchObject(expected);
  expect(ask).toHaveBeenCalledTimes(called);
  expect(questions).toEqual([
    { tool: 's.ask', argumentsText: '{"path":"a"}', reason: 'the configuration lists it under ask' },
  ]);
});

test('without anybody to ask, a tool under ask needs approval', async () => {
  const { send, replies } = gate({ tools: { ask: () => ({}) } });
  send('s.ask');
  await vi.waitFor(
    () => expect(replies[0]).toMatchObject({ code: 'tool_needs_approval', hint: 'allow it' }),
    20_000,
  );
});

test.each(['approved', 'declined'] as const)(
  'the time a person takes moves the deadline also when the call is %s',
  async (answer) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const { send, replies, ended } = gate({
        tools: { ask: () => ({ text: 'x' }) },
        timeoutMs: 1_000,
        approve: () => new Promise((resolve) => setTimeout(() => resolve(answer), 5_000)),
      });
      send('s.ask');
      await vi.advanceTimersByTimeAsync(5_000);
      expect(replies).toMatchObject([{ ok: answer === 'approved', extendMs: 5_000 }]);
      expect(ended()).toBe(0);
      await vi.advanceTimersByTimeAsync(999);
      expect(ended()).toBe(0);
      await vi.advanceTimersByTimeAsync(1);
      expect(ended()).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  },
);

test('an approval that comes after the run is over starts nothing', async () => {
  const ask = vi.fn(() => ({ text: 'x' }));
  let settle: (answer: Approval) => void = () => undefined;
  const { send, calls, replies, records } = gate({
    tools: { ask },
    approve: () =>
      new Promise((resolve) => {
        settle = resolve;
      }),
  });
  send('s.ask');
  await vi.waitFor(() => expect(settle.length).toBe(1), 20_000);
  calls.close();
  settle('approved');
  await vi.waitFor(() => expect(records).toMatchObject([{ outcome: 'cancelled' }]), 20_000);
  expect([ask.mock.calls, replies]).toEqual([[], []]);
});

test('what a person is shown of long arguments is cut', async () => {
  let shown = '';
  const { send, replies } = gate({
    tools: { ask: () => ({}) },
    approve: async ({ argumentsText }) => {
      shown = argumentsText;
      return 'declined';
    },
  });
  send('s.ask', { keyword: { text: 'x'.repeat(1_000_000) } });
  await vi.waitFor(() => expect(replies).toHaveLength(1), 20_000);
  expect(shown).toHaveLength(1_500);
});

test('the budget of calls ends a loop, and says how to go on', async () => {
  const { send, replies, calls } = gate({ tools: { f: () => ({}) }, budget: { calls: 2 } });
  for (const id of [1, 2, 3]) send('s.f', undefined, id);
  await vi.waitFor(() => expect(replies).toHaveLength(3), 20_000);
  expect(replies.find(({ ok }) => !ok)).toMatchObject({
    id: 3,
    code: 'call_budget',
    message: 'the run has made 2 tool calls, all that it may',
    hint: 'keep what you have in a file or a session and go on in another run',
  });
  expect(calls.summaries).toHaveLength(2);
});

test('no more calls than the limit run at the same time', async () => {
  let running = 0;
  let most = 0;
  const f: Tool = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
    return {};
  };
  const { send, replies } = gate({ tools: { f }, budget: { parallel: 3 } });
  for (let id = 0; id < 12; id++) send('s.f', undefined, id);
  await vi.waitFor(() => expect(replies).toHaveLength(12), 20_000);
  expect([most, replies.every(({ ok }) => ok)]).toEqual([3, true]);
});

test('a result over the limit is too_large, with the way to a smaller one', async () => {
  const got = await reply(() => ({ text: 'x'.repeat(90) }), undefined, { budget: { resultBytes: 100 } });
  expect(got).toMatchObject({
    code: 'too_large',
    message: 's.f returned 102 bytes; a result may have 100',
    hint: 'ask for less: a filter, a page, fewer fields',
  });
});

test('all results together have a limit', async () => {
  const { send, replies } = gate({ tools: { f: () => ({ text: 'x' }) }, budget: { totalBytes: 30 } });
  for (const id of [1, 2, 3]) send('s.f', undefined, id);
  await vi.waitFor(() => expect(replies).toHaveLength(3), 20_000);
  expect(replies.map(({ code }) => code)).toEqual([undefined, undefined, 'call_budget']);
});

test.each([
  ['no JSON', '{', 'the arguments are no JSON'],
  ['no UTF-8 text', Buffer.from([0x7b, 0xff, 0x7d]), 'the arguments are no JSON'],
  ['a list', [], 'the arguments are no object'],
  ['null', null, 'the arguments are no object'],
  [
    '100,000 levels',
    `{"keyword":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    'the arguments are nested deeper than 200 levels',
  ],
])('a forged payload that is %s is bad_arguments', async (_, body, message) => {
  expect(await reply(() => ({}), body)).toMatchObject({ ok: false, code: 'bad_arguments', message });
});

test('arguments of odd kinds count as none', async () => {
  const seen: unknown[] = [];
  const f: Tool = (args) => {
    seen.push(args);
    return {};
  };
  await reply(f, { positional: 'abc', keyword: [1] });
  await reply(f, { positional: { length: 3 } });
  expect(seen).toEqual([{}, {}]);
});

test('arguments of 8 MB reach the tool', async () => {
  let length = 0;
  const f: Tool = ({ text }) => {
    length = String(text).length;
    return {};
  };
  expect((await reply(f, { keyword: { text: 'x'.repeat(8_000_000) } })).ok).toBe(true);
  expect(length).toBe(8_000_000);
});

test.each(['__proto__', 'constructor', 'toString', ''])(
  'the name %j is unknown for every question about tools',
  async (name) => {
    const { send, replies } = gate();
    send(name, undefined, 1, 'tool');
    send(name, undefined, 2, 'describe');
    if (name !== '') send(name, undefined, 3, 'names');
    await vi.waitFor(() => expect(replies).toHaveLength(name === '' ? 2 : 3), 20_000);
    expect(new Set(replies.map(({ code }) => code))).toEqual(new Set(['tool_unknown']));
  },
);

test('keys named __proto__ stay data on the way to the tool', async () => {
  const seen: string[] = [];
  await reply((args) => {
    seen.push(JSON.stringify(args));
    return {};
  }, '{"keyword":{"x":{"__proto__":{"polluted":1}}}}');
  expect(seen).toEqual(['{"x":{"__proto__":{"polluted":1}}}']);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('a second frame with the number of a call under way is not heard', async () => {
  const f = vi.fn(() => ({ text: 'once' }));
  const { send, replies } = gate({ tools: { f } });
  send('s.f', undefined, 7);
  send('s.f', undefined, 7);
  await vi.waitFor(() => expect(replies).toHaveLength(1), 20_000);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect([f.mock.calls.length, replies.length]).toEqual([1, 1]);
});

test('questions about tools are answered, and cost no call', async () => {
  const { send, replies, searches } = gate({ tools: { f: () => ({}) }, budget: { calls: 0 } });
  send('', { query: 'q'.repeat(5_000), category: 'c', limit: 3.7 }, 1, 'search');
  send('s.f', {}, 2, 'describe');
  send('', {}, 3, 'names');
  await vi.waitFor(() => expect(replies).toHaveLength(3), 20_000);
  expect(replies.sort((a, b) => a.id - b.id).map(({ text }) => text)).toEqual([
    '{"value":[]}',
    '{"value":"about s.f"}',
    '{"value":["s"]}',
  ]);
  expect(searches).toEqual([['q'.repeat(2_000), 'c', 3]]);
});

test.each([
  [{ query: 'a', category: 5, limit: 'x' }, ['a', undefined, 5]],
  [{ query: 'a', limit: -1 }, ['a', undefined, 5]],
  [{ query: 'a', limit: 1e300 }, ['a', undefined, 50]],
])('a forged search %j is read as far as it makes sense', async (body, expected) => {
  const { send, replies, searches } = gate();
  send('', body, 1, 'search');
  await vi.waitFor(() => expect(replies).toHaveLength(1), 20_000);
  expect(searches).toEqual([expected]);
});

test.each([[{}], [{ query: { toString: 1 } }], [{ query: null }]])(
  'a search for %j is bad_arguments',
  async (body) => {
    const { send, replies } = gate();
    send('', body, 1, 'search');
    await vi.waitFor(() => expect(replies[0]).toMatchObject({ code: 'bad_arguments' }), 20_000);
  },
);

test('at the deadline everyone who waits is told so exactly once, and no call begins any more', async () => {
  const f = vi.fn(forever);
  const stubborn = vi.fn(() => new Promise<never>(() => undefined));
  const { send, replies, calls } = gate({ tools: { f, stubborn } });
  send('s.f', undefined, 1);
  send('s.stubborn', undefined, 2);
  await vi.waitFor(() => expect([f.mock.calls.length, stubborn.mock.calls.length]).toEqual([1, 1]), 20_000);
  calls.expire();
  calls.expire();
  send('s.f', undefined, 3);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(replies.map(({ id, code }) => [id, code])).toEqual([
    [1, 'timeout'],
    [2, 'timeout'],
    [3, 'timeout'],
  ]);
  expect(f).toHaveBeenCalledTimes(1);
});

test('when the run is over, calls are cancelled without a reply, and later ones are not heard', async () => {
  const f = vi.fn(forever);
  const { send, replies, records, calls } = gate({ tools: { f } });
  send('s.f', undefined, 1);
  await vi.waitFor(() => expect(f).toHaveBeenCalledTimes(1), 20_000);
  calls.close();
  send('s.f', undefined, 2);
  await vi.waitFor(() => expect(records).toMatchObject([{ outcome: 'cancelled' }]), 20_000);
  expect([f.mock.calls.length, replies]).toEqual([1, []]);
});

test('each call is one line for the audit log and one in the report', async () => {
  const { send, replies, records, calls } = gate({ tools: { f: () => ({ text: 'abc' }) } });
  send('s.f', '{"keyword":{"b":{"y":1,"x":2},"a":1}}', 1);
  await vi.waitFor(() => expect(replies).toHaveLength(1), 20_000);
  send('s.f', '{"keyword":{"a":1,"b":{"x":2,"y":1}}}', 2);
  await vi.waitFor(() => expect(replies).toHaveLength(2), 20_000);
  const line = {
    run: 'run1',
    principal: 'local',
    tool: 's.f',
    argumentHash: expect.stringMatching(/^[0-9a-f]{16}$/),
    ms: expect.any(Number),
    chars: 15,
    outcome: 'ok',
  };
  expect(records).toEqual([line, line]);
  expect(records[0]?.argumentHash).toBe(records[1]?.argumentHash);
  expect(JSON.stringify(records)).not.toContain('"y"');
  expect(calls.summaries).toEqual([1, 2].map(() => ({ tool: 's.f', ms: line.ms, ok: true, chars: 15 })));
});

test('the progress of a tool is told in a line that names the tool', async () => {
  const { send, replies, progress } = gate({
    tools: {
      count: (_args, _signal, onProgress) => {
        onProgress?.({ done: 1 });
        onProgress?.({ done: 2, total: 3 });
        onProgress?.({ done: 3, total: 3, message: 'last drawer' });
        return { text: 'counted' };
      },
    },
  });
  send('s.count');
  await vi.waitFor(() => expect(replies).toHaveLength(1), 20_000);
  expect(progress).toEqual(['s.count: 1', 's.count: 2 of 3', 's.count: last drawer (3 of 3)']);
});

test('a failure too long to be parsed is told by its beginning', async () => {
  const parts = [
    Buffer.from('{"content":'),
    Buffer.from(`[{"type":"text","text":"no such customer ${'x'.repeat(5_000)}"}]}`),
  ];
  const large = { parts, bytes: 5_100 };
  const { send, replies } = gate({ tools: { f: () => ({ isError: true, large }) } });
  send('s.f');
  await vi.waitFor(() => expect(replies).toHaveLength(1), 20_000);
  expect(replies[0]).toMatchObject({ ok: false, code: 'tool_failed' });
  expect(replies[0]?.message).toMatch(
    /^s\.f failed: \{"content":\[\{"type":"text","text":"no such customer x+$/,
  );
  expect(replies[0]?.message).toHaveLength('s.f failed: '.length + 4_000);
});
