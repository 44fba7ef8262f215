import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { textFiles } from '../../../src/config/text-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'code-execution-text-'));
});

test('a file that is not there reads as undefined', async () => {
  expect(await textFiles.read(join(folder, 'none', 'x.json'))).toBeUndefined();
});

test.skipIf(process.platform === 'win32')('a FIFO is refused at once', async () => {
  const path = join(folder, 'fifo');
  execFileSync('mkfifo', [path]);
  await expect(textFiles.read(path)).rejects.toMatchObject({
    code: 'config_error',
    message: `${path} is no regular file`,
  });
});

test('a new file is made with its folders, readable by its owner only, and without a copy', async () => {
  const path = join(folder, 'a', 'b.json');
  expect(await textFiles.replace(path, '{}\n', undefined)).toBeUndefined();
  expect(readFileSync(path, 'utf8')).toBe('{}\n');
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a replaced file keeps its permissions and leaves a copy of the old text', async () => {
  const path = join(folder, 'x.json');
  writeFileSync(path, 'old', { mode: 0o640 });
  const backup = await textFiles.replace(path, 'new', 'old');
  expect([readFileSync(path, 'utf8'), backup && readFileSync(backup, 'utf8')]).toEqual(['new', 'old']);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o640);
  expect(readdirSync(folder)).toHaveLength(2);
});

test('a link stays a link, and the file that it names is replaced', async () => {
  mkdirSync(join(folder, 'dotfiles'));
  writeFileSync(join(folder, 'dotfiles', 'x.json'), 'old');
  symlinkSync(join('dotfiles', 'x.json'), join(folder, 'x.json'));
  await textFiles.replace(join(folder, 'x.json'), 'new', 'old');
  expect(lstatSync(join(folder, 'x.json')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'dotfiles', 'x.json'), 'utf8')).toBe('new');
});

test('a file that changed since it was read is left alone', async () => {
  const path = join(folder, 'x.json');
  writeFileSync(path, 'theirs');
  await expect(textFiles.replace(path, 'ours', 'old')).rejects.toMatchObject({
    code: 'config_error',
    message: `${path} was changed by another program just now`,
    hint: 'run the command again',
  });
  expect(readFileSync(path, 'utf8')).toBe('theirs');
  expect(readdirSync(folder)).toEqual(['x.json']);
});
