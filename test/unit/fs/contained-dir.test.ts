import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ContainedDir } from '../../../src/fs/contained-dir.js';
import { Disk } from '../../../src/fs/disk.js';
import { RelativePath } from '../../../src/fs/relative-path.js';
import { bytes, expectCode, MECHANISMS, temporaryFolder, textOf } from './temporary-folder.js';

const at = (path: string) => RelativePath.parse(path, { folder: true });
const MAX = { maxBytes: 1_000_000 };

describe.each(MECHANISMS)('a contained directory by %s', (mechanism) => {
  async function open(): Promise<{ host: string; dir: ContainedDir }> {
    const host = join(temporaryFolder(), 'root');
    const dir = await ContainedDir.open(host, { mechanism });
    onTestFinished(() => dir.close());
    return { host, dir };
  }

  async function put(dir: ContainedDir, path: string, content: string, exclusive = false): Promise<void> {
    const name = dir.newPrivateName();
    await dir.writePrivateFile(name, 0, bytes(content));
    await dir.place(name, at(path), { exclusive });
  }

  test('lists files and folders below it, sorted, without its private folder', async () => {
    const { host, dir } = await open();
    mkdirSync(join(host, 'd/e'), { recursive: true });
    writeFileSync(join(host, 'd/e/f.txt'), '12345');
    writeFileSync(join(host, 'd-x'), '');
    await dir.writePrivateFile(dir.newPrivateName(), 0, bytes('private'));
    expect(existsSync(join(host, '.code-execution'))).toBe(true);
    const { entries, skipped } = await dir.list(RelativePath.root, 100);
    expect(entries.map(({ path, kind, size }) => [path, kind, size])).toEqual([
      ['d', 'directory', 0],
      ['d-x', 'file', 0],
      ['d/e', 'directory', 0],
      ['d/e/f.txt', 'file', 5],
    ]);
    expect(skipped).toEqual([]);
    expect((await dir.list(at('d/e'), 100)).entries.map(({ path }) => path)).toEqual(['d/e/f.txt']);
    await expectCode(dir.list(at('none'), 100), 'not_found');
  });

  test('passes over names that no path may hold, and tells them apart', async () => {
    const { host, dir } = await open();
    const odd = process.platform === 'win32' ? ['a\u0085b'] : ['a\nb', 'c:x', 'x\u001b[2J', 'y\\z'];
    for (const name of odd) writeFileSync(join(host, name), '');
    symlinkSync('nowhere', join(host, 'link'));
    writeFileSync(join(host, 'fine'), '');
    const { entries, skipped } = await dir.list(RelativePath.root, 100);
    expect(entries.map(({ path }) => path)).toEqual(['fine']);
    expect([...skipped].sort()).toEqual([...odd, 'link'].sort());
  });

  test('waits for a second name that is there for a moment, as in a write, but not for a lasting one', async () => {
    const { host, dir } = await open();
    writeFileSync(join(host, 'f'), 'x');
    linkSync(join(host, 'f'), join(host, 'g'));
    await expectCode(dir.read(at('f'), MAX), 'path_denied');
    setTimeout(() => unlinkSync(join(host, 'g')), 5);
    expect(textOf((await dir.read(at('f'), MAX)).bytes)).toBe('x');
  });

  test('refuses to list more names than it may', async () => {
    const { host, dir } = await open();
    for (let i = 0; i < 11; i += 1) writeFileSync(join(host, `f${i}`), '');
    await expectCode(dir.list(RelativePath.root, 10), 'disk_limit');
    expect((await dir.list(RelativePath.root, 11)).entries).toHaveLength(11);
  });

  test('reads ranges, and nothing past the end', async () => {
    const { host, dir } = await open();
    writeFileSync(join(host, 'a'), '0123456789');
    const read = async (range: object) => textOf((await dir.read(at('a'), { ...MAX, ...range })).bytes);
    expect(await read({})).toBe('0123456789');
    expect(await read({ offset: 3, length: 4 })).toBe('3456');
    expect(await read({ offset: 8, length: 10 })).toBe('89');
    expect(await read({ offset: 99 })).toBe('');
    await expectCode(dir.read(at('a'), { maxBytes: 9 }), 'too_large');
  });

  test('refuses a huge sparse file before it takes memory for it', async () => {
    const { host, dir } = await open();
    writeFileSync(join(host, 'sparse'), '');
    truncateSync(join(host, 'sparse'), 2 ** 40);
    await expectCode(dir.read(at('sparse'), MAX), 'too_large');
    const { bytes: part } = await dir.read(at('sparse'), { ...MAX, offset: 2 ** 39, length: 3 });
    expect([...part]).toEqual([0, 0, 0]);
  });

  test('tells a missing file, a folder, and a file used as a folder apart', async () => {
    const { host, dir } = await open();
    mkdirSync(join(host, 'folder'));
    writeFileSync(join(host, 'file'), '');
    await expectCode(dir.read(at('none'), MAX), 'not_found');
    await expectCode(dir.read(at('none/a'), MAX), 'not_found');
    await expectCode(dir.read(at('folder'), MAX), 'path_denied');
    await expectCode(dir.read(at('file/a'), MAX), 'path_denied');
    await expectCode(dir.stat(at('file/a')), 'path_denied');
    await expectCode(dir.makeFolder(at('file/a')), 'path_denied');
    expect(await dir.statIfThere(at('none'))).toBeUndefined();
  });

  test('places files with mode 0600 in folders of mode 0700, whatever the umask', async () => {
    const { host, dir } = await open();
    const umask = process.umask(0);
    try {
      await put(dir, 'a/b/c.txt', 'new');
    } finally {
      process.umask(umask);
    }
    expect(readFileSync(join(host, 'a/b/c.txt'), 'utf8')).toBe('new');
    if (process.platform !== 'win32') {
      expect(statSync(join(host, 'a/b/c.txt')).mode & 0o777).toBe(0o600);
      expect(statSync(join(host, 'a/b')).mode & 0o777).toBe(0o700);
    }
  });

  test('replaces a file in one step: a reader sees the old content or the new', async () => {
    const { dir } = await open();
    const contents = ['a'.repeat(50_000), 'b'.repeat(70_000)];
    await put(dir, 'f', contents[0] ?? '');
    const seen = new Set<string>();
    const read = async () => seen.add(textOf((await dir.read(at('f'), MAX)).bytes));
    for (let i = 1; i < 60; i += 1) {
      await Promise.all([read(), put(dir, 'f', contents[i % 2] ?? ''), read()]);
      await read();
    }
    expect([...seen].every((content) => contents.includes(content))).toBe(true);
    expect(seen.size).toBe(2);
  });

  test('lets one of many exclusive placements win', async () => {
    const { host, dir } = await open();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => put(dir, 'one', `${i}`, true)),
    );
    const winners = results.flatMap((result, i) => (result.status === 'fulfilled' ? [`${i}`] : []));
    expect(winners).toHaveLength(1);
    expect(readFileSync(join(host, 'one'), 'utf8')).toBe(winners[0]);
    await expectCode(put(dir, 'one', 'x', true), 'exists');
  });

  test('gives two contents of the same size two versions, even if the clock stands still', async () => {
    const { dir } = await open();
    vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_123);
    onTestFinished(() => void vi.restoreAllMocks());
    const times: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      await put(dir, 'f', `${i}`);
      times.push((await dir.stat(at('f'))).mtimeMs);
    }
    expect(new Set(times).size).toBe(5);
    for (const time of times) expect(time).toBeCloseTo(1_700_000_000_123, 1);
  });

  test('keeps the version when nothing changed', async () => {
    const { host, dir } = await open();
    writeFileSync(join(host, 'f'), 'x');
    utimesSync(join(host, 'f'), 1_700_000_000.123, 1_700_000_000.123);
    const [listed] = (await dir.list(RelativePath.root, 10)).entries;
    expect((await dir.read(at('f'), MAX)).entry.version).toBe(listed?.version);
    expect((await dir.stat(at('f'))).version).toBe(listed?.version);
    expect(listed?.mtimeMs).toBeCloseTo(1_700_000_000_123, 0);
  });

  test('renames, and removes files and empty folders', async () => {
    const { host, dir } = await open();
    await put(dir, 'a/f', '1');
    await dir.rename(at('a/f'), at('b/g'));
    expect(readFileSync(join(host, 'b/g'), 'utf8')).toBe('1');
    expect(await dir.removeFolderIfEmpty(at('b'))).toBe(false);
    await dir.removeFile(at('b/g'));
    await expectCode(dir.removeFile(at('b/g')), 'not_found');
    expect(await dir.removeFolderIfEmpty(at('b'))).toBe(true);
    expect(existsSync(join(host, 'b'))).toBe(false);
  });

  test('removes a tree deeper than any path may be long', async () => {
    const { host, dir } = await open();
    // Made by moving the top below a new folder, for a path to the bottom cannot be written.
    mkdirSync(join(host, 'deep'));
    writeFileSync(join(host, 'deep/file'), '');
    for (let i = 0; i < 300; i += 1) {
      mkdirSync(join(host, 'next'));
      await dir.rename(at('deep'), at(`next/${'n'.repeat(40)}`));
      await dir.rename(at('next'), at('deep'));
    }
    const { entries } = await dir.list(RelativePath.root, 1_000);
    expect(entries).toHaveLength(25);
    await dir.removeTree(at('deep'));
    expect(await dir.statIfThere(at('deep'))).toBeUndefined();
    await expectCode(dir.removeTree(at('deep')), 'not_found');
  });

  test('removes a tree with many files', async () => {
    const { host, dir } = await open();
    for (let d = 0; d < 5; d += 1) {
      mkdirSync(join(host, `t/${d}`), { recursive: true });
      for (let f = 0; f < 200; f += 1) writeFileSync(join(host, `t/${d}/${f}`), '');
    }
    await dir.removeTree(at('t'));
    expect(readdirSync(host).filter((name) => name !== '.code-execution')).toEqual([]);
  });

  test('leaves nothing of its own behind when it is closed', async () => {
    const host = join(temporaryFolder(), 'root');
    const dir = await ContainedDir.open(host, { mechanism });
    await dir.writePrivateFile(dir.newPrivateName(), 0, bytes('left'));
    await dir.close();
    expect(readdirSync(host)).toEqual([]);
  });

  test('removes what dead servers left, and nothing of a live one', async () => {
    const { host, dir } = await open();
    const other = await ContainedDir.open(host, { mechanism });
    onTestFinished(() => other.close());
    const name = other.newPrivateName();
    await other.writePrivateFile(name, 0, bytes('live'));
    const [live = ''] = readdirSync(join(host, '.code-execution'));
    const [hostKey] = live.split('-');
    // Beyond the largest process id of Linux.
    mkdirSync(join(host, `.code-execution/${hostKey}-99999999-dead/x`), { recursive: true });
    mkdirSync(join(host, '.code-execution/otherhost000-1-recent'));
    mkdirSync(join(host, '.code-execution/otherhost000-1-old'));
    utimesSync(join(host, '.code-execution/otherhost000-1-old'), new Date(0), new Date(0));
    await dir.removeAbandoned();
    expect(readdirSync(join(host, '.code-execution')).sort()).toEqual([live, 'otherhost000-1-recent'].sort());
    expect(textOf(await other.readPrivateFile(name, 10))).toBe('live');
  });

  test('refuses to work below a private folder that is a link', async () => {
    const { host, dir } = await open();
    const outside = temporaryFolder();
    symlinkSync(outside, join(host, '.code-execution'));
    await expectCode(dir.writePrivateFile(dir.newPrivateName(), 0, bytes('x')), 'path_denied');
    expect(readdirSync(outside)).toEqual([]);
  });
});

