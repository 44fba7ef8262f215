import { describe, expect, test } from 'vitest';
import { MAX_GLOB_LENGTH, matchesGlob } from '../../../src/core/glob.js';

describe('a glob', () => {
  test.each([
    ['*.csv', 'a.csv'],
    ['*.csv', 'deep/down/a.csv'],
    ['data/*.csv', 'data/a.csv'],
    ['./data/*.csv', 'data/a.csv'],
    ['**/*.csv', 'a.csv'],
    ['**/*.csv', 'x/y/a.csv'],
    ['data/**', 'data/x/y'],
    ['a/**/z', 'a/z'],
    ['a/**/b/**/z', 'a/1/b/2/3/z'],
    ['**', 'any/thing'],
    ['run-?.txt', 'run-7.txt'],
    ['?', '🙂'],
    ['[abc].txt', 'b.txt'],
    ['[a-c]x', 'bx'],
    ['[!a-c]x', 'dx'],
    ['[]]x', ']x'],
    ['[a-]x', '-x'],
    ['[*]', '*'],
    ['a[b', 'a[b'],
    ['*a*b*c', 'xaybzc'],
    ['', ''],
    ['***', 'abc'],
  ])('%j matches %j', (pattern, path) => {
    expect(matchesGlob(pattern, path)).toBe(true);
  });

  test.each([
    ['*.csv', 'a.csv.bak'],
    ['data/*.csv', 'data/x/a.csv'],
    ['data/*', 'other/a'],
    ['a/**/z', 'a/b'],
    ['?', 'ab'],
    ['?', ''],
    ['[a-c]x', 'dx'],
    ['[!a-c]x', 'bx'],
    ['A', 'a'],
    ['*a*b*c', 'xaybz'],
    ['.*', 'ab'],
    ['(a|b)', 'a'],
    ['[*]', 'a'],
    ['a/b', 'a/c/b'],
  ])('%j does not match %j', (pattern, path) => {
    expect(matchesGlob(pattern, path)).toBe(false);
  });

  // A matcher that tries every star again would not end in the life of the sun.
  test('a pattern made to explode comes to an end', () => {
    expect(matchesGlob('*a'.repeat(127), `${'a'.repeat(254)}b`)).toBe(false);
    expect(matchesGlob(`${'**/a/'.repeat(40)}b`, `${'a/'.repeat(500)}c`)).toBe(false);
    expect(matchesGlob('['.repeat(256), 'a')).toBe(false);
  });

  test('a pattern beyond the limit matches nothing', () => {
    expect(matchesGlob('*'.repeat(MAX_GLOB_LENGTH), 'a')).toBe(true);
    expect(matchesGlob('*'.repeat(MAX_GLOB_LENGTH + 1), 'a')).toBe(false);
  });
});
