import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { foldedHash } from '../../../../../src/privacy/detect/names/fold-word.js';
import {
  COMMON_FAMILY,
  COMMON_GIVEN,
  FAMILY,
  FREQUENT,
  GIVEN,
  NameList,
  ORDINARY,
  PLACE,
} from '../../../../../src/privacy/detect/names/name-list.js';
import { hashOfWord } from '../../../../../src/privacy/detect/words.js';
import { NAMES_FILE, names } from './find-names.js';

const bitsOf = (word: string): number => names.bitsOf(hashOfWord(word));

describe('the list of names', () => {
  test.each([
    ['priyanka', GIVEN | COMMON_GIVEN, ORDINARY | PLACE],
    ['grace', GIVEN | COMMON_GIVEN | ORDINARY | FREQUENT, PLACE],
    ['john', GIVEN | COMMON_GIVEN, ORDINARY],
    ['baker', FAMILY | COMMON_FAMILY | ORDINARY, PLACE],
    ['jordan', GIVEN | PLACE, ORDINARY],
    ['invoice', ORDINARY, GIVEN],
    ['kafka', ORDINARY | FREQUENT, COMMON_GIVEN],
  ])('has of %s the bits %d and not %d', (word, has, lacks) => {
    expect(bitsOf(word) & has).toBe(has);
    expect(bitsOf(word) & lacks).toBe(0);
  });

  test('knows nothing of a word that is none', () => {
    expect(bitsOf('qwolsky')).toBe(0);
  });

  test('is smaller than a million bytes', () => {
    expect(readFileSync(NAMES_FILE).length).toBeLessThan(1_000_000);
  });

  test('refuses bytes that are cut short or not its own', () => {
    const bytes = readFileSync(NAMES_FILE);
    const message = 'The list of names (data/names.bin) is damaged. Install the package again.';
    expect(() => new NameList(bytes.subarray(0, bytes.length - 1))).toThrow(message);
    expect(() => new NameList(new Uint8Array(70_000))).toThrow(message);
    expect(() => new NameList(new Uint8Array(0))).toThrow(message);
  });
});

describe('the hash of a word in plain letters', () => {
  test.each([
    ['José', 'jose'],
    ['ŁUKASZ', 'lukasz'],
    ['Groß', 'gross'],
    ['Ærø', 'aero'],
    ['Þórdís', 'thordis'],
    ['plain', 'plain'],
  ])('of %s is that of %s', (word, plain) => {
    expect(foldedHash(`«${word}»`, 1, 1 + word.length)).toBe(hashOfWord(plain));
  });
});