/** Whom no file belongs to. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** For root nothing is closed, so the rest of the test is an ordinary user's. */
function becomeOrdinaryUser(folder: string): void {
  if (!isRoot) return;
  chownSync(folder, NOBODY, NOBODY);
  process.seteuid?.(NOBODY);
  onTestFinished(() => process.seteuid?.(0));
}

// A process that has changed its user may not look into its own /proc/self/fd, which handles need.
test.skipIf(process.platform === 'win32').each(isRoot ? (['checks'] as const) : MECHANISMS)(
  'a file that the server may not open is refused without its host path, by %s',
  async (mechanism) => {
    const host = temporaryFolder();
    writeFileSync(join(host, 'f'), 'x');
    chmodSync(join(host, 'f'), 0);
    becomeOrdinaryUser(host);
    const dir = await ContainedDir.open(host, { mechanism });
    onTestFinished(() => dir.close());
    await expectCode(dir.read(at('f'), MAX), 'path_denied');
    expect((await dir.list(RelativePath.root, 10)).entries).toMatchObject([{ path: 'f', size: 1 }]);
  },
);

describe('without handles', () => {
  /** A disk on which something is put in the place of a name just before it is opened. */
  class SwappingDisk extends Disk {
    swap: (path: string) => void = () => {};

    override open(path: string, flags: number, mode?: number): Promise<number> {
      this.swap(path);
      return super.open(path, flags, mode);
    }
  }

  async function prepare(): Promise<{
    host: string;
    outside: string;
    dir: ContainedDir;
    disk: SwappingDisk;
  }> {
    const base = temporaryFolder();
    const [host, outside] = [join(base, 'root'), join(base, 'outside')];
    mkdirSync(outside);
    writeFileSync(join(outside, 'f'), 'canary');
    const disk = new SwappingDisk();
    const dir = await ContainedDir.open(host, { mechanism: 'checks', disk });
    onTestFinished(() => dir.close());
    mkdirSync(join(host, 'd'));
    writeFileSync(join(host, 'd/f'), 'mine');
    return { host, outside, dir, disk };
  }

  test('a file that is swapped between the look and the opening is refused', async () => {
    const { host, dir, disk } = await prepare();
    disk.swap = (path) => {
      writeFileSync(join(host, 'other'), 'other');
      renameSync(join(host, 'other'), path);
    };
    await expectCode(dir.read(at('d/f'), MAX), 'path_denied');
    disk.swap = () => {};
    expect(textOf((await dir.read(at('d/f'), MAX)).bytes)).toBe('other');
  });

  test('a link that appears where nothing was is not opened', async () => {
    const { outside, host, dir, disk } = await prepare();
    disk.swap = () => symlinkSync(join(outside, 'f'), join(host, 'none'));
    await expectCode(dir.read(at('none'), MAX), 'not_found');
  });

  test('a folder that is swapped for a link between the look and the opening is refused', async () => {
    const { host, outside, dir, disk } = await prepare();
    disk.swap = () => {
      renameSync(join(host, 'd'), join(host, 'moved'));
      symlinkSync(outside, join(host, 'd'));
    };
    await expectCode(dir.read(at('d/f'), MAX), 'path_denied');
  });

  test('a new file behind a swapped folder is refused when it is opened', async () => {
    const { host, outside, dir } = await prepare();
    renameSync(join(host, 'd'), join(host, 'moved'));
    symlinkSync(outside, join(host, 'd'));
    const name = dir.newPrivateName();
    await dir.writePrivateFile(name, 0, bytes('x'));
    await expectCode(dir.place(name, at('d/new'), { exclusive: false }), 'path_denied');
    expect(readdirSync(outside)).toEqual(['f']);
  });
});
