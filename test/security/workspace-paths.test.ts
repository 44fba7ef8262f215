import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { CodeExecutionError } from '../../src/core/errors.js';
import type { Workspace } from '../../src/workspace/workspace.js';
import { has, needs } from '../support/capabilities.js';
import { bytes, MECHANISMS, temporaryFolder, textOf } from '../unit/fs/temporary-folder.js';
import { stage, temporaryWorkspace } from '../unit/workspace/temporary-workspace.js';

/**
 * Attacks on the path boundary: a workspace whose folder already holds what a hostile user or program could put there.
 * A canary outside must stay unread (its value appears in no answer) and unchanged.
 */
describe.each(MECHANISMS)('the boundary of a workspace, by %s,', (mechanism) => {
  let workspace: Workspace;
  let host: string;
  let canaryDir: string;
  let canaryFile: string;
  let canary: string;
  const answers: string[] = [];

  beforeEach(async () => {
    const base = temporaryFolder();
    ({ workspace, host } = temporaryWorkspace({ mechanism, dataDir: join(base, 'data') }));
    await workspace.list();
    canaryDir = join(base, 'canary');
    canaryFile = join(canaryDir, 'canary.txt');
    canary = `CNRY-${randomBytes(12).toString('hex')}`;
    mkdirSync(canaryDir);
    writeFileSync(canaryFile, canary);
    answers.length = 0;
  });

  afterEach(() => {
    expect(answers.join('\n')).not.toContain(canary);
    expect(readFileSync(canaryFile, 'utf8')).toBe(canary);
    expect(readdirSync(canaryDir)).toEqual(['canary.txt']);
  });

  /** The code of a refusal, or what was answered instead. */
  async function refusal(call: Promise<unknown>): Promise<string> {
    try {
      const answer = await call;
      answers.push(answer instanceof Uint8Array ? textOf(answer) : JSON.stringify(answer));
      return 'answered';
    } catch (error) {
      if (!(error instanceof CodeExecutionError)) throw error;
      answers.push(error.message, error.hint ?? '');
      return error.code;
    }
  }

  /** Every way in with one path: read, write in each mode, stat, list, and a view's stage, folder and removal. */
  async function everyWay(path: string): Promise<Set<string>> {
    const view = await workspace.openView();
    const codes = [
      await refusal(workspace.read(path)),
      await refusal(workspace.write(path, bytes('planted'), 'overwrite')),
      await refusal(workspace.write(path, bytes('planted'), 'append')),
      await refusal(workspace.write(path, bytes('planted'), 'create')),
      await refusal(workspace.stat(path)),
      await refusal(workspace.list(path)),
      await refusal(view.read(path)),
      await refusal(stage(view, path, 'planted')),
      await refusal(view.stageFolder(path)),
    ];
    await refusal(view.stageRemoval(path));
    await view.commit();
    return new Set(codes);
  }

  test('holds against paths that climb, are absolute, or name a sibling with the same beginning', async () => {
    mkdirSync(`${host}-evil`);
    writeFileSync(join(`${host}-evil`, 'canary.txt'), canary);
    const up = '../'.repeat(12);
    for (const path of [
      canaryFile,
      `${up}${canaryFile}`,
      `..${canaryFile}`,
      `a/../${up}${canaryFile}`,
      `/workspace/${up}${canaryFile}`,
      `/workspace${up}${canaryFile}`,
      `${host}-evil/canary.txt`,
      `../local-evil/canary.txt`,
      `..\\..\\canary\\canary.txt`,
      `C:${canaryFile}`,
      `//localhost${canaryFile}`,
      '../../../canary/canary.txt',
      './.././../../canary/canary.txt',
    ]) {
      expect([path, ...(await everyWay(path))]).toEqual([path, 'path_denied']);
    }
    expect(readFileSync(join(`${host}-evil`, 'canary.txt'), 'utf8')).toBe(canary);
  });

  test('holds against NUL, control characters and odd encodings in a name', async () => {
    for (const path of [
      `ok.txt\0/../../${canaryFile}`,
      'ok\0',
      'a\nb.txt',
      'x\u001b[2Jy',
      '\ud800',
      'x'.repeat(256),
    ]) {
      expect([path, ...(await everyWay(path))]).toEqual([path, 'bad_name']);
    }
    // Not decoded: harmless names of their own.
    await workspace.write('%2e%2e/%2e%2e/canary.txt', bytes('x'), 'overwrite');
    await workspace.write('．．/canary.txt', bytes('x'), 'overwrite');
    expect(readdirSync(host).sort()).toEqual(['%2e%2e', '．．']);
  });

  test('takes names that mean something to JavaScript as names', async () => {
    for (const name of ['__proto__', 'constructor/prototype/polluted', 'toString', 'hasOwnProperty']) {
      await workspace.write(name, bytes(name), 'create');
      expect(textOf(await workspace.read(name))).toBe(name);
    }
    expect('polluted' in {}).toBe(false);
  });

  test('opens no linked file', async () => {
    symlinkSync(canaryFile, join(host, 'innocent.txt'));
    symlinkSync('/proc/self/environ', join(host, 'env.txt'));
    symlinkSync(join(canaryDir, 'new.txt'), join(host, 'dangling.txt'));
    for (const path of ['innocent.txt', 'env.txt', 'dangling.txt']) {
      const codes = await everyWay(path);
      codes.delete('not_found'); // the view's: it was never listed
      expect([path, ...codes]).toEqual([path, 'path_denied']);
    }
    expect(await workspace.list()).toEqual([]);
  });

  test('opens nothing below a linked folder', async () => {
    mkdirSync(join(host, 'a'));
    symlinkSync(canaryDir, join(host, 'a/data'));
    for (const path of ['a/data/canary.txt', 'a/data/planted.txt', 'a/data/sub/planted.txt']) {
      const codes = await everyWay(path);
      codes.delete('not_found');
      expect([path, ...codes]).toEqual([path, 'path_denied']);
    }
    expect((await workspace.list()).map(({ path }) => path)).toEqual(['a']);
  });

  test('lists links in a circle without following them', async () => {
    symlinkSync('b', join(host, 'a'));
    symlinkSync('a', join(host, 'b'));
    mkdirSync(join(host, 't'));
    symlinkSync('..', join(host, 't/up'));
    expect((await workspace.list()).map(({ path }) => path)).toEqual(['t']);
  });

  test('does not follow a link that takes the place of a file or folder after it was listed', async () => {
    mkdirSync(join(host, 'd'));
    writeFileSync(join(host, 'f'), 'mine');
    writeFileSync(join(host, 'd/canary.txt'), 'mine');
    const view = await workspace.openView();
    await stage(view, 'd/planted.txt', 'planted');
    unlinkSync(join(host, 'f'));
    symlinkSync(canaryFile, join(host, 'f'));
    renameSync(join(host, 'd'), join(host, 'moved'));
    symlinkSync(canaryDir, join(host, 'd'));
    expect(await refusal(view.read('f'))).toBe('path_denied');
    expect(await refusal(view.read('d/canary.txt'))).toBe('path_denied');
    expect(await refusal(view.commit())).toBe('path_denied');
  });

  test.skipIf(process.platform === 'win32')('never waits on a pipe, nor opens a socket', async () => {
    execFileSync('mkfifo', [join(host, 'pipe.txt')]);
    const server = createServer().listen(join(host, 'sock'));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    for (const path of ['pipe.txt', 'sock']) {
      const codes = await everyWay(path);
      codes.delete('not_found');
      expect([path, ...codes]).toEqual([path, 'path_denied']);
    }
    expect(await workspace.list()).toEqual([]);
  });

  test('opens no device', async ({ skip }) => {
    skip(!has('root') || !has('linux'), 'needs root on Linux');
    try {
      execFileSync('mknod', [join(host, 'zero'), 'c', '1', '5'], { stdio: 'ignore' });
    } catch {
      skip('needs the right to make devices (CAP_MKNOD)');
    }
    const codes = await everyWay('zero');
    codes.delete('not_found');
    expect([...codes]).toEqual(['path_denied']);
  });

  test('reads no hard link to a file outside, and replaces the name without touching that file', async () => {
    linkSync(canaryFile, join(host, 'alias.txt'));
    const view = await workspace.openView();
    expect(await refusal(workspace.read('alias.txt'))).toBe('path_denied');
    expect(await refusal(view.read('alias.txt'))).toBe('path_denied');
    expect(await refusal(workspace.write('alias.txt', bytes('x'), 'append'))).toBe('path_denied');
    await view.discard();
    await workspace.write('alias.txt', bytes('mine'), 'overwrite');
    expect(textOf(await workspace.read('alias.txt'))).toBe('mine');
    expect(statSync(canaryFile).nlink).toBe(1);
  });

  test('gives no way to its private folder', async () => {
    await workspace.write('f', bytes('old'), 'overwrite');
    const view = await workspace.openView();
    await workspace.write('f', bytes('new'), 'overwrite');
    const [instance = ''] = readdirSync(join(host, '.code-execution'));
    for (const path of [
      '.code-execution',
      `.code-execution/${instance}`,
      `.code-execution/${instance}/f2`,
      '.CODE-EXECUTION/x',
      './a/../.code-execution/x',
    ]) {
      expect([path, ...(await everyWay(path))]).toEqual([path, 'path_denied']);
    }
    expect((await workspace.list()).map(({ path }) => path)).toEqual(['f']);
    expect(textOf(await view.read('f'))).toBe('old');
    await view.discard();
  });

  test('removes a folder with links in it without touching what they point to', async () => {
    await workspace.write('d/f', bytes('x'), 'overwrite');
    symlinkSync(canaryDir, join(host, 'd/out'));
    symlinkSync(canaryFile, join(host, 'd/file'));
    const view = await workspace.openView();
    await view.stageRemoval('d');
    expect(await view.commit()).toEqual([{ path: 'd/f', change: 'deleted', size: 0 }]);
    expect(readdirSync(join(host, 'd')).sort()).toEqual(['file', 'out']);
  });

  test('holds while a folder is swapped for a link over and over', async () => {
    mkdirSync(join(host, 'd'));
    writeFileSync(join(host, 'd/canary.txt'), 'mine');
    let running = true;
    const swapping = (async () => {
      while (running) {
        renameSync(join(host, 'd'), join(host, 'real'));
        symlinkSync(canaryDir, join(host, 'd'));
        await new Promise((resolve) => setImmediate(resolve));
        unlinkSync(join(host, 'd'));
        renameSync(join(host, 'real'), join(host, 'd'));
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const seen = new Set<string>();
    for (let i = 0; i < 300; i += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      seen.add(await refusal(workspace.read('d/canary.txt')));
      if (mechanism === 'handles' && i % 10 === 0) {
        seen.add(await refusal(workspace.write('d/w', bytes('x'), 'overwrite')));
      }
    }
    running = false;
    await swapping;
    expect(seen).toContain('answered');
    expect(seen).toContain('path_denied');
  });

  test('shows and counts nothing of a folder chain that is too deep, and outlives it', async () => {
    const deep = join(host, ...Array.from({ length: 60 }, () => 'd'));
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(deep, 'f'), 'x');
    expect(await workspace.list()).toHaveLength(32);
    expect(await refusal(workspace.read(`${'d/'.repeat(60)}f`))).toBe('bad_name');
    expect(await workspace.usage()).toMatchObject({ bytes: 0, files: 0 });
    const view = await workspace.openView();
    await view.stageRemoval('d');
    expect(await view.commit()).toEqual([]);
    rmSync(join(host, 'd'), { recursive: true });
  });

  needs('linux').test('leaves no handle open, whatever was refused', async () => {
    symlinkSync(canaryFile, join(host, 'link'));
    mkdirSync(join(host, 'd'));
    const open = () => readdirSync('/proc/self/fd').length;
    await everyWay('d/x');
    const before = open();
    for (let i = 0; i < 20; i += 1) {
      for (const path of ['link', 'link/x', 'd', 'd/none/x', 'none', '../x']) await everyWay(path);
    }
    expect(open()).toBeLessThanOrEqual(before + 2);
  });
});
