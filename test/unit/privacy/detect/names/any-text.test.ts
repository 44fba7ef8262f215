import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNameFinder } from '../../../../../src/privacy/detect/names/create-name-finder.js';
import { splitWords } from '../../../../../src/privacy/detect/words.js';
import { names } from './find-names.js';

const PIECES = [
  ...[
    'Anna',
    'Berg',
    'van',
    'der',
    'de',
    "O'",
    'J.',
    'Dr.',
    'Mr',
    'said',
    'name',
    'is',
    'I',
    'am',
    'Hi',
    'and',
    'St.',
  ],
  ...[
    '12',
    '5th',
    'Oak',
    'Street',
    'rue',
    'Gasse',
    'Apt',
    'Box',
    'PO',
    'FPO',
    'AE',
    '12345',
    'bis',
    'Unit',
    '80331',
  ],
  ...[
    ' ',
    ' ',
    ' ',
    '\n',
    ', ',
    '. ',
    ': ',
    '-',
    '_',
    '<a@b.org>',
    '"',
    '田中さん',
    'José',
    '\ud800',
    '\u0301',
    '😀',
  ],
];

test('what is found in any text lies inside it, is no blank, and what is found twice is found alike', () => {
  const finder = createNameFinder(names);
  const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, fc.constantFrom([], ['name'], ['address'], ['note']), (spelled, keys) => {
      const look = (): string[] => {
        const found: string[] = [];
        const words = splitWords(spelled);
        const isValue = keys.length > 0;
        const situation = { words, isValue, keys, keySays: () => false, contextSays: () => false };
        finder.begin().find(situation, (type, start, end, score) => {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(spelled.length);
          expect(spelled.slice(start, end).trim()).not.toBe('');
          expect(score).toBeGreaterThanOrEqual(50);
          expect(score).toBeLessThanOrEqual(100);
          found.push(`${type} ${start} ${end} ${score}`);
        });
        return found;
      };
      expect(look()).toEqual(look());
    }),
    { numRuns: 3000, seed: 20261201 },
  );
});
