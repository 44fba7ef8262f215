import { expect, test } from 'vitest';
import { DefinitionLock, type LockStore } from '../../../src/catalog/definition/definition-lock.js';

/** One file that several processes have open. */
function file(): LockStore & { fail: boolean } {
  let kept: string | undefined;
  return {
    fail: false,
    read: async () => kept,
    async write(text) {
      if (this.fail) throw new Error('disk full');
      kept = text;
    },
  };
}

const hash = (digit: string) => digit.repeat(64);
const offer = (name: string, digit: string) => ({ name, hash: hash(digit), shadows: false });

test('what one process has accepted another sees after reload, and does not write over', async () => {
  const store = file();
  const server = await DefinitionLock.open(store);
  server.review('hub', [offer('a', '1')]);
  await server.save();
  expect(server.review('hub', [offer('a', '2')]).get('a')).toBe('changed');
  const person = await DefinitionLock.open(store);
  person.accept('hub', 'a', hash('2'));
  await person.save();
  // The server process finds something new of its own and writes that.
  server.review('hub', [offer('a', '2'), offer('b', '3')]);
  await server.save();
  expect(server.review('hub', [offer('a', '2')]).get('a')).toBe('accepted');
  const third = await DefinitionLock.open(store);
  expect([...third.review('hub', [offer('a', '2'), offer('b', '3')])]).toEqual([
    ['a', 'accepted'],
    ['b', 'new'],
  ]);
});

test('reload tells whether anything is new', async () => {
  const store = file();
  const one = await DefinitionLock.open(store);
  const two = await DefinitionLock.open(store);
  expect(await one.reload()).toBe(false);
  two.accept('hub', 'a', hash('1'));
  await two.save();
  expect(await two.reload()).toBe(false);
  expect(await one.reload()).toBe(true);
  expect(one.review('hub', [offer('a', '1')]).get('a')).toBe('accepted');
});

test('of two processes that meet a tool at the same time the first to write pins it', async () => {
  const store = file();
  const one = await DefinitionLock.open(store);
  const two = await DefinitionLock.open(store);
  one.review('hub', [offer('a', '1')]);
  two.review('hub', [offer('a', '2')]);
  await one.save();
  await two.save();
  expect(two.review('hub', [offer('a', '2')]).get('a')).toBe('changed');
});

test('what could not be written is written the next time', async () => {
  const store = file();
  const lock = await DefinitionLock.open(store);
  lock.accept('hub', 'a', hash('1'));
  store.fail = true;
  await expect(lock.save()).rejects.toThrow('disk full');
  store.fail = false;
  await lock.save();
  const other = await DefinitionLock.open(store);
  expect(other.review('hub', [offer('a', '1')]).get('a')).toBe('accepted');
});
