import { expect, test } from 'vitest';
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

test('40 MB take at most six times as long as 9 MB, and the event loop goes on meanwhile', async () => {
  const { downstream } = openFake();
  // Processor time of this process, so that other programs on the machine do not count.
  const spent = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  const measure = async (mb: number) => {
    let last = spent();
    let block = 0;
    const tick = () => {
      block = Math.max(block, spent() - last);
      last = spent();
    };
    const timer = setInterval(tick, 1);
    const begin = spent();
    const { large } = await downstream.call('fake', 'echo', { do: 'text', mb }, LARGE);
    const ms = spent() - begin;
    tick();
    clearInterval(timer);
    expect(large?.bytes).toBeGreaterThan(mb * 1e6);
    return { ms, block };
  };
  const least = async (mb: number) => {
    const runs = [await measure(mb), await measure(mb), await measure(mb), await measure(mb)];
    return { ms: Math.min(...runs.map(({ ms }) => ms)), block: Math.min(...runs.map(({ block }) => block)) };
  };
  const nine = await least(9);
  const forty = await least(40);
  expect(forty.ms).toBeLessThan(6 * nine.ms);
  expect(forty.block).toBeLessThan(50);
});
