import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from '../../../src/skills/line-diff.js';

const NAMES = { from: 'old', to: 'new' };

test('equal texts have no difference', () => {
  expect(unifiedDiff('a\n', 'a\n', NAMES)).toBe('');
});

test('a change is shown with three lines around it, changes far apart in ranges of their own', () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
  const changed = lines.with(1, 'second').toSpliced(17, 1);
  expect(unifiedDiff(`${lines.join('\n')}\n`, `${changed.join('\n')}\n`, NAMES)).toBe(
    [
      '--- old',
      '+++ new',
      '@@ -1,5 +1,5 @@',
      ' line 1',
      '-line 2',
      '+second',
      ' line 3',
      ' line 4',
      ' line 5',
      '@@ -15,6 +15,5 @@',
      ' line 15',
      ' line 16',
      ' line 17',
      '-line 18',
      ' line 19',
      ' line 20',
    ].join('\n'),
  );
});

test('a missing line break at the end is told', () => {
  expect(unifiedDiff('a\nb', 'a\nb\n', NAMES)).toBe(
    ['--- old', '+++ new', '@@ -1,2 +1,2 @@', ' a', '-b', '\\ No newline at end of file', '+b'].join('\n'),
  );
});

test('a text from nothing, and nothing from a text', () => {
  expect(unifiedDiff('', 'a\n', NAMES)).toBe('--- old\n+++ new\n@@ -0,0 +1,1 @@\n+a');
  expect(unifiedDiff('a\n', '', NAMES)).toBe('--- old\n+++ new\n@@ -1,1 +0,0 @@\n-a');
});

test('texts that differ in everything are shown as replaced', () => {
  const of = (letter: string) => Array.from({ length: 3_000 }, (_, at) => `${letter}${at}\n`).join('');
  const lines = unifiedDiff(of('a'), of('b'), NAMES).split('\n');
  expect(lines.slice(0, 4)).toEqual(['--- old', '+++ new', '@@ -1,3000 +1,3000 @@', '-a0']);
  expect(lines).toHaveLength(3 + 6_000);
});

/** Applies a difference as `patch` would. */
function patched(before: string, difference: string): string {
  const source = before.split('\n');
  const result: string[] = [];
  let at = 0;
  const lines = difference.split('\n').slice(2);
  for (const line of lines) {
    const range = /^@@ -(\d+),(\d+) /.exec(line);
    if (range) {
      const start = Number(range[1]) - (Number(range[2]) === 0 ? 0 : 1);
      while (at < start) result.push(source[at++] ?? '');
    } else if (line.startsWith('+')) result.push(line.slice(1));
    else {
      expect(source[at]).toBe(line.slice(1));
      if (line.startsWith(' ')) result.push(line.slice(1));
      at += 1;
    }
  }
  return [...result, ...source.slice(at)].join('\n');
}

test('applied to the first text, a difference gives the second, and changes no more lines than need be', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
    .map((lines) => lines.map((line) => `${line}\n`).join(''));
  fc.assert(
    fc.property(text, text, (a, b) => {
      const difference = unifiedDiff(a, b, NAMES);
      expect(difference === '' ? a : patched(a, difference)).toBe(b);
      const changes = difference
        .split('\n')
        .slice(2)
        .filter((line) => /^[+-]/.test(line)).length;
      expect(changes).toBe(
        a.split('\n').length + b.split('\n').length - 2 * common(a.split('\n'), b.split('\n')),
      );
    }),
    { numRuns: 1_000 },
  );
});

/** Length of the longest common subsequence. */
function common(a: readonly string[], b: readonly string[]): number {
  let before = new Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const row = [0];
    for (const [at, other] of b.entries())
      row.push(line === other ? (before[at] ?? 0) + 1 : Math.max(row[at] ?? 0, before[at + 1] ?? 0));
    before = row;
  }
  return before.at(-1) ?? 0;
}
