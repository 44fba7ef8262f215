import { linkSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eraseSecret, fileIdentity, readOrMakeSecret, readSecret } from '../../../src/fs/secret-file.js';
import { temporaryFolder } from './temporary-folder.js';

test('a secret that is not there is undefined, and made once for all who ask', () => {
  const file = path.join(temporaryFolder(), 'keys', 'key');
  expect(readSecret(file, 3)).toBeUndefined();
  expect(readOrMakeSecret(file, 3, () => Buffer.from('abc')).toString()).toBe('abc');
  expect(readOrMakeSecret(file, 3, () => Buffer.from('xyz')).toString()).toBe('abc');
  expect(readdirSync(path.dirname(file))).toEqual(['key']);
});

test('of two who make it at the same time both get the bytes of the first', () => {
  const file = path.join(temporaryFolder(), 'key');
  const make = () => {
    writeFileSync(file, 'abc', { mode: 0o600 });
    return Buffer.from('xyz');
  };
  expect(readOrMakeSecret(file, 3, make).toString()).toBe('abc');
});

test.each([
  ['ab', 'The key file key has 2 bytes instead of 3 bytes.'],
  ['abcd', 'The key file key has more than 3 bytes.'],
])('a secret of another length (%j) is refused', (content, message) => {
  const file = path.join(temporaryFolder(), 'key');
  writeFileSync(file, content, { mode: 0o600 });
  expect(() => readSecret(file, 3)).toThrow(message);
});

test.skipIf(process.platform === 'win32')('a link in place of a secret is refused', () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'other'), 'abc', { mode: 0o600 });
  symlinkSync(path.join(folder, 'other'), path.join(folder, 'key'));
  expect(() => readSecret(path.join(folder, 'key'), 3)).toThrow('The key file key cannot be opened.');
});

test('an erased secret is gone, and its identity changes with it', () => {
  const file = path.join(temporaryFolder(), 'key');
  const make = () => readOrMakeSecret(file, 3, () => Buffer.from('abc'));
  make();
  const before = fileIdentity(file);
  eraseSecret(file);
  expect(fileIdentity(file)).toBeUndefined();
  expect(readdirSync(path.dirname(file))).toEqual([]);
  make();
  expect(fileIdentity(file)).not.toBe(before);
});

test('erasing overwrites the bytes on the disk, also what a killed process left half-way', () => {
  const folder = temporaryFolder();
  for (const name of ['key', 'key.erased']) {
    writeFileSync(path.join(folder, name), 'abc');
    linkSync(path.join(folder, name), path.join(folder, 'same bytes'));
    eraseSecret(path.join(folder, 'key'));
    expect(readdirSync(folder)).toEqual(['same bytes']);
    const left = readFileSync(path.join(folder, 'same bytes'), 'latin1');
    expect(left).toHaveLength(3);
    expect(left).not.toBe('abc');
    rmSync(path.join(folder, 'same bytes'));
  }
});
