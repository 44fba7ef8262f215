import { expect, test } from 'vitest';
import { WordSplitter } from '../../../src/catalog/search/words.js';

const parts = (text: string) => new WordSplitter().splitAll(text).map((split) => split.parts.join(' '));
const joined = (text: string) => new WordSplitter().splitAll(text).map((split) => split.joined);

test.each([
  ['listPullRequests', 'list pull request'],
  ['list_pull_requests', 'list pull request'],
  ['getHTTPLogs', 'get http log'],
  ['MySQL', 'my sql'],
  ['convert2pdf', 'convert 2 pdf'],
  ['s3', 's3'],
  ['mp4', 'mp4'],
  ['v2', 'v2'],
])('splits the identifier %s into %s', (text, expected) => {
  expect(parts(text)).toEqual([expected]);
});

test('an identifier is also kept as one word, in any spelling', () => {
  expect(joined('listIssues list_issues issues')).toEqual(['listissu', 'listissu', undefined]);
});

test('ideographs become overlapping pairs, and other scripts words', () => {
  expect(parts('搜索关键词')).toEqual(['搜索', '索关', '关键', '键词']);
  expect(parts('Müller straße')).toEqual(['müller', 'straße']);
});

test('a run of letters that is data and no word is left out', () => {
  expect(parts(`find ${'A1b2'.repeat(30)} here`)).toEqual(['find', 'here']);
});

// Long enough that quadratic work would take minutes.
test('megabytes of text are split in linear time', () => {
  expect(parts('word '.repeat(600_000))).toHaveLength(600_000);
  expect(parts('_'.repeat(5_000_000))).toHaveLength(0);
});
