import { expect, test } from 'vitest';
import { DefinitionLock } from '../../../src/catalog/definition/definition-lock.js';
import { claimedTool, knownTools } from '../../../src/catalog/definition/shadowing.js';
import { MemoryLock } from './catalog-fixture.js';

const hash = (digit: string) => digit.repeat(64);
const offered = (name: string, digit: string, shadows = false) => ({ name, hash: hash(digit), shadows });

async function reopened(store: MemoryLock) {
  return DefinitionLock.open(store);
}

test('what a server offers at first sight is accepted; what it changes or adds later is marked, also after a restart', async () => {
  const store = new MemoryLock();
  const lock = await reopened(store);
  expect([...lock.review('s', [offered('a', '1'), offered('b', '2')])]).toEqual([
    ['a', 'accepted'],
    ['b', 'accepted'],
  ]);
  await lock.save();
  const later = await reopened(store);
  expect([...later.review('s', [offered('a', '1'), offered('b', '3'), offered('c', '4')])]).toEqual([
    ['a', 'accepted'],
    ['b', 'changed'],
    ['c', 'new'],
  ]);
  await later.save();
  const again = await reopened(store);
  expect([...again.review('s', [offered('b', '3'), offered('c', '5')])]).toEqual([
    ['b', 'changed'],
    ['c', 'changed'],
  ]);
});

test('a definition that goes away and comes back different is changed', async () => {
  const lock = await reopened(new MemoryLock());
  lock.review('s', [offered('a', '1')]);
  lock.review('s', []);
  expect(lock.review('s', [offered('a', '2')]).get('a')).toBe('changed');
});

test('a person accepts the definition as it is now, and no other', async () => {
  const store = new MemoryLock();
  const lock = await reopened(store);
  lock.review('s', [offered('a', '1')]);
  lock.accept('s', 'a', hash('2'));
  await lock.save();
  const later = await reopened(store);
  expect(later.review('s', [offered('a', '2')]).get('a')).toBe('accepted');
  expect(later.review('s', [offered('a', '1')]).get('a')).toBe('changed');
});

test('a shadowing tool is marked at first sight, until a person accepts it', async () => {
  const lock = await reopened(new MemoryLock());
  expect(lock.review('s', [offered('a', '1', true)]).get('a')).toBe('shadowing');
  lock.accept('s', 'a', hash('1'));
  expect(lock.review('s', [offered('a', '1', true)]).get('a')).toBe('accepted');
});

test('is written only when something is new', async () => {
  const store = new MemoryLock();
  const lock = await reopened(store);
  lock.review('s', [offered('a', '1')]);
  await lock.save();
  lock.review('s', [offered('a', '1')]);
  await lock.save();
  expect(store.writes).toBe(1);
});

test('keeps servers and tools of any name apart', async () => {
  const store = new MemoryLock();
  const lock = await reopened(store);
  lock.review('__proto__', [offered('constructor', '1'), offered('__proto__', '2')]);
  await lock.save();
  const later = await reopened(store);
  expect([...later.review('__proto__', [offered('constructor', '1'), offered('__proto__', '3')])]).toEqual([
    ['constructor', 'accepted'],
    ['__proto__', 'changed'],
  ]);
});

test.each([
  '',
  'null',
  '{}',
  '{"version":2,"servers":{}}',
  '{"version":1,"servers":{"s":{"a":{"hash":"x","by":"person"}}}}',
  `{"version":1,"servers":{"s":{"a":{"hash":"${hash('1')}","by":"me"}}}}`,
])('a lock file that holds %j stops with an error instead of accepting everything', async (text) => {
  const store = new MemoryLock();
  store.text = text;
  await expect(DefinitionLock.open(store)).rejects.toMatchObject({ code: 'config_error' });
});

test('a server that offers new names for ever fills no disk', async () => {
  const store = new MemoryLock();
  const lock = await reopened(store);
  for (let round = 0; round < 20; round++) {
    lock.review(
      's',
      Array.from({ length: 1_000 }, (_, at) => offered(`r${round}t${at}`, '1')),
    );
  }
  await lock.save();
  expect(Object.keys(JSON.parse(store.text ?? '').servers.s)).toHaveLength(5_000);
});

test.each([
  ['github.create_issue', 'github.create_issue'],
  ['github__create_issue', 'github.create_issue'],
  ['mcp__github__create_issue', 'github.create_issue'],
  ['GitHub:createIssue', 'github.create_issue'],
  ['github/create-issue', 'github.create_issue'],
  ['create_issue', undefined],
  ['github.something_else', undefined],
  ['files.read', undefined],
  ['docs.search', undefined],
])('a tool %s of the server "docs" claims %s', (name, expected) => {
  const known = knownTools(
    new Map([
      ['github', ['create_issue']],
      ['docs', ['search']],
    ]),
  );
  expect(claimedTool(name, 'docs', known)).toBe(expected);
});
