import { expect, test } from 'vitest';
import type { SearchDocument } from '../../../src/catalog/search/document.js';
import { SearchIndex } from '../../../src/catalog/search/search-index.js';

const tool = (id: string, description = '', more: Partial<SearchDocument> = {}): SearchDocument => {
  const [server = '', name = ''] = id.split('.');
  return { id, server, name, category: '', description, argumentNames: [], argumentTexts: [], ...more };
};
const TOOLS = [
  tool('files.read_file', 'Read a file from disk.'),
  tool('files.write_file', 'Write text to a file.', { argumentNames: ['path', 'encoding'] }),
  tool('files.list_directory', 'List what is in a directory.'),
  tool('code.create_issue', 'Open a new issue in a repository.'),
  tool('code.list_issues', 'List issues of a repository.'),
  tool('code.delete_branch', 'Remove a branch.'),
  tool('chat.sendMessage', 'Post a message to a channel.'),
  tool('weather.get_forecast', 'Weather for the next days.', { argumentTexts: ['latitude of the place'] }),
];

function indexOf(tools: readonly SearchDocument[]): SearchIndex {
  const index = new SearchIndex();
  const servers = new Set(tools.map((one) => one.server));
  for (const server of servers)
    index.replace(
      server,
      tools.filter((one) => one.server === server),
    );
  return index;
}
const best = (index: SearchIndex, query: string, limit = 1) =>
  index.search(query, { limit }).hits.map((hit) => hit.id);

test.each([
  ['read a file', 'files.read_file'],
  ['reading files', 'files.read_file'],
  ['show me the contents of a folder', 'files.list_directory'],
  ['new issues', 'code.create_issue'],
  ['erase a branch', 'code.delete_branch'],
  ['send message', 'chat.sendMessage'],
  ['sendMessage', 'chat.sendMessage'],
  ['encoding of text', 'files.write_file'],
  ['latitude', 'weather.get_forecast'],
])('%s finds %s', (query, expected) => {
  expect(best(indexOf(TOOLS), query)).toEqual([expected]);
});

test('the verb of a query prefers tools that do that', () => {
  const pair = [tool('a.show_users', 'About users.'), tool('b.drop_users', 'About users.')];
  expect(best(indexOf(pair), 'fetch users', 2)).toEqual(['a.show_users', 'b.drop_users']);
  expect(best(indexOf(pair), 'erase users', 2)).toEqual(['b.drop_users', 'a.show_users']);
});

test('every clause of a request gets its tool into the first places', () => {
  const query = 'Read the file notes.txt. Then post a message to the channel, and delete the branch.';
  expect(new Set(best(indexOf(TOOLS), query, 3))).toEqual(
    new Set(['files.read_file', 'chat.sendMessage', 'code.delete_branch']),
  );
});

test('a misspelt word is understood, a compound too, and neither changes the result of known words', () => {
  const index = indexOf(TOOLS);
  expect(best(index, 'wether')).toEqual(['weather.get_forecast']);
  expect(best(index, 'readfile')).toEqual(['files.read_file']);
  expect(index.search('branch', { limit: 5 }).total).toBe(1);
});

test('words that nothing answers to are named as they were written', () => {
  const found = indexOf(TOOLS).search('Teleport the issues to Zanzibar', { limit: 5 });
  expect(found.unmatchedWords).toEqual(['teleport', 'zanzibar']);
  expect(found.hits[0]?.id).toBe('code.list_issues');
  expect(found.confidence).toBeLessThan(0.5);
});

test('a query of known words has the confidence 1, one of unknown words finds nothing', () => {
  expect(indexOf(TOOLS).search('list issues', { limit: 5 })).toMatchObject({
    confidence: 1,
    unmatchedWords: [],
  });
  expect(indexOf(TOOLS).search('qqqqq zzzzz', { limit: 5 })).toEqual({
    hits: [],
    total: 0,
    confidence: 0,
    unmatchedWords: ['qqqqq', 'zzzzz'],
  });
});

test('the ranking does not depend on the order in which servers came, and ties go by id', () => {
  const twins = Array.from({ length: 30 }, (_, at) => tool(`s${at}.find`, 'Find something rare.'));
  const one = best(indexOf([...TOOLS, ...twins]), 'find something rare', 40);
  const other = best(indexOf([...twins.reverse(), ...TOOLS]), 'find something rare', 40);
  expect(other).toEqual(one);
  expect(one.slice(0, 3)).toEqual(['s0.find', 's1.find', 's10.find']);
});

test('pages are parts of one order, whatever their size', () => {
  const index = indexOf(
    Array.from({ length: 300 }, (_, at) => tool(`s${at % 7}.job_${at}`, 'Run a nightly job.')),
  );
  const whole = index.search('run the job', { limit: 300 });
  expect(whole.total).toBe(300);
  const pages = [0, 7, 14, 21].flatMap((offset) =>
    index.search('run the job', { limit: 7, offset }).hits.map((hit) => hit.id),
  );
  expect(pages).toEqual(whole.hits.slice(0, 28).map((hit) => hit.id));
  expect(new Set(whole.hits.map((hit) => hit.id)).size).toBe(300);
});

test('a replaced server is found by its new tools only, and gives what a fresh index gives', () => {
  const index = indexOf(TOOLS);
  index.search('anything', { limit: 1 });
  const changed = [tool('code.merge_request', 'Merge a request.'), tool('code.list_issues', 'List issues.')];
  index.replace('code', changed);
  expect(best(index, 'delete branch')).not.toEqual(['code.delete_branch']);
  const fresh = indexOf([...TOOLS.filter((one) => one.server !== 'code'), ...changed]);
  for (const query of ['merge', 'list issues', 'read a file', 'message']) {
    expect(index.search(query, { limit: 5 })).toEqual(fresh.search(query, { limit: 5 }));
  }
});

test('a server replaced by nothing is gone', () => {
  const index = indexOf(TOOLS);
  index.replace('weather', []);
  expect(index.search('forecast', { limit: 5 }).total).toBe(0);
});

test('a filter leaves out what it does not take, and the total counts what it does', () => {
  const found = indexOf(TOOLS).search('list', { limit: 5, accepts: ({ server }) => server === 'code' });
  expect(found.hits.map((hit) => hit.id)).toEqual(['code.list_issues']);
  expect(found.total).toBe(1);
});

test('hostile queries and names are words like others', () => {
  const index = indexOf([...TOOLS, tool('__proto__.constructor', 'toString of __proto__')]);
  expect(best(index, '__proto__ constructor')).toEqual(['__proto__.constructor']);
  for (const query of [
    '',
    '   ',
    '\u0000\ud800',
    // So long that work which grows with the square of the length would not end.
    '"'.repeat(1_000_000),
    'a@'.repeat(1_000_000),
    '/x'.repeat(1_000_000),
  ])
    expect(index.search(query, { limit: 5 }).hits).toEqual([]);
});

test('an index without tools answers', () => {
  expect(new SearchIndex().search('anything', { limit: 5 })).toMatchObject({
    hits: [],
    total: 0,
    confidence: 0,
  });
});
