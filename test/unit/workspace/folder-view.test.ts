import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bytes, expectCode, MECHANISMS, temporaryFolder, textOf } from '../fs/temporary-folder.js';
import { stage, temporaryWorkspace } from './temporary-workspace.js';

const MB = 1_000_000;

describe.each(MECHANISMS)('a view by %s', (mechanism) => {
  const fresh = (options: { limitBytes?: number; limitFiles?: number } = {}) =>
    temporaryWorkspace({ mechanism, ...options });

  test('reads what was there when it was opened, whatever another run or a tool does', async () => {
    const { workspace, host } = fresh();
    for (const name of ['tool', 'commit', 'removed', 'd/tree'])
      await workspace.write(name, bytes('old'), 'overwrite');
    const view = await workspace.openView();
    const later = await workspace.openView();
    await workspace.write('tool', bytes('new'), 'overwrite');
    await workspace.write('tool', bytes('newer'), 'append');
    await stage(later, 'commit', 'new');
    await later.stageRemoval('removed');
    await later.stageRemoval('d');
    await later.commit();
    expect(readdirSync(host).sort()).toEqual(['.code-execution', 'commit', 'tool']);
    const read = () =>
      Promise.all(['tool', 'commit', 'removed', 'd/tree'].map(async (p) => textOf(await view.read(p))));
    expect(await read()).toEqual(['old', 'old', 'old', 'old']);
    expect(await read()).toEqual(['old', 'old', 'old', 'old']);
    await view.discard();
    expect(readdirSync(host).sort()).toEqual(['commit', 'tool']);
    expect(textOf(await workspace.read('tool'))).toBe('newnewer');
  });

  test('reads the old content in the middle of a storm of writes', async () => {
    const { workspace } = fresh();
    await workspace.write('f', bytes('first'), 'overwrite');
    const view = await workspace.openView();
    const storm = (async () => {
      for (let i = 0; i < 40; i += 1) await workspace.write('f', bytes(`later ${i}`), 'overwrite');
    })();
    for (let i = 0; i < 80; i += 1) expect(textOf(await view.read('f'))).toBe('first');
    await storm;
    await view.discard();
  });

  test('keeps each version for the view that lists it', async () => {
    const { workspace, host } = fresh();
    await workspace.write('f', bytes('1'), 'overwrite');
    const one = await workspace.openView();
    await workspace.write('f', bytes('2'), 'overwrite');
    const two = await workspace.openView();
    await workspace.write('f', bytes('3'), 'overwrite');
    expect([textOf(await one.read('f')), textOf(await two.read('f'))]).toEqual(['1', '2']);
    await one.discard();
    expect(textOf(await two.read('f'))).toBe('2');
    await two.discard();
    expect(readdirSync(host)).toEqual(['f']);
  });

  test('serves the present content of a file that was changed by hand', async () => {
    const { workspace, host } = fresh();
    await workspace.write('f', bytes('old'), 'overwrite');
    const view = await workspace.openView();
    writeFileSync(join(host, 'f'), 'by hand');
    expect(textOf(await view.read('f'))).toBe('by hand');
    rmSync(join(host, 'f'));
    await expectCode(view.read('f'), 'not_found');
    await view.discard();
  });

  test('does not read what came later, folders, or its own staged changes', async () => {
    const { workspace } = fresh();
    await workspace.write('d/f', bytes('old'), 'overwrite');
    const view = await workspace.openView();
    await workspace.write('later', bytes('x'), 'overwrite');
    await stage(view, 'd/f', 'staged');
    await expectCode(view.read('later'), 'not_found');
    await expectCode(view.read('d'), 'path_denied');
    expect(textOf(await view.read('d/f'))).toBe('old');
    await view.discard();
    await expectCode(view.read('d/f'), 'internal');
  });

  test('shows nothing of its changes before the commit, and nothing after a discard', async () => {
    const { workspace, host } = fresh();
    await workspace.write('f', bytes('old'), 'overwrite');
    const view = await workspace.openView();
    await stage(view, 'f', 'new');
    await stage(view, 'd/g', 'new');
    expect((await workspace.list()).map(({ path }) => path)).toEqual(['f']);
    await view.discard();
    await view.discard();
    expect(readdirSync(host)).toEqual(['f']);
    expect(readFileSync(join(host, 'f'), 'utf8')).toBe('old');
    expect(await workspace.usage()).toMatchObject({ bytes: 3, files: 1 });
    await expectCode(stage(view, 'x', ''), 'internal');
  });

  test('commits files in parts, folders and removals, and reports them by path', async () => {
    const { workspace, host } = fresh();
    await workspace.write('changed', bytes('old'), 'overwrite');
    await workspace.write('gone', bytes('old'), 'overwrite');
    await workspace.write('dir/a', bytes('old'), 'overwrite');
    const view = await workspace.openView();
    await view.stage('new/deep/f', { offset: 0, bytes: bytes('one'), last: false });
    await view.stage('new/deep/f', { offset: 3, bytes: bytes('two'), last: true });
    await view.stage('unfinished', { offset: 0, bytes: bytes('half'), last: false });
    await stage(view, 'changed', 'longer');
    await stage(view, '/workspace/__proto__', 'p');
    await view.stageFolder('empty/folder');
    await view.stageRemoval('gone');
    await view.stageRemoval('dir/');
    await view.stageRemoval('never-there');
    expect(await view.commit()).toEqual([
      { path: '__proto__', change: 'created', size: 1 },
      { path: 'changed', change: 'modified', size: 6 },
      { path: 'dir/a', change: 'deleted', size: 0 },
      { path: 'gone', change: 'deleted', size: 0 },
      { path: 'new/deep/f', change: 'created', size: 6 },
    ]);
    expect((await workspace.list()).map(({ path }) => path)).toEqual([
      '__proto__',
      'changed',
      'empty',
      'empty/folder',
      'new',
      'new/deep',
      'new/deep/f',
    ]);
    expect(readFileSync(join(host, 'new/deep/f'), 'utf8')).toBe('onetwo');
    expect(readdirSync(host)).not.toContain('.code-execution');
    expect(await workspace.usage()).toMatchObject({ bytes: 13, files: 3 });
  });

  test('takes a file that is staged anew, and one staged after its removal', async () => {
    const { workspace } = fresh();
    await workspace.write('f', bytes('old'), 'overwrite');
    const view = await workspace.openView();
    await stage(view, 'f', 'first try');
    await stage(view, 'f', 'second');
    await view.stageRemoval('f');
    await stage(view, 'f', 'third');
    await stage(view, 'g', 'x');
    await view.stageRemoval('g');
    expect(await view.commit()).toEqual([{ path: 'f', change: 'modified', size: 5 }]);
    expect(textOf(await workspace.read('f'))).toBe('third');
  });

  test('refuses parts out of order', async () => {
    const { workspace } = fresh();
    const view = await workspace.openView();
    await expectCode(view.stage('f', { offset: 3, bytes: bytes('x'), last: true }), 'bad_arguments');
    await view.stage('f', { offset: 0, bytes: bytes('abc'), last: false });
    await expectCode(view.stage('f', { offset: 2, bytes: bytes('x'), last: true }), 'bad_arguments');
    await view.stage('f', { offset: 3, bytes: bytes(''), last: true });
    await expectCode(view.stage('f', { offset: 3, bytes: bytes('x'), last: true }), 'bad_arguments');
    expect(await view.commit()).toEqual([{ path: 'f', change: 'created', size: 3 }]);
  });

  test('lets the last run to commit win per file, and says what it overwrote', async () => {
    const { workspace } = fresh();
    for (const name of ['both', 'mine', 'deleted']) await workspace.write(name, bytes('old'), 'overwrite');
    const [one, two] = [await workspace.openView(), await workspace.openView()];
    await stage(one, 'both', 'one');
    await stage(one, 'created', 'one');
    await one.stageRemoval('deleted');
    await stage(two, 'both', 'two');
    await stage(two, 'created', 'two');
    await stage(two, 'mine', 'two');
    await stage(two, 'deleted', 'two');
    expect((await one.commit()).some((change) => change.overwroteOther)).toBe(false);
    expect(await two.commit()).toEqual([
      { path: 'both', change: 'modified', size: 3, overwroteOther: true },
      { path: 'created', change: 'modified', size: 3, overwroteOther: true },
      { path: 'deleted', change: 'created', size: 3, overwroteOther: true },
      { path: 'mine', change: 'modified', size: 3 },
    ]);
    expect(textOf(await workspace.read('both'))).toBe('two');
  });

  test('a removed folder keeps what others made in it since', async () => {
    const { workspace } = fresh();
    await workspace.write('d/a', bytes('x'), 'overwrite');
    await workspace.write('d/e/b', bytes('x'), 'overwrite');
    const view = await workspace.openView();
    await workspace.write('d/other', bytes('kept'), 'overwrite');
    await workspace.write('d/a', bytes('changed'), 'overwrite');
    await view.stageRemoval('d');
    expect(await view.commit()).toEqual([
      { path: 'd/a', change: 'deleted', size: 0, overwroteOther: true },
      { path: 'd/e/b', change: 'deleted', size: 0 },
    ]);
    expect((await workspace.list()).map(({ path }) => path)).toEqual(['d', 'd/other']);
  });

  test('a folder can become a file and a file a folder, in one run', async () => {
    const { workspace } = fresh();
    await workspace.write('folder/f', bytes('x'), 'overwrite');
    await workspace.write('file', bytes('x'), 'overwrite');
    const view = await workspace.openView();
    await expectCode(stage(view, 'folder', 'y'), 'path_denied');
    await expectCode(stage(view, 'file/g', 'y'), 'path_denied');
    await expectCode(view.stageFolder('file'), 'path_denied');
    await view.stageRemoval('folder');
    await view.stageRemoval('file');
    await stage(view, 'folder', 'y');
    await stage(view, 'file/g', 'y');
    expect(await view.commit()).toEqual([
      { path: 'file', change: 'deleted', size: 0 },
      { path: 'file/g', change: 'created', size: 1 },
      { path: 'folder', change: 'created', size: 1 },
      { path: 'folder/f', change: 'deleted', size: 0 },
    ]);
  });

  test('where two runs disagree on file or folder, the last wins and says so', async () => {
    const { workspace } = fresh();
    const views = [
      await workspace.openView(),
      await workspace.openView(),
      await workspace.openView(),
    ] as const;
    await stage(views[0], 'x/a', '1');
    await stage(views[1], 'x', '22');
    await stage(views[2], 'x/b', '333');
    await views[0].commit();
    expect(await views[1].commit()).toEqual([
      { path: 'x', change: 'created', size: 2 },
      { path: 'x/a', change: 'deleted', size: 0, overwroteOther: true },
    ]);
    expect(await views[2].commit()).toEqual([
      { path: 'x', change: 'deleted', size: 0, overwroteOther: true },
      { path: 'x/b', change: 'created', size: 3 },
    ]);
  });

  test('stops at the part that passes the quota, and keeps what was finished', async () => {
    const { workspace, host } = fresh();
    await workspace.write('there', Buffer.alloc(400_000), 'overwrite');
    const view = await workspace.openView();
    await stage(view, 'fits', 'x'.repeat(500_000));
    await view.stage('big', { offset: 0, bytes: Buffer.alloc(90_000), last: false });
    await expectCode(
      view.stage('big', { offset: 90_000, bytes: Buffer.alloc(20_000), last: true }),
      'disk_limit',
    );
    await expectCode(view.stage('big', { offset: 110_000, bytes: bytes('x'), last: true }), 'bad_arguments');
    await stage(view, 'small', 'x'.repeat(100_000));
    expect((await view.commit()).map(({ path }) => path)).toEqual(['fits', 'small']);
    expect(await workspace.usage()).toMatchObject({ bytes: MB, files: 3 });
    expect(readdirSync(host).sort()).toEqual(['fits', 'small', 'there']);
  });

  test('counts a replaced or removed file as free, also for many files and folders', async () => {
    const { workspace } = fresh({ limitFiles: 10 });
    await workspace.write('a', Buffer.alloc(900_000), 'overwrite');
    for (let i = 0; i < 9; i += 1) await workspace.write(`d/${i}`, bytes(''), 'overwrite');
    const view = await workspace.openView();
    await expectCode(stage(view, 'eleventh', ''), 'disk_limit');
    await stage(view, 'a', 'y'.repeat(MB));
    await view.stageRemoval('d');
    for (let i = 0; i < 9; i += 1) await stage(view, `e/${i}`, '');
    await expectCode(stage(view, 'e/9', ''), 'disk_limit');
    await view.commit();
    expect(await workspace.usage()).toMatchObject({ bytes: MB, files: 10 });
  });

  test('bounds folders, also those that paths imply', async () => {
    const { workspace } = fresh({ limitFiles: 5 });
    const view = await workspace.openView();
    await view.stageFolder('1/2/3');
    await expectCode(stage(view, '1/2/3/4/5/6/f', ''), 'disk_limit');
    await stage(view, '1/2/3/4/5/f', '');
    await expectCode(view.stageFolder('x'), 'disk_limit');
    await view.commit();
    expect(await workspace.list()).toHaveLength(6);
  });

  test('room taken by one run is not given to another, nor to a tool', async () => {
    const { workspace } = fresh();
    const [one, two] = [await workspace.openView(), await workspace.openView()];
    await stage(one, 'a', 'x'.repeat(600_000));
    await expectCode(stage(two, 'b', 'x'.repeat(500_000)), 'disk_limit');
    await expectCode(workspace.write('c', Buffer.alloc(500_000), 'overwrite'), 'disk_limit');
    await one.discard();
    await stage(two, 'b', 'x'.repeat(500_000));
    expect(await two.commit()).toHaveLength(1);
  });

  test('changes nothing when the room is gone at the commit', async () => {
    const { workspace, host } = fresh();
    await workspace.write('keep', bytes('old'), 'overwrite');
    const view = await workspace.openView();
    await stage(view, 'new', 'x'.repeat(500_000));
    await stage(view, 'keep', 'changed');
    writeFileSync(join(host, 'by-hand'), Buffer.alloc(600_000));
    await expectCode(view.commit(), 'disk_limit');
    expect(textOf(await workspace.read('keep'))).toBe('old');
    expect(readdirSync(host).sort()).toEqual(['by-hand', 'keep']);
  });

  test('refuses to stage at or below a link, and leaves the rest of the run unharmed', async () => {
    const { workspace, host } = fresh();
    const outside = temporaryFolder();
    mkdirSync(join(host, 'd'), { recursive: true });
    symlinkSync(outside, join(host, 'link'));
    symlinkSync(outside, join(host, 'd/inner'));
    const view = await workspace.openView();
    expect(view.entries.map(({ path }) => path)).toEqual(['d']);
    await expectCode(stage(view, 'link', 'x'), 'path_denied');
    await expectCode(stage(view, 'link/f', 'x'), 'path_denied');
    await expectCode(view.stageFolder('link/sub'), 'path_denied');
    await view.stageRemoval('link');
    await view.stageRemoval('d');
    await expectCode(stage(view, 'd', 'x'), 'path_denied');
    await stage(view, 'fine', 'x');
    expect(await view.commit()).toEqual([{ path: 'fine', change: 'created', size: 1 }]);
    expect(existsSync(join(host, 'link'))).toBe(true);
    expect(readdirSync(outside)).toEqual([]);
  });

  test('refuses a link that comes into the way between the opening and the commit, before it changes anything', async () => {
    const { workspace, host } = fresh();
    const outside = temporaryFolder();
    const view = await workspace.openView();
    await stage(view, 'a', 'x');
    await stage(view, 'd/f', 'x');
    symlinkSync(outside, join(host, 'd'));
    await expectCode(view.commit(), 'path_denied');
    expect(readdirSync(outside)).toEqual([]);
    expect(readdirSync(host)).toEqual(['d']);
  });

  test('refuses to remove the workspace itself', async () => {
    const view = await fresh().workspace.openView();
    await expectCode(view.stageRemoval('.'), 'path_denied');
    await expectCode(view.stageRemoval('/workspace'), 'path_denied');
    await expectCode(view.stageFolder('.'), 'path_denied');
    expect(await view.commit()).toEqual([]);
  });
});
