import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Workspaces } from '../../../src/workspace/workspaces.js';
import { bytes, expectCode, temporaryFolder, textOf } from '../fs/temporary-folder.js';
import { stage, temporaryWorkspace } from './temporary-workspace.js';

describe('a workspace', () => {
  test('appears on the host with its first use, for its owner alone', async () => {
    const { workspace, host } = temporaryWorkspace();
    expect(existsSync(host)).toBe(false);
    expect(await workspace.list()).toEqual([]);
    if (process.platform !== 'win32') expect(statSync(host).mode & 0o777).toBe(0o700);
  });

  test('writes, tells the entry, lists and reads back', async () => {
    const { workspace, host } = temporaryWorkspace();
    const entry = await workspace.write('reports/a.txt', bytes('hello'), 'overwrite');
    expect(entry).toMatchObject({ path: 'reports/a.txt', kind: 'file', size: 5 });
    expect(await workspace.stat('reports/a.txt')).toEqual(entry);
    expect((await workspace.list()).map(({ path }) => path)).toEqual(['reports', 'reports/a.txt']);
    expect(await workspace.list('reports')).toEqual([entry]);
    expect(await workspace.list('/workspace/reports/a.txt')).toEqual([entry]);
    expect(textOf(await workspace.read('reports/a.txt'))).toBe('hello');
    expect(textOf(await workspace.read('/workspace/reports/a.txt', { offset: 1, length: 3 }))).toBe('ell');
    expect(await workspace.read('reports/a.txt', { offset: 5 })).toHaveLength(0);
    expect(readdirSync(host)).toEqual(['reports']);
  });

  test('overwrites, appends and creates', async () => {
    const { workspace } = temporaryWorkspace();
    await workspace.write('f', bytes('one'), 'create');
    await expectCode(workspace.write('f', bytes('two'), 'create'), 'exists');
    expect(await workspace.write('f', bytes('+two'), 'append')).toMatchObject({ size: 7 });
    expect(textOf(await workspace.read('f'))).toBe('one+two');
    await workspace.write('f', bytes('3'), 'overwrite');
    expect(textOf(await workspace.read('f'))).toBe('3');
    await workspace.write('new', bytes('x'), 'append');
    expect(textOf(await workspace.read('new'))).toBe('x');
    await workspace.write('empty', bytes(''), 'overwrite');
    expect(await workspace.read('empty')).toHaveLength(0);
  });

  test('loses no append when many come at once', async () => {
    const { workspace } = temporaryWorkspace();
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => workspace.write('log', bytes(`${i}\n`), 'append')),
    );
    const lines = textOf(await workspace.read('log'))
      .trim()
      .split('\n');
    expect(lines.sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 50 }, (_, i) => `${i}`));
  });

  test('refuses a file in the place of a folder and below a file', async () => {
    const { workspace } = temporaryWorkspace();
    await workspace.write('d/f', bytes('x'), 'overwrite');
    await expectCode(workspace.write('d', bytes('x'), 'overwrite'), 'path_denied');
    await expectCode(workspace.write('d/f/g', bytes('x'), 'overwrite'), 'path_denied');
    await expectCode(workspace.read('d'), 'path_denied');
    await expectCode(workspace.read('none'), 'not_found');
    await expectCode(workspace.list('none'), 'not_found');
    await expectCode(workspace.read('d/f', { offset: -1 }), 'bad_arguments');
    await expectCode(workspace.read('d/f', { length: 1.5 }), 'bad_arguments');
  });

  test('shows what its owner puts there by hand, and finds a folder that was made anew', async () => {
    const { workspace, host } = temporaryWorkspace();
    await workspace.write('a', bytes('x'), 'overwrite');
    writeFileSync(join(host, 'by-hand'), '12345');
    expect((await workspace.list()).map(({ path, size }) => [path, size])).toEqual([
      ['a', 1],
      ['by-hand', 5],
    ]);
    rmSync(host, { recursive: true });
    expect(await workspace.list()).toEqual([]);
    await workspace.write('b', bytes('y'), 'overwrite');
    expect(readFileSync(join(host, 'b'), 'utf8')).toBe('y');
  });

  test('is apart from the workspace of another principal', async () => {
    const workspaces = new Workspaces({ dataDir: temporaryFolder() });
    await workspaces.of('alice').write('secret', bytes('a'), 'overwrite');
    await expectCode(workspaces.of('bob').read('secret'), 'not_found');
    await expectCode(workspaces.of('bob').read('../alice/secret'), 'path_denied');
    expect(workspaces.of('alice')).toBe(workspaces.of('alice'));
  });
});

