import { expect, test } from 'vitest';
import { entry, fake, open, openFake } from './fake-downstream.js';

test('a call gives what the tool returned, without fields that the protocol does not have', async () => {
  const { downstream } = openFake();
  const result = JSON.stringify({
    content: [
      { type: 'text', text: 'a', annotations: { audience: ['user'] }, extra: 1 },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'x://1', text: 't', mimeType: 'text/plain', other: 2 } },
      { type: 'resource_link', uri: 'x://2', name: 'n', size: 5 },
      { type: 'hologram' },
    ],
    structuredContent: { n: 1 },
    toolResult: 'old',
    _meta: { a: 1 },
  });
  expect(await downstream.call('fake', 'echo', { do: 'raw', result })).toEqual({
    isError: false,
    structured: { n: 1 },
    content: [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'resource', uri: 'x://1', text: 't', mimeType: 'text/plain' },
      { type: 'resource_link', uri: 'x://2', name: 'n' },
      { type: 'text', text: '[a part of the result has the unknown type "hologram"]' },
    ],
  });
});

test.each([
  ['an empty one', '{}', { isError: false, content: [] }],
  ['one without content', '{"structuredContent":[1]}', { isError: false, structured: [1], content: [] }],
  [
    'null as structured content',
    '{"structuredContent":null}',
    { isError: false, structured: null, content: [] },
  ],
  ['content that is no list', '{"content":"text"}', { isError: false, content: [] }],
  [
    'a failure',
    '{"isError":true,"content":[{"type":"text","text":"no"}]}',
    { isError: true, content: [{ type: 'text', text: 'no' }] },
  ],
])('a result is read permissively: %s', async (_, result, expected) => {
  const { downstream } = openFake();
  expect(await downstream.call('fake', 'echo', { do: 'raw', result })).toEqual(expected);
});

test('keys named __proto__ and constructor stay data', async () => {
  const { downstream } = openFake();
  const structured =
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"in":{"__proto__":{"x":3}}}';
  const result = await downstream.call('fake', 'echo', {
    do: 'raw',
    result: `{"structuredContent":${structured}}`,
  });
  expect(JSON.stringify(result.structured)).toBe(structured);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  const sent = JSON.parse('{"__proto__":{"polluted":1}}');
  const echo = await downstream.call('fake', 'echo', sent);
  expect(echo.content).toEqual([{ type: 'text', text: '{"__proto__":{"polluted":1}}' }]);
});

test('an error of the protocol is the failure of the tool, in the words of the server', async () => {
  const { downstream } = openFake();
  const result = await downstream.call('fake', 'echo', { do: 'error' });
  expect(result).toEqual({ isError: true, content: [{ type: 'text', text: 'no such thing' }] });
});

test('progress is passed on', async () => {
  const { downstream } = openFake();
  const steps: unknown[] = [];
  await downstream.call('fake', 'echo', { do: 'progress' }, { onProgress: (step) => steps.push(step) });
  expect(steps).toEqual([1, 2, 3].map((done) => ({ done, total: 3, message: `step ${done}` })));
});

test('a cancelled call ends at once, and the server is told', async () => {
  const { downstream } = openFake();
  const controller = new AbortController();
  // The server says when it has the call, which it would never answer.
  const options = { signal: controller.signal, onProgress: () => controller.abort() };
  const call = downstream.call('fake', 'echo', { do: 'begin' }, options);
  await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  const after = await downstream.call('fake', 'echo', { do: 'cancelled' });
  expect(after.structured).toEqual({ cancelled: 1 });
});

test('a signal that is aborted already starts nothing', async () => {
  const { downstream } = openFake('exit');
  const call = downstream.call('fake', 'echo', {}, { signal: AbortSignal.abort() });
  await expect(call).rejects.toMatchObject({ code: 'cancelled' });
});

test('a call that takes too long fails by the timeout of its server, and the server goes on', async () => {
  const { downstream } = open([entry('fake', fake(), { timeoutMs: 1_000 })]);
  // To start it takes a time of its own.
  await downstream.discover(20_000);
  await expect(downstream.call('fake', 'echo', { do: 'hang' })).rejects.toMatchObject({
    code: 'tool_unavailable',
    message: 'the server "fake" did not answer in time',
    hint: 'go on without it, or tell the user that this server needs attention',
  });
  expect((await downstream.call('fake', 'echo', { n: 1 })).isError).toBe(false);
});

test('a crash in the middle of a call fails all its calls, and the next call gets a new process', async () => {
  const { downstream, log } = openFake();
  const hanging = downstream.call('fake', 'echo', { do: 'hang' });
  const crashing = downstream.call('fake', 'echo', { do: 'crash' });
  const message = 'the server "fake" ended (exit code 9)';
  await expect(hanging).rejects.toMatchObject({ code: 'tool_unavailable', message });
  await expect(crashing).rejects.toMatchObject({ code: 'tool_unavailable', message });
  expect((await downstream.call('fake', 'echo', { n: 1 })).content).toEqual([
    { type: 'text', text: '{"n":1}' },
  ]);
  expect(log).toContainEqual({
    level: 'warn',
    message: 'the connection is over: the server ended (exit code 9)',
  });
});

test('a server that keeps crashing is left alone for longer and longer', async () => {
  const { downstream } = openFake('exit');
  const messages: string[] = [];
  for (let i = 0; i < 4; i += 1) {
    await downstream.call('fake', 'echo', {}).catch((error: Error) => messages.push(error.message));
  }
  expect(messages).toEqual([
    'the server "fake" ended (exit code 3)',
    'the server "fake" ended (exit code 3)',
    'the server "fake" ended (exit code 3)',
    'the server "fake" ended (exit code 3)',
  ]);
  await expect(downstream.call('fake', 'echo', {})).rejects.toThrow(
    'the server "fake" ended (exit code 3); it is tried again in 4 s',
  );
});

test('a server that floods its output is ended', async () => {
  const { downstream } = openFake('flood');
  await expect(downstream.call('fake', 'echo', { do: 'hang' })).rejects.toMatchObject({
    code: 'tool_unavailable',
    message: 'the server "fake" ended (it flooded its output)',
  });
});

test('a server gets its own environment and folder, and nothing of ours', async () => {
  process.env.OURS_TOKEN = 'secret';
  const { downstream } = open([entry('fake', fake('ordinary', { GIVEN: 'yes' }))]);
  const { structured } = await downstream.call('fake', 'echo', { do: 'environment' });
  expect(structured).toMatchObject({ env: { GIVEN: 'yes' } });
  expect(JSON.stringify(structured)).not.toContain('OURS_TOKEN');
});

test('an unknown server is named, with the nearest', async () => {
  const { downstream } = openFake();
  await expect(downstream.call('fakee', 'x', {})).rejects.toMatchObject({
    code: 'tool_unavailable',
    message: 'there is no server "fakee"',
    hint: 'did you mean "fake"?',
  });
});
