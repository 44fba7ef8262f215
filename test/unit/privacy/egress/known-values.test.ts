import { describe, expect, test } from 'vitest';
import { KnownValues } from '../../../../src/privacy/egress/known-values.js';

const ORIGIN = { kind: 'tool', server: 'crm' } as const;

function found(values: Record<string, string>, text: string): string[] {
  const known = new KnownValues();
  for (const [type, value] of Object.entries(values)) known.add(type, value, ORIGIN);
  return known.find(text).map(({ start, end }) => text.slice(start, end));
}

describe('a known value', () => {
  test.each([
    ['in the middle of letters', 'xxjane.doe@example.orgyy', 'jane.doe@example.org'],
    ['without its separators', 'janedoeexampleorg', 'janedoeexampleorg'],
    ['with others between', 'j_a n-e/doe\n(at)', undefined],
    ['over lines', 'jane.\ndoe@exa\nmple.org', 'jane.\ndoe@exa\nmple.org'],
    ['in capitals with accents', 'J\u00c1NE.DOE@EXAMPLE.ORG', 'J\u00c1NE.DOE@EXAMPLE.ORG'],
    [
      'in mathematical letters',
      '\u{1d423}ane.doe@example.or\u{1d420}',
      '\u{1d423}ane.doe@example.or\u{1d420}',
    ],
    ['backwards', 'gro.elpmaxe@eod.enaj', 'gro.elpmaxe@eod.enaj'],
    ['in ROT13', 'wnar.qbr@rknzcyr.bet', 'wnar.qbr@rknzcyr.bet'],
    ['cut off', "'jane.doe@exa...", 'jane.doe@exa'],
    ['cut off without a sign of it', 'jane.doe@exa', undefined],
    ['with a letter missing', 'jane.doe@exmple.org', undefined],
  ])('is found %s', (_how, text, expected) => {
    expect(found({ EMAIL: 'jane.doe@example.org' }, text)).toEqual(expected === undefined ? [] : [expected]);
  });

  test.each([
    ['403761322', 1],
    ['403 76 1322', 1],
    ['403\n-76-1\n322', 1],
    ['4, 0, 3, 7, 6, 1, 3, 2, 2', 1],
    ['00403761322', 1],
    ['1403761322', 0],
    ['4037613220', 0],
    ['0.403761322', 0],
    ['403761322.5', 0],
    ['403, 76\n1322', 0],
    ['403 items, 76 boxes, 1322 pallets', 0],
  ])('of digits is not made up of other numbers: %j', (text, count) => {
    expect(found({ SSN: '403-76-1322' }, text)).toHaveLength(count);
  });

  test('of 13 digits and more is found whatever stands between', () => {
    expect(found({ CREDIT_CARD: '4111111111111111' }, '4111, 1111\n1111 - 1111')).toHaveLength(1);
  });

  test('of fewer than 8 letters and digits is found as it is written, as a word of its own', () => {
    const values = { USERNAME: 'kofi7' };
    expect(found(values, 'user kofi7, (kofi7)')).toEqual(['kofi7', 'kofi7']);
    expect(found(values, 'kofi77 xkofi7 k-o-f-i-7 KOFI7')).toEqual([]);
  });

  test('of one word is not found in longer words', () => {
    expect(found({ USERNAME: 'developer' }, 'developers and a developer')).toEqual(['developer']);
  });

  test('that is too short to tell from other text is not looked for', () => {
    expect(found({ SECRET: 'abc', BANK_ACCOUNT: '1984' }, 'abc 1984')).toEqual([]);
  });

  test('of those that begin alike is found as the longest that is there', () => {
    const values = {
      EMAIL: 'jane.doe@example.org',
      USERNAME: 'jane.doe.ex',
      SECRET: 'jane.doe@example.org.uk',
    };
    expect(found(values, 'jane.doe@example.org!')).toEqual(['jane.doe@example.org']);
  });
});

describe('known values', () => {
  test('keep the newest when there are many', () => {
    const known = new KnownValues(100);
    for (let i = 0; i < 250; i++) known.add('EMAIL', `user${i}@example.org`, ORIGIN);
    expect(known.find('user249@example.org and user150@example.org')).toHaveLength(2);
    expect(known.find('user99@example.org')).toEqual([]);
    known.clear();
    expect(known.find('user249@example.org')).toEqual([]);
  });
});