describe('the quota of a workspace', () => {
  test('counts the files on disk, sparse ones in full', async () => {
    const { workspace, host } = temporaryWorkspace();
    await workspace.write('d/a', bytes('12345'), 'overwrite');
    writeFileSync(join(host, 'sparse'), '');
    truncateSync(join(host, 'sparse'), 900_000);
    expect(await workspace.usage()).toEqual({
      bytes: 900_005,
      files: 2,
      limitBytes: 1_000_000,
      limitFiles: 100,
    });
    await expectCode(workspace.write('b', Buffer.alloc(100_000), 'overwrite'), 'disk_limit');
    await workspace.write('b', Buffer.alloc(99_995), 'overwrite');
  });

  test('tells after each write what there is, overwrites and appends included', async () => {
    const { workspace } = temporaryWorkspace();
    const told = [];
    for (const [name, mode] of [
      ['a', 'create'],
      ['d/b', 'create'],
      ['a', 'overwrite'],
      ['a', 'append'],
    ] as const) {
      await workspace.write(name, bytes('12345'), mode);
      const { bytes: size, files } = await workspace.recentUsage();
      told.push([size, files]);
    }
    expect(told).toEqual([
      [5, 1],
      [10, 2],
      [10, 2],
      [15, 2],
    ]);
  });

  test('holds against 50 writes at once', async () => {
    const { workspace, host } = temporaryWorkspace();
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => workspace.write(`f${i}`, Buffer.alloc(90_000), 'overwrite')),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(11);
    expect(readdirSync(host)).toHaveLength(11);
    expect(await workspace.usage()).toMatchObject({ bytes: 990_000, files: 11 });
  });

  test('bounds the number of files and of folders', async () => {
    const { workspace } = temporaryWorkspace({ limitFiles: 5 });
    for (let i = 0; i < 5; i += 1) await workspace.write(`f${i}`, bytes(''), 'overwrite');
    await expectCode(workspace.write('f5', bytes(''), 'overwrite'), 'disk_limit');
    await workspace.write('f0', bytes('replaced'), 'overwrite');
    const other = temporaryWorkspace({ limitFiles: 5 }).workspace;
    await expectCode(other.write('1/2/3/4/5/6/f', bytes(''), 'overwrite'), 'disk_limit');
    await other.write('1/2/3/4/5/f', bytes(''), 'overwrite');
  });

  test('counts only what an overwrite or append adds, and refuses an append that passes it', async () => {
    const { workspace } = temporaryWorkspace();
    await workspace.write('f', Buffer.alloc(900_000), 'overwrite');
    await workspace.write('f', Buffer.alloc(990_000), 'overwrite');
    await workspace.write('f', Buffer.alloc(10_000), 'append');
    await expectCode(workspace.write('f', bytes('1'), 'append'), 'disk_limit');
    expect(await workspace.stat('f')).toMatchObject({ size: 1_000_000 });
  });

  test('sees within about a second what was put there by hand', async () => {
    const { workspace, host } = temporaryWorkspace();
    await workspace.write('a', bytes('x'), 'overwrite');
    writeFileSync(join(host, 'by-hand'), Buffer.alloc(999_999));
    await sleep(1_100);
    await expectCode(workspace.write('b', bytes('y'), 'overwrite'), 'disk_limit');
  });

  test('lets a workspace that its owner overfilled be read and emptied', async () => {
    const { workspace, host } = temporaryWorkspace();
    mkdirSync(host, { recursive: true });
    writeFileSync(join(host, 'big'), Buffer.alloc(2_000_000));
    await expectCode(workspace.write('b', bytes('y'), 'overwrite'), 'disk_limit');
    await expectCode(workspace.read('big'), 'too_large');
    expect(await workspace.read('big', { offset: 1_999_999 })).toHaveLength(1);
    await workspace.write('big', bytes(''), 'overwrite');
    expect(await workspace.usage()).toMatchObject({ bytes: 0, files: 1 });
  });
});

test('two servers on one folder never show half a file to each other', async () => {
  const { workspace, host, dataDir } = temporaryWorkspace();
  const other = temporaryWorkspace({ dataDir }).workspace;
  const contents = ['a'.repeat(60_000), 'b'.repeat(90_000)];
  await workspace.write('f', bytes(contents[0] ?? ''), 'overwrite');
  const writing = (async () => {
    for (let i = 0; i < 30; i += 1) {
      await workspace.write('f', bytes(contents[i % 2] ?? ''), 'overwrite');
      const view = await workspace.openView();
      await stage(view, 'f', contents[(i + 1) % 2] ?? '');
      await view.commit();
    }
  })();
  for (let i = 0; i < 60; i += 1) {
    expect(contents).toContain(textOf(await other.read('f')));
    await other.write('g', bytes(`${i}`), 'overwrite');
  }
  await writing;
  expect(readdirSync(host).sort()).toEqual(['f', 'g']);
});
