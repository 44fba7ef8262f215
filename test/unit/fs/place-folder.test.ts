import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ContainedDir } from '../../../src/fs/contained-dir.js';
import { RelativePath } from '../../../src/fs/relative-path.js';
import { bytes, expectCode, MECHANISMS, temporaryFolder } from './temporary-folder.js';

const at = (path: string) => RelativePath.parse(path, { folder: true });
const files = (text: string) =>
  new Map([
    ['a.txt', bytes(text)],
    ['b.txt', bytes('')],
  ]);

describe.each(MECHANISMS)('with %s', (mechanism) => {
  const open = (host: string) => ContainedDir.open(host, { mechanism });

  test('a folder is placed with all its files, and folders above it are made', async () => {
    const host = temporaryFolder();
    const dir = await open(host);
    expect(await dir.placeFolder(files('one'), at('deep/x/1'))).toBe(true);
    expect(readFileSync(join(host, 'deep/x/1/a.txt'), 'utf8')).toBe('one');
    await dir.close();
    expect([readdirSync(join(host, 'deep/x/1')).sort(), readdirSync(host)]).toEqual([
      ['a.txt', 'b.txt'],
      ['deep'],
    ]);
  });

  test('a name that is taken stays as it is, and nothing is left behind', async () => {
    const host = temporaryFolder();
    const [one, two] = await Promise.all([open(host), open(host)]);
    writeFileSync(join(host, 'file'), 'mine');
    const placed = await Promise.all([
      one.placeFolder(files('one'), at('1')),
      two.placeFolder(files('two'), at('1')),
    ]);
    expect(placed.filter(Boolean)).toHaveLength(1);
    expect(readFileSync(join(host, '1/a.txt'), 'utf8')).toBe(placed[0] ? 'one' : 'two');
    expect(await one.placeFolder(files('one'), at('file'))).toBe(false);
    expect(readFileSync(join(host, 'file'), 'utf8')).toBe('mine');
    await Promise.all([one.close(), two.close()]);
    expect(readdirSync(host).sort()).toEqual(['1', 'file']);
  });

  test('a folder is not placed through a link', async () => {
    const [host, outside] = [temporaryFolder(), temporaryFolder()];
    symlinkSync(outside, join(host, 'link'));
    const dir = await open(host);
    await expectCode(dir.placeFolder(files('x'), at('link/1')), 'path_denied');
    await dir.close();
    expect(readdirSync(outside)).toEqual([]);
  });

  test('a folder is listed by itself: its entries without what lies below, and the names of all that is there', async () => {
    const host = temporaryFolder();
    mkdirSync(join(host, 'a/b/c'), { recursive: true });
    writeFileSync(join(host, 'a/f'), 'x');
    symlinkSync('f', join(host, 'a/link'));
    const dir = await open(host);
    const { entries, skipped } = await dir.listFolder(at('a'), 10);
    expect([entries.map(({ path, kind }) => [path, kind]), skipped]).toEqual([
      [
        ['a/b', 'directory'],
        ['a/f', 'file'],
      ],
      ['a/link'],
    ]);
    expect((await dir.listFolder(RelativePath.root, 10)).entries.map(({ path }) => path)).toEqual(['a']);
    expect((await dir.names(at('a'))).sort()).toEqual(['b', 'f', 'link']);
    await expectCode(dir.listFolder(at('a'), 2), 'disk_limit');
    await expectCode(dir.names(at('nothing')), 'not_found');
    await expectCode(dir.names(at('a/link')), 'path_denied');
    await dir.close();
  });

  test('a root that is not to be made is not', async () => {
    const host = join(temporaryFolder(), 'missing');
    await expectCode(ContainedDir.open(host, { mechanism, make: false }), 'not_found');
    expect(existsSync(host)).toBe(false);
  });
});
