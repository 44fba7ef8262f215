import { expect, it } from 'vitest';
import {
  HAS_DIGIT,
  HAS_LETTER,
  HAS_LOWER,
  HAS_UPPER,
  hashOfWord,
  IS_CAPITAL,
  IS_FOREIGN,
  SAW_DISGUISE,
  SAW_EQUALS,
  splitWords,
  WordBuffer,
} from '../../../../src/privacy/detect/words.js';

it('splits at everything that is no letter or digit, the underscore included', () => {
  expect(wordsOf('user_name=Jo-2, Zoë!')).toEqual(['user', 'name', 'Jo', '2', 'Zoë']);
});

it('tells what each word is made of', () => {
  const { kinds } = splitWords('Ab1 cd 42 Ñu');
  expect([...kinds.subarray(0, 4)]).toEqual([
    HAS_LETTER | HAS_UPPER | HAS_LOWER | HAS_DIGIT | IS_CAPITAL,
    HAS_LETTER | HAS_LOWER,
    HAS_DIGIT,
    HAS_LETTER | HAS_UPPER | HAS_LOWER | IS_FOREIGN | IS_CAPITAL,
  ]);
});

it('hashes words without regard to case, in any script', () => {
  const { hashes } = splitWords('TELEFON Straße ПАРОЛЬ');
  expect([...hashes.subarray(0, 3)]).toEqual(['telefon', 'straße', 'пароль'].map(hashOfWord));
});

it('takes a letter of two units as one and a lone half of one as nothing', () => {
  expect(wordsOf('x𝟎𝟕y \ud800a \udc00b')).toEqual(['x𝟎𝟕y', 'a', 'b']);
});

it('keeps the places of watched symbols with the word behind them', () => {
  const words = new WordBuffer('@');
  words.split('a@b @', 0, 5);
  expect([...words.symbolAt.subarray(0, words.symbolCount)]).toEqual([1, 4]);
  expect([...words.symbolWord.subarray(0, words.symbolCount)]).toEqual([1, 2]);
});

it('counts offsets from the start of the part it was given', () => {
  const words = new WordBuffer();
  words.split('xx one two', 3, 10);
  expect(words.text).toBe('one two');
  expect([...words.starts.subarray(0, words.count)]).toEqual([0, 4]);
});

it('notices signs, invisible characters, and letters that only look Latin inside a Latin word', () => {
  expect(signsOf('a=b')).toBe(SAW_EQUALS);
  expect(signsOf('a\u200bb')).toBe(SAW_DISGUISE);
  expect(signsOf('exаmple')).toBe(SAW_DISGUISE);
  expect(signsOf('слово')).toBe(0);
});

function wordsOf(text: string): string[] {
  const { count, starts, ends } = splitWords(text);
  return Array.from({ length: count }, (_, index) => text.slice(starts[index], ends[index]));
}

function signsOf(text: string): number {
  const words = new WordBuffer();
  words.split(text, 0, text.length);
  return words.signs;
}
