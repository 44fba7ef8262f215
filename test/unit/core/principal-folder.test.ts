import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folderOfPrincipal } from '../../../src/core/principal-folder.js';

test.each([
  ['local', 'local'],
  ['user_1-x', 'user_1-x'],
  ['Bob', '~42ob'],
  ['bob@example.org', 'bob~40example~2eorg'],
  ['..', '~2e~2e'],
  ['../local', '~2e~2e~2flocal'],
  ['/', '~2f'],
  ['\0', '~00'],
  ['~2e', '~7e2e'],
  ['.code-execution', '~2ecode-execution'],
  ['con', '~63on'],
  ['com1', '~63om1'],
  ['console', 'console'],
])('%j lives in %j', (principal, folder) => {
  expect(folderOfPrincipal(principal)).toBe(folder);
});

test('names that are too long, or have no UTF-8, become a hash that no other name gives', () => {
  const names = ['\ud800', '\udfff', '\ufffd', 'a'.repeat(121), 'a'.repeat(122), '~~', 'a'.repeat(120)];
  const folders = names.map(folderOfPrincipal);
  expect(new Set(folders).size).toBe(names.length);
  expect(folders.filter((folder) => /^~~[0-9a-f]{64}$/.test(folder))).toHaveLength(4);
});

test('an empty name is refused', () => {
  expect(() => folderOfPrincipal('')).toThrow(expect.objectContaining({ code: 'bad_name' }));
});

test('two names never share a folder, also where the disk folds case', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.constantFrom('A', 'a', '~41', '~61', 'Ä', 'ä'),
  );
  fc.assert(
    fc.property(name, name, (a, b) => {
      const [x, y] = [folderOfPrincipal(a), folderOfPrincipal(b)];
      expect(x).toMatch(/^[a-z0-9~_-]{1,120}$/);
      expect(x === y).toBe(a === b);
    }),
    { numRuns: 2_000 },
  );
});
