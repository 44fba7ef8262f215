import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SegmentFolder } from '../../../src/fs/segment-files.js';
import { bytes, temporaryFolder } from './temporary-folder.js';

test('numbers are given out once, beyond all that are there', () => {
  const folder = new SegmentFolder(path.join(temporaryFolder(), 'log'));
  expect(folder.numbers()).toEqual([]);
  const made = [folder.claim(0, 'a'), folder.claim(0, 'b'), folder.claim(7, 'c')];
  expect(made.map(({ number }) => number)).toEqual([0, 1, 7]);
  expect(folder.numbers()).toEqual([0, 1, 7]);
  for (const segment of made) segment.close();
});

test('what is appended is read from any offset, and the header tells who made it', async () => {
  const at = temporaryFolder();
  const folder = new SegmentFolder(at);
  const segment = folder.claim(0, 'label of mine');
  await segment.append(bytes('one'));
  await segment.append(bytes('two'));
  segment.sync();
  segment.close();
  const header = folder.header(0);
  expect(header).toMatchObject({ isHeld: true, label: 'label of mine' });
  const start = header?.bytes ?? 0;
  expect(folder.read(0, start).toString()).toBe('onetwo');
  expect(folder.read(0, start + 3).toString()).toBe('two');
  expect(folder.read(0, start, 3).toString()).toBe('one');
  expect(folder.read(0, start + 99).toString()).toBe('');
  if (process.platform !== 'win32') expect(statSync(path.join(at, '00000000.seg')).mode & 0o777).toBe(0o600);
});

test('the segment of a process that is gone is not held, that of another host always is', () => {
  const at = temporaryFolder();
  const folder = new SegmentFolder(at);
  folder.claim(0, 'x').close();
  const file = path.join(at, '00000000.seg');
  const header = readFileSync(file, 'latin1');
  writeFileSync(file, header.replace(/-\d+-/, '-4194999-'));
  expect(folder.header(0)?.isHeld).toBe(false);
  writeFileSync(file, header.replace(/^[0-9a-f]{12}-\d+-/, '000000000000-4194999-'));
  expect(folder.header(0)?.isHeld).toBe(true);
});

test('a segment without a whole header has none, nor has one that is gone', () => {
  const at = temporaryFolder();
  const folder = new SegmentFolder(at);
  writeFileSync(path.join(at, '00000003.seg'), 'half a li');
  expect(folder.header(3)).toBeUndefined();
  expect(folder.header(4)).toBeUndefined();
  expect(folder.read(4, 0)).toHaveLength(0);
  expect(folder.stat(4)).toBeUndefined();
});

test('other files in the folder are left alone', () => {
  const at = temporaryFolder();
  const folder = new SegmentFolder(at);
  appendFileSync(path.join(at, 'key'), 'k');
  const segment = folder.claim(0, 'x');
  segment.close();
  folder.remove(0);
  folder.remove(0);
  folder.removeIfEmpty();
  expect(readdirSync(at)).toEqual(['key']);
});
