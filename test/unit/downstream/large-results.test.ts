import { expect, onTestFinished, test, vi } from 'vitest';
import type { ToolResult } from '../../../src/core/tool.js';
import { openFake } from './fake-downstream.js';

const LARGE = { maxResultBytes: 60_000_000, acceptLarge: true };

function textOf({ large }: ToolResult): string {
  return Buffer.concat(large?.parts ?? []).toString('utf8');
}

test.each([
  ['a text, the id in front of it', { do: 'text', mb: 2 }],
  ['structured content, the id behind it', { do: 'rows', mb: 2 }],
])('a result over 1 MiB comes as JSON text for who accepts that, and else as values: %s', async (_, args) => {
  const { downstream } = openFake();
  const large = await downstream.call('fake', 'echo', args, LARGE);
  const values = await downstream.call('fake', 'echo', args);
  expect(large).toMatchObject({ isError: false, content: [] });
  expect(large.large?.bytes).toBe(Buffer.byteLength(textOf(large)));
  const { isError, ...rest } = values;
  expect(isError).toBe(false);
  expect(JSON.parse(textOf(large))).toEqual(rest);
});

test('a long failure is a failure', async () => {
  const { downstream } = openFake();
  const result = `{"isError" : true, "content":[{"type":"text","text":"${'\\"{['.repeat(400_000)}"}]}`;
  const failed = await downstream.call('fake', 'echo', { do: 'raw', result }, LARGE);
  expect(failed.isError).toBe(true);
  expect(JSON.parse(textOf(failed)).content[0].text).toHaveLength(1_200_000);
});

test('a result above the cap of the caller is refused by size, and the connection goes on', async () => {
  const { downstream } = openFake();
  const over = { code: 'too_large', message: 'the result of the tool has 17.2 MiB; the most is 16 MiB' };
  await expect(downstream.call('fake', 'echo', { do: 'text', mb: 18 })).rejects.toMatchObject(over);
  const small = downstream.call('fake', 'echo', { do: 'text', mb: 0.5 }, { maxResultBytes: 1_000 });
  await expect(small).rejects.toMatchObject({
    code: 'too_large',
    message: 'the result of the tool has more than 0 MiB',
  });
  expect((await downstream.call('fake', 'echo', { n: 1 })).isError).toBe(false);
});

test('a message above 50 MiB is skipped with an error for its call, and the connection goes on', async () => {
  const { downstream } = openFake();
  const before = await downstream.call('fake', 'echo', { do: 'environment' });
  const call = downstream.call('fake', 'echo', { do: 'text', mb: 60 }, LARGE);
  await expect(call).rejects.toMatchObject({
    code: 'too_large',
    message: 'the server\'s answer has 57.2 MiB; the most is 50.0 MiB (server "fake")',
  });
  expect((await downstream.call('fake', 'echo', { do: 'environment' })).structured).toEqual(
    before.structured,
  );
});

test.each([
  [
    'deep',
    `{"structuredContent":${'['.repeat(300)}${']'.repeat(300)}}`,
    'the result is nested more than 200 levels deep',
  ],
  [
    'deep and long',
    `{"structuredContent":${'['.repeat(600_000)}${']'.repeat(600_000)}}`,
    'the server\'s answer is nested more than 200 levels deep (server "fake")',
  ],
])('a result too deep to walk is refused: %s', async (_, result, message) => {
  const { downstream } = openFake();
  await expect(downstream.call('fake', 'echo', { do: 'raw', result })).rejects.toMatchObject({
    code: 'too_large',
    message,
  });
});

test('a result with NaN in it is no JSON, and the call is told so', async () => {
  const { downstream } = openFake();
  const result = '{"structuredContent":{"mean":NaN}}';
  await expect(downstream.call('fake', 'echo', { do: 'raw', result })).rejects.toMatchObject({
    code: 'tool_unavailable',
    message: 'the server\'s answer is not valid JSON (server "fake")',
  });
});

test('a server cannot pass off a reference to a long result as its answer', async () => {
  const { downstream } = openFake();
  const result = '{"content":[],"_meta":{"code-execution-mcp/large":{"isError":false,"parts":[],"bytes":1}}}';
  expect(await downstream.call('fake', 'echo', { do: 'raw', result }, LARGE)).toEqual({
    isError: false,
    content: [],
  });
});

// How long it takes and how long the event loop is blocked: `npm run bench -- tools`.
test('40 MB are looked over as they come: no byte is copied twice, none parsed, and the event loop turns', async () => {
  const { downstream } = openFake();
  await downstream.call('fake', 'echo', {});
  let copied = 0;
  let parsed = 0;
  let turns = 0;
  const { concat } = Buffer;
  const { parse } = JSON;
  vi.spyOn(Buffer, 'concat').mockImplementation((...args) => {
    const whole = concat(...args);
    copied += whole.length;
    return whole;
  });
  vi.spyOn(JSON, 'parse').mockImplementation((text, ...rest) => {
    parsed += String(text).length;
    return parse(text, ...rest);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const { large } = await downstream.call('fake', 'echo', { do: 'text', mb: 40 }, LARGE);
  clearImmediate(timer);
  const bytes = large?.bytes ?? 0;
  expect(bytes).toBeGreaterThan(40e6);
  expect(copied).toBeLessThan(bytes + 100_000);
  expect(parsed).toBeLessThan(100_000);
  // Node reads at most 64 KiB at once, and the loop makes at most 32 reads of one pipe before it turns.
  expect(turns).toBeGreaterThanOrEqual(Math.floor(bytes / (32 * 65_536)));
});
