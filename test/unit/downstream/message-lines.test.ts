import { expect, test } from 'vitest';
import { type Line, MessageLines, PARSE_BYTES } from '../../../src/downstream/message-lines.js';

/** What the bytes are taken for, fed in pieces of the given size. */
function linesOf(text: string, size = 1_000_000, maxBytes?: number): Line[] {
  const lines: Line[] = [];
  const reader = new MessageLines((line) => lines.push(line), maxBytes);
  const bytes = Buffer.from(text, 'utf8');
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  return lines;
}

test.each([1, 3, 1_000])('messages and noise are told apart in pieces of %i bytes', (size) => {
  const text =
    'Hello é!\r\n\n  \n{"jsonrpc":"2.0","id":1,"result":"é"}\r\n[1]\n{"level":"info"}\n{"jsonrpc":"2.0","id":2,"result":NaN}\n{"x":\n{"half":1';
  expect(linesOf(text, size)).toEqual([
    { kind: 'noise', text: 'Hello é!' },
    { kind: 'message', value: { jsonrpc: '2.0', id: 1, result: 'é' }, bytes: 39 },
    { kind: 'noise', text: '[1]' },
    { kind: 'message', value: { level: 'info' }, bytes: 16 },
    { kind: 'broken', fault: { code: 'tool_unavailable', reason: 'is not valid JSON' }, idText: '2' },
    { kind: 'noise', text: '{"x":' },
  ]);
});

test('a long message keeps its bytes, a long greeting does not', () => {
  const long = 'x'.repeat(PARSE_BYTES);
  const message = `{"jsonrpc":"2.0","id":1,"result":"${long}"}`;
  const [greeting, large] = linesOf(`${long}${long}\n${message}\n`, 65_536);
  expect(greeting).toEqual({ kind: 'noise', text: 'x'.repeat(200) });
  if (large?.kind !== 'large') throw new Error('not large');
  expect(Buffer.concat(large.chunks).toString('utf8')).toBe(message);
});

test('a message above the cap is told by its id, also when that comes last, and the next line is read', () => {
  const long = 'x'.repeat(3_000_000);
  const next = '{"jsonrpc":"2.0","id":2,"result":1}';
  const text = `{"result":"${long}","jsonrpc":"2.0","id":"b"}\n${next}\n`;
  expect(linesOf(text, 65_536, 2_000_000)).toEqual([
    {
      kind: 'broken',
      fault: { code: 'too_large', reason: 'has 2.9 MiB; the most is 1.9 MiB' },
      idText: '"b"',
    },
    { kind: 'message', value: JSON.parse(next), bytes: next.length },
  ]);
});

// A reader that copies what it has at every piece would copy 2,000 GB here.
test('two million single bytes cost linear time', () => {
  const [line] = linesOf(`{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(2_000_000)}"}\n`, 1);
  expect(line).toMatchObject({ kind: 'large', bytes: 2_000_036 });
});
