import { expect, test } from 'vitest';
import { OutputLog } from '../../../src/session/run-output.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);
function logOf(limit: number, ...chunks: (string | Uint8Array)[]) {
  const log = new OutputLog(limit);
  const allowed = chunks.map((chunk) => log.add(typeof chunk === 'string' ? bytes(chunk) : chunk));
  return { allowed, result: log.result(false) };
}

test('an empty log holds nothing', () => {
  expect(logOf(10).result).toEqual({ head: '', tail: '', bytes: 0, lines: 0 });
});

test('chunks are joined as they come, counted in bytes and lines', () => {
  expect(logOf(100, 'one\ntw', 'o\n', 'thr\u00e9e').result).toEqual({
    head: 'one\ntwo\nthr\u00e9e',
    tail: '',
    bytes: 14,
    lines: 3,
  });
  expect(logOf(100, 'a\n').result.lines).toBe(1);
  expect(logOf(100, '', 'a\n', '').result.lines).toBe(1);
});

test('a character that is cut between two chunks comes whole', () => {
  const smile = bytes('\u{1f600}');
  expect(logOf(100, smile.subarray(0, 1), smile.subarray(1, 3), smile.subarray(3)).result.head).toBe(
    '\u{1f600}',
  );
});

test('bytes that are no UTF-8 become U+FFFD', () => {
  expect(logOf(100, Uint8Array.of(0x61, 0xff, 0x62)).result.head).toBe('a\ufffdb');
});

test('up to the limit all is kept, beyond it only counted, and the run is to be stopped', () => {
  expect(logOf(5, 'abc', 'de').allowed).toEqual([true, true]);
  const { allowed, result } = logOf(5, 'abc', 'defg\n', 'h\n');
  expect(allowed).toEqual([true, false, false]);
  expect(result).toEqual({ head: 'abcde', tail: '', bytes: 10, lines: 2 });
});

test('of a flood half a mebibyte of its begin stays and 64 KiB of its end; the count is of all', () => {
  const log = new OutputLog(2_000_000);
  log.add(Buffer.alloc(1_000_000, 'a'));
  log.add(Buffer.alloc(900_000, 'b'));
  expect(log.result(true)).toEqual({
    head: 'a'.repeat(524_288),
    tail: 'b'.repeat(65_536),
    bytes: 1_900_000,
    lines: 1,
  });
  const small = new OutputLog(2_000_000);
  small.add(Buffer.alloc(589_824, 'c'));
  expect(small.result(true)).toEqual({ head: 'c'.repeat(589_824), tail: '', bytes: 589_824, lines: 1 });
});

test('what is kept is a copy: one byte does not hold the chunk that it came in', () => {
  const chunk = Buffer.alloc(65_536, 'a');
  const log = new OutputLog(100);
  log.add(chunk.subarray(0, 3));
  chunk.fill('b');
  expect(log.result(false).head).toBe('aaa');
});

test('a million prints of one byte take little more than a million bytes', () => {
  const log = new OutputLog(2_000_000);
  const before = process.memoryUsage();
  for (let n = 0; n < 1_000_000; n++) log.add(Buffer.allocUnsafeSlow(64).fill('x').subarray(0, 1));
  const after = process.memoryUsage();
  expect(log.result(false).head).toBe('x'.repeat(1_000_000));
  expect(after.heapUsed - before.heapUsed).toBeLessThan(60e6);
});
