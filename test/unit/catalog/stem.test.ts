import { expect, test } from 'vitest';
import { stem } from '../../../src/catalog/search/stem.js';

test.each([
  // From the sample vocabulary of the Snowball project (English, Porter2).
  ['consign', 'consign'],
  ['consigned', 'consign'],
  ['consigning', 'consign'],
  ['consistency', 'consist'],
  ['consolations', 'consol'],
  ['conspicuously', 'conspicu'],
  ['knackeries', 'knackeri'],
  ['knightly', 'knight'],
  ['kneeling', 'kneel'],
  ['generate', 'generat'],
  ['generously', 'generous'],
  ['relational', 'relat'],
  ['hopping', 'hop'],
  ['hoping', 'hope'],
  ['ties', 'tie'],
  ['cries', 'cri'],
  ['gas', 'gas'],
  ['gaps', 'gap'],
  ['kiwis', 'kiwi'],
  ['happily', 'happili'],
  ['skies', 'sky'],
  ['news', 'news'],
  ['succeed', 'succeed'],
])('stems %s to %s as Porter2 does', (word, expected) => {
  expect(stem(word)).toBe(expected);
});

test.each([
  ['list', 'listing', 'listed', 'lists'],
  ['create', 'creates', 'creating', 'creation'],
  ['repository', 'repositories'],
  ['convert', 'converted', 'converting'],
  ['index', 'indexes', 'indices'],
])('forms of one word meet: %s', (...forms) => {
  expect(new Set(forms.map(stem)).size).toBe(1);
});

test('words that are not lower-case English, or too long to be words, stay as they are', () => {
  for (const word of ['über', 'S3', 'mp4', 'a', `${'abc'.repeat(20)}ing`]) expect(stem(word)).toBe(word);
});
