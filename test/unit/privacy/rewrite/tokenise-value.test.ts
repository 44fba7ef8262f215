import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokeniseValue } from '../../../../src/privacy/rewrite/tokenise-value.js';
import { replacing } from './open-vault.js';

describe('a tokenised value', () => {
  test('has the same keys, lengths and kinds', async () => {
    const using = await replacing();
    const value = { name: 'Jane Doe', ssn: 123456789, rows: [{ mail: 'a@example.org' }, null, true, 7] };
    const tokens = tokeniseValue(value, using) as typeof value;
    expect(Object.keys(tokens)).toEqual(['name', 'ssn', 'rows']);
    expect(tokens.name).toMatch(/^PIIPERSON/);
    expect(tokens.ssn).toBeGreaterThan(8e15);
    expect(Number.isSafeInteger(tokens.ssn)).toBe(true);
    expect(tokens.rows.slice(1)).toEqual([null, true, 7]);
    expect(tokens.rows).toHaveLength(4);
    expect(value.name).toBe('Jane Doe');
  });

  test('never changes keys', async () => {
    const value = { 'jane@example.org': 3 };
    expect(tokeniseValue(value, await replacing())).toBe(value);
  });

  test('is the same object, and keeps the unchanged parts as the same objects', async () => {
    const using = await replacing();
    const clean = { list: [1, 'two', { three: [] }] };
    expect(tokeniseValue(clean, using)).toBe(clean);
    const value = { clean, mail: 'a@example.org' };
    expect((tokeniseValue(value, using) as typeof value).clean).toBe(clean);
  });

  test('does not fail on the key __proto__ or on depth', async () => {
    const using = await replacing();
    const value = JSON.parse('{"__proto__": {"mail": "a@example.org"}, "b": 1}');
    const tokens = tokeniseValue(value, using) as Record<string, unknown>;
    expect(Object.getPrototypeOf(tokens)).toBe(Object.prototype);
    expect(Object.keys(tokens)).toEqual(['__proto__', 'b']);
    expect(JSON.stringify(tokens)).not.toContain('example.org');
    let deep: unknown = 'a@example.org';
    for (let i = 0; i < 100_000; i++) deep = [deep];
    let inside = tokeniseValue(deep, using);
    while (Array.isArray(inside)) inside = inside[0];
    expect(inside).toMatch(/^PIIEMAIL/);
  });

  test('keeps its shape, whatever it is', async () => {
    const using = await replacing();
    const shape = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shape);
      if (typeof value !== 'object' || value === null) return typeof value;
      return Object.entries(value).map(([key, item]) => [key, shape(item)]);
    };
    const leaf = fc.oneof(fc.constantFrom('a@example.org', '123-45-6789'), fc.double(), fc.string());
    const anything = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('node')),
        fc.dictionary(fc.oneof(fc.constantFrom('ssn', 'name', '__proto__', '1'), fc.string()), tie('node')),
      ),
    })).node;
    fc.assert(
      fc.property(anything, (value) => {
        expect(shape(tokeniseValue(value, using))).toEqual(shape(value));
      }),
      { numRuns: 300, seed: 4 },
    );
  });
});
