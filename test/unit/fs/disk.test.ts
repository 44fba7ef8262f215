import { constants, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { Disk } from '../../../src/fs/disk.js';
import { temporaryFolder } from './temporary-folder.js';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Requests in the thread pool right now. */
const pooled = () => process.getActiveResourcesInfo().filter((name) => name.startsWith('FSReq')).length;

/** A clock on which every look takes `ms`. */
function clockOf(ms: number): void {
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += ms;
    return now;
  });
}

test('a small call on a fast disk is made at once', async () => {
  const file = join(temporaryFolder(), 'f');
  writeFileSync(file, 'x');
  const disk = new Disk();
  const before = pooled();
  const answer = disk.lstat(file);
  expect(pooled() - before).toBe(0);
  expect((await answer).size).toBe(1);
});

test('a disk that is slow three times in a row is used through the thread pool, and again at once later', async () => {
  const file = join(temporaryFolder(), 'f');
  writeFileSync(file, 'x');
  const disk = new Disk();
  clockOf(30);
  for (let i = 0; i < 4; i += 1) await disk.lstat(file);
  const before = pooled();
  const answer = disk.lstat(file);
  expect(pooled() - before).toBe(1);
  expect((await answer).size).toBe(1);
  clockOf(11_000);
  await disk.lstat(file);
  clockOf(0);
  await disk.lstat(file);
  const beforeLater = pooled();
  const later = disk.lstat(file);
  expect(pooled() - beforeLater).toBe(0);
  await later;
});

test.each([
  ['at once', 0],
  ['through the thread pool', 30],
])('every call does the same %s', async (_how, ms) => {
  const folder = temporaryFolder();
  const disk = new Disk();
  clockOf(ms);
  for (let i = 0; i < 5; i += 1) await disk.lstat(folder);
  const at = (name: string) => join(folder, name);
  const fd = await disk.open(at('a'), constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  expect(await disk.write(fd, Buffer.from('-hello'), 1, 5, 2)).toBe(5);
  const into = new Uint8Array(10);
  expect(await disk.read(fd, into, 1, 9, 0)).toBe(7);
  expect([...into]).toEqual([0, 0, 0, ...Buffer.from('hello'), 0, 0]);
  await disk.close(fd);
  await disk.mkdir(at('d'), 0o700);
  await disk.rename(at('a'), at('d/b'));
  await disk.link(at('d/b'), at('c'));
  expect((await disk.readdir(folder)).sort()).toEqual(['c', 'd']);
  expect((await disk.identity(at('c'))).ino).toBe((await disk.identity(at('d/b'))).ino);
  expect(await disk.realpath(at('d/../c'))).toBe(at('c'));
  await disk.unlink(at('c'));
  await disk.unlink(at('d/b'));
  await disk.rmdir(at('d'));
  expect(await disk.readdir(folder)).toEqual([]);
  await expect(disk.lstat(at('c'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('many calls in a row let the event loop turn whenever they have taken more than 2 ms together', async () => {
  const folder = temporaryFolder();
  const disk = new Disk();
  clockOf(1);
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  for (let i = 0; i < 301; i += 1) await disk.lstat(folder);
  clearImmediate(timer);
  expect(turns).toBe(100);
});
