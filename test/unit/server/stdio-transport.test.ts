import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { StdioTransport } from '../../../src/server/stdio-transport.js';

async function open(maxBytes?: number) {
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = new StdioTransport(input, output, maxBytes);
  const messages: JSONRPCMessage[] = [];
  const errors: string[] = [];
  const sent: string[] = [];
  transport.onmessage = (message) => messages.push(message);
  transport.onerror = (error) => errors.push(error.message);
  output.on('data', (data: Buffer) => sent.push(data.toString()));
  await transport.start();
  return { input, output, transport, messages, errors, sent };
}

const ping = (id: number) => ({ jsonrpc: '2.0' as const, id, method: 'ping' });
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('messages arrive whole, however the bytes are cut, also within a character', async () => {
  const { input, messages } = await open();
  const bytes = Buffer.from(
    `${JSON.stringify({ ...ping(1), params: { name: '名😀' } })}\r\n\n${JSON.stringify(ping(2))}\n`,
  );
  for (const byte of bytes) input.write(Buffer.of(byte));
  await settle();
  expect(messages).toEqual([{ ...ping(1), params: { name: '名😀' } }, ping(2)]);
});

// A reader that copies or scans anew what it has at every piece, as the SDK's own does, goes over 1,600 GB here.
test('20 MB in 160,000 pieces take linear time', async () => {
  const { input, messages } = await open();
  const bytes = Buffer.from(`${JSON.stringify({ ...ping(1), params: { data: 'x'.repeat(20_000_000) } })}\n`);
  for (let at = 0; at < bytes.length; at += 125) input.write(bytes.subarray(at, at + 125));
  while (messages.length === 0) await settle();
  expect(messages).toHaveLength(1);
});

test('a line that is no message is reported and skipped', async () => {
  const { input, messages, errors } = await open();
  input.write(`hello\n${JSON.stringify(ping(1))}\n`);
  await settle();
  expect(errors).toHaveLength(1);
  expect(messages).toEqual([ping(1)]);
});

test.each([
  [
    'at the end, as SDK clients write it',
    (data: string) => JSON.stringify({ method: 'm', params: { data }, jsonrpc: '2.0', id: 7 }),
    7,
  ],
  [
    'at the start',
    (data: string) => JSON.stringify({ jsonrpc: '2.0', id: 'a-1', method: 'm', params: { data } }),
    'a-1',
  ],
])(
  'a message over the limit is answered with an error when its id is %s, and the next one works',
  async (_, message, id) => {
    const { input, messages, sent } = await open(1000);
    input.write(`${message('"id":5}'.repeat(500))}\n${JSON.stringify(ping(2))}\n`);
    await settle();
    const answer = JSON.parse(sent.join(''));
    expect(answer).toMatchObject({ jsonrpc: '2.0', id, error: { code: -32600 } });
    expect(answer.error.message).toMatch(
      /^message of \d+ bytes; the most is 1000\. Send large content in parts/,
    );
    expect(messages).toEqual([ping(2)]);
  },
);

test('memory does not grow with a line that never ends', async () => {
  const { input } = await open(100_000);
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 250; i++) {
    input.write(Buffer.alloc(1_000_000, 'x'));
    await settle();
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(150_000_000);
});

test('the end of input closes once, and sending afterwards fails', async () => {
  const { input, transport } = await open();
  let closes = 0;
  transport.onclose = () => closes++;
  input.end();
  await transport.closed;
  await transport.close();
  expect(closes).toBe(1);
  await expect(transport.send(ping(1))).rejects.toThrow('the connection is closed');
});

test('an input that ended before the start closes, too', async () => {
  const input = new PassThrough();
  input.destroy();
  const transport = new StdioTransport(input, new PassThrough());
  await transport.start();
  await transport.closed;
});

test('an error of the output closes, and a late second one does not throw', async () => {
  const { output, transport } = await open();
  output.emit('error', new Error('EPIPE'));
  await transport.closed;
  output.emit('error', new Error('EPIPE again'));
});
