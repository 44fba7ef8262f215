import { expect, test } from 'vitest';
import { lastWords } from '../../../src/sandbox/wasm/guest/last-words.js';

function told(...lines: string[]): string[] {
  const printed: string[] = [];
  const print = lastWords((line) => printed.push(line));
  for (const line of lines) print(line);
  return printed;
}

const FRAME = '  File "/workspace/main.py", line 3 in f';
const LIBRARY = '  File "/lib/python314.zip/json/encoder.py", line 264 in iterencode';
const OURS = '  File "/lib/ce/src/ce_runtime/worker.py", line 75 in run';

test('a dump of frames becomes the innermost place in the code', () => {
  expect(told('before', 'Stack (most recent call first):', LIBRARY, FRAME, FRAME, OURS)).toEqual([
    'before',
    'the interpreter died at line 3 of main.py, in f',
  ]);
});

test('a fatal error of Python is told in its own line, and nothing of its dump', () => {
  expect(
    told(
      'Fatal Python error: Segmentation fault',
      'Python runtime state: initialized',
      '',
      'Current thread 0x00007f12 [python] (most recent call first):',
      FRAME,
      OURS,
      '  ...',
      '',
      'Extension modules: _csv (total: 1)',
    ),
  ).toEqual(['Fatal Python error: Segmentation fault']);
});

test('a dump without a frame of the code tells nothing', () => {
  expect(told('Stack (most recent call first):', OURS)).toEqual([]);
});

test('other lines pass, also those that look like frames', () => {
  const lines = ['', FRAME, OURS, '  indented', 'plain'];
  expect(told(...lines)).toEqual(lines);
});

test('what is printed after a dump passes again', () => {
  const dump = ['Stack (most recent call first):', FRAME];
  expect(told(...dump, 'still here', ...dump, 'and here')).toEqual([
    'the interpreter died at line 3 of main.py, in f',
    'still here',
    'the interpreter died at line 3 of main.py, in f',
    'and here',
  ]);
});
