import { expect, test } from 'vitest';
import { clip, visibleValue } from '../../../src/server/visible-value.js';

test('strings and keys become visible wherever they are', () => {
  expect(visibleValue({ 'a\u200b': ['\x1b[31mx', { b: '\u202e' }], n: 1, z: null })).toEqual({
    'a\\u200b': ['x', { b: '\\u202e' }],
    n: 1,
    z: null,
  });
});

test('a key named __proto__ stays data', () => {
  const value = visibleValue(JSON.parse('{"__proto__": {"admin": true}}')) as Record<string, unknown>;
  expect(JSON.stringify(value)).toBe('{"__proto__":{"admin":true}}');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

test('nesting is cut where JSON writers would break', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  expect(JSON.stringify(visibleValue(deep))).toContain('deeper than 60 levels');
});

test('what exceeds the allowance is counted, not kept', () => {
  const value = visibleValue(
    { success: true, list: Array.from({ length: 1000 }, (_, i) => `item ${i}`) },
    200,
  );
  const { list, success } = value as { list: string[]; success: boolean };
  expect(success).toBe(true);
  expect(list.at(-1)).toMatch(/^\.\.\. \(\d+ items left out\)$/);
  expect(JSON.stringify(value).length).toBeLessThan(400);
  expect(visibleValue('x'.repeat(500), 100)).toBe(`${'x'.repeat(100)}... (400 characters left out)`);
});

test('escapes count as what they become', () => {
  const value = visibleValue({ a: Array.from({ length: 500 }, () => '\u202e') }, 1000);
  expect(JSON.stringify(value).length).toBeLessThan(1500);
});

test('clipping leaves no half of a surrogate pair', () => {
  expect(clip('ab😀', 3)).toBe('ab');
  expect(clip('ab😀', 4)).toBe('ab😀');
});
