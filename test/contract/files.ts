import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { verifies } from '../e2e/verifies.js';
import { type ContractHost, codeOf } from './contract-host.js';

const MIB = 1024 * 1024;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The workspace inside a run: as of its start, like any folder, and written back whatever the end. */
export function filesContract(current: () => ContractHost): void {
  let host: ContractHost;
  const session = 'files';
  beforeEach(async () => {
    host = current();
    await host.clear();
  });

  test(verifies('FILES-1', 'open, append, rename, remove and folders come back as changes'), async () => {
    await host.write('old.txt', 'old');
    await host.write('log.txt', 'one\n');
    await host.write('gone/deep.txt', 'x');
    await host.write('kept.txt', 'kept');
    const code = `
import os, pathlib, shutil
open("new.txt", "w").write("new")
with open("log.txt", "a") as f: f.write("two\\n")
os.rename("old.txt", "renamed.txt")
shutil.rmtree("gone")
pathlib.Path("a/b").mkdir(parents=True)
pathlib.Path("a/b/c.txt").write_text("c")
os.mkdir("empty")
open("kept.txt").read() + str(sorted(os.listdir(".")))`;
    const report = await host.run(code, { session });
    expect(report.outcome).toMatchObject({
      value: { json: `"kept['a', 'empty', 'kept.txt', 'log.txt', 'new.txt', 'renamed.txt']"` },
    });
    expect([...report.filesChanged].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'a/b/c.txt', change: 'created', size: 1 },
      { path: 'gone/deep.txt', change: 'deleted', size: 0 },
      { path: 'log.txt', change: 'modified', size: 8 },
      { path: 'new.txt', change: 'created', size: 3 },
      { path: 'old.txt', change: 'deleted', size: 0 },
      { path: 'renamed.txt', change: 'created', size: 3 },
    ]);
    expect(await host.read('log.txt')).toBe('one\ntwo\n');
    expect((await host.workspace.list()).map((entry) => entry.path)).toEqual([
      'a',
      'a/b',
      'a/b/c.txt',
      'empty',
      'kept.txt',
      'log.txt',
      'new.txt',
      'renamed.txt',
    ]);
  });

  test('a run that changes nothing reports nothing', async () => {
    await host.write('data.txt', 'data');
    const report = await host.run(
      'open("data.txt").read()\nopen("x", "w").close()\nimport os\nos.remove("x")',
      { session },
    );
    expect(report.filesChanged).toEqual([]);
    expect(report.bytesRead).toBe(4);
  });

  test(
    verifies('FILES-2', 'a run sees the workspace as of its start, the next one sees the change'),
    async () => {
      await host.write('shared.txt', 'before');
      let written: Promise<void> | undefined;
      const code = `
import os, time
print("started", flush=True)
time.sleep(0.7)
open("shared.txt").read() + " " + str(os.path.exists("later.txt"))`;
      const seen = await host.value(code, {
        session,
        onProgress: () => {
          written ??= host.write('shared.txt', 'after').then(() => host.write('later.txt', ''));
        },
      });
      await written;
      expect(seen).toBe('before False');
      expect(
        await host.value('open("shared.txt").read() + str(os.path.exists("later.txt"))', { session }),
      ).toBe('afterTrue');
    },
  );

  test(
    verifies('FILES-2', 'of two runs that write the same file the last to finish wins, and is told'),
    async () => {
      let second: Promise<unknown> | undefined;
      const slow = await host.run(
        'import time\nprint("on", flush=True)\ntime.sleep(3)\nopen("f", "w").write("slow")',
        {
          onProgress: () => {
            second ??= host.value('open("f", "w").write("quick")', { session });
          },
        },
      );
      await second;
      expect(await host.read('f')).toBe('slow');
      expect(slow.filesChanged).toEqual([
        { path: 'f', change: expect.any(String), size: 4, overwroteOther: true },
      ]);
    },
  );

  test(verifies('LIMIT-9', 'what was written before a time limit is saved, closed or not'), async () => {
    const code =
      'open("closed", "w").write("a")\nf = open("open", "w")\nf.write("b")\nf.flush()\nwhile True: pass';
    const report = await host.run(code, { timeoutMs: 600, session });
    expect(codeOf(report)).toBe('timeout');
    expect([await host.read('closed'), await host.read('open')]).toEqual(['a', 'b']);
  });

  test(
    verifies('LIMIT-9', 'what was written and closed is saved also when the run has to be killed'),
    async () => {
      await host.write('untouched.txt', 'untouched');
      const code = 'open("closed", "w").write("a")\nopen("untouched.txt").read()\nsum(range(10 ** 13))';
      const report = await host.run(code, { timeoutMs: 600 });
      expect(codeOf(report)).toBe('timeout');
      expect(report.filesChanged).toEqual([{ path: 'closed', change: 'created', size: 1 }]);
      expect(await host.read('untouched.txt')).toBe('untouched');
    },
  );

  test(
    verifies(
      'FILES-1',
      'files that were never opened keep their content when they are copied, moved or packed',
    ),
    async () => {
      for (const name of ['a.txt', 'b.txt', 'c/d.txt', 'c/e/f.txt', 'g.txt'])
        await host.write(name, `of ${name}`);
      const code = `
import os, shutil, tarfile, zipfile
shutil.copy("a.txt", "a-copy.txt")
os.rename("b.txt", "b-moved.txt")
shutil.move("c", "moved")
with zipfile.ZipFile("z.zip", "w") as z: z.write("g.txt")
with tarfile.open("t.tar", "w") as t: t.add("moved")
[zipfile.ZipFile("z.zip").read("g.txt").decode(), tarfile.open("t.tar").extractfile("moved/e/f.txt").read().decode()]`;
      expect(await host.value(code)).toEqual(['of g.txt', 'of c/e/f.txt']);
      const moved = ['a-copy.txt', 'b-moved.txt', 'moved/d.txt', 'moved/e/f.txt'];
      expect(await Promise.all(moved.map((name) => host.read(name)))).toEqual([
        'of a.txt',
        'of b.txt',
        'of c/d.txt',
        'of c/e/f.txt',
      ]);
    },
  );

  test(verifies('FILES-3', 'all 256 byte values and an empty file go in and out unchanged'), async () => {
    const all = Uint8Array.from({ length: 256 }, (_, n) => n);
    await host.write('all.bin', all);
    await host.write('nothing', '');
    const code = `
data = open("all.bin", "rb").read()
open("back.bin", "wb").write(data[::-1])
open("empty.bin", "wb").close()
[len(data), data == bytes(range(256)), open("nothing").read()]`;
    expect(await host.value(code, { session })).toEqual([256, true, '']);
    expect([...(await host.workspace.read('back.bin'))]).toEqual([...all].reverse());
    expect((await host.workspace.stat('empty.bin')).size).toBe(0);
  });

  test(verifies('FILES-1', 'a file of 30 MB goes in and out in parts, byte for byte'), async () => {
    const block = Uint8Array.from({ length: 1009 }, (_, n) => (n * 7) % 251);
    const big = Buffer.alloc(30 * MIB);
    for (let at = 0; at < big.length; at += block.length) big.set(block.subarray(0, big.length - at), at);
    await host.write('big.bin', big);
    const code = `
import hashlib
data = open("big.bin", "rb").read()
with open("copy.bin", "wb") as f:
    f.write(data[:1]); f.write(data[1:])
hashlib.sha256(data).hexdigest()`;
    expect(await host.value(code, { session })).toBe(sha256(big));
    expect(sha256(await host.workspace.read('copy.bin'))).toBe(sha256(big));
  });

  test(verifies('FILES-1', 'names beyond ASCII stay what they are, in both spellings'), async () => {
    const names = [
      'caf\u00e9.txt',
      'cafe\u0301.txt',
      '\u65e5\u672c\u8a9e/\u{1f600}.txt',
      'with space',
      '__proto__',
      'constructor',
      '.hidden',
      'quote\'"',
    ];
    for (const name of names) await host.write(name, name);
    const code = `
import os
found = {}
for folder, _, files in os.walk("."):
    for name in files:
        path = os.path.relpath(os.path.join(folder, name))
        found[path] = open(path).read() == path
open("n\\u00e9w \\U0001f600.txt", "w").write("x")
[sorted(found), all(found.values())]`;
    expect(await host.value(code, { session })).toEqual([[...names].sort(), true]);
    expect(await host.read('n\u00e9w \u{1f600}.txt')).toBe('x');
  });

  test.each<[string, string]>(
    [
      ['a backslash', '..\\\\out.txt'],
      ['a line break', 'a\\nb'],
      ['300 characters', 'y'.repeat(300)],
      ['half a surrogate pair', 'a\\ud800'],
      ['a folder of the server', '.code-execution/x'],
      ['forty folders', `${'d/'.repeat(40)}f`],
    ].map(([what = '', name = '']) => [what, name]),
  )(verifies('BAD-5', 'a name with %s is an error and never lost in silence'), async (_what, name) => {
    const code = `
import os
os.makedirs(os.path.dirname("${name}") or ".", exist_ok=True)
open("${name}", "w").write("x")
open("good.txt", "w").write("good")`;
    const report = await host.run(code, { session });
    expect(['python_error', 'path_denied', 'bad_name']).toContain(codeOf(report));
    expect(
      (await host.workspace.list())
        .map((entry) => entry.path)
        .filter((found) => found !== 'good.txt' && !/^d(\/d)*$/.test(found)),
    ).toEqual([]);
  });

  test(
    verifies(
      'FILES-1',
      'a session meets files that others have changed, removed or put in place of a folder',
    ),
    async () => {
      await host.write('a', '1');
      await host.write('b', '2');
      await host.write('c/d', '3');
      expect(await host.value('open("a").read() + open("b").read() + open("c/d").read()', { session })).toBe(
        '123',
      );
      await host.clear();
      await host.write('a', 'new');
      await host.write('c', 'file now');
      writeFileSync(path.join(host.folder, 'by-hand'), 'hand');
      const code =
        'import os\n[open("a").read(), open("c").read(), open("by-hand").read(), sorted(os.listdir())]';
      expect(await host.value(code, { session })).toEqual(['new', 'file now', 'hand', ['a', 'by-hand', 'c']]);
    },
  );

  test('files of a principal are of no other', async () => {
    await host.write('mine.txt', 'mine');
    expect(await host.value('import os\nos.listdir()', {}, 'a stranger')).toEqual([]);
  });
}
