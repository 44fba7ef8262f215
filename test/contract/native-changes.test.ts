import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { NativeSandbox } from '../../src/sandbox/native/native-sandbox.js';
import { verifies } from '../e2e/verifies.js';
import { cacheFolder } from '../support/cache-folder.js';
import { needs } from '../support/capabilities.js';
import { QUIET } from '../support/quiet-logger.js';
import { ContractHost, LIMITS } from './contract-host.js';

/** The workspace is compared only after runs that can have changed it: whatever way code takes, it has to be seen. */
needs('linux', 'bubblewrap', 'python3').describe('changes to the workspace of a native session', () => {
  let sandbox: NativeSandbox;
  let host: ContractHost;
  const session = 'keeps';
  beforeAll(() => {
    sandbox = new NativeSandbox({ ...LIMITS, cacheDir: cacheFolder(), pool: 1, logger: QUIET });
  });
  beforeEach(async () => {
    host = new ContractHost(sandbox);
    await host.write('old.txt', 'old');
  });
  afterEach(() => host[Symbol.asyncDispose]());
  afterAll(() => sandbox[Symbol.asyncDispose]());

  test.each<[string, string, string]>([
    ['a file that stayed open', 'f = open("new.txt", "w")', 'f.write("new")\nf.flush()'],
    [
      'a descriptor that stayed open',
      'import os\nd = os.open("new.txt", os.O_CREAT | os.O_WRONLY)',
      'os.write(d, b"new")',
    ],
    [
      'a copy of a descriptor whose file is closed',
      'import os\nf = open("new.txt", "w")\nd = os.dup(f.fileno())\nf.close()',
      'os.write(d, b"new")',
    ],
    [
      'a mapping whose file is closed',
      'import mmap\nf = open("new.txt", "w+")\nf.write("___")\nf.flush()\nm = mmap.mmap(f.fileno(), 3)\nf.close()',
      'm[:] = b"new"',
    ],
    [
      'a thread of an earlier run',
      'import threading\ngo, done = threading.Event(), threading.Event()\ndef work():\n    go.wait(20)\n    open("new.txt", "w").write("new")\n    done.set()\nthreading.Thread(target=work, daemon=True).start()',
      'go.set()\ndone.wait(20)',
    ],
    [
      'the C library',
      'import ctypes\nc = ctypes.pythonapi\nopen_, write = c.open, c.write',
      'd = open_(b"new.txt", 0o101, 0o644)\nwrite(d, b"new", 3)\nc.close(d)',
    ],
  ])(
    verifies('FILES-1', 'made by way of %s in a run that opens nothing are seen'),
    async (_way, prepare, change) => {
      await host.run(prepare, { session });
      const report = await host.run(change, { session });
      expect(report.outcome).toMatchObject({ kind: 'value' });
      expect(await host.read('new.txt')).toBe('new');
    },
  );

  test(verifies('FILES-1', 'made by a database that stayed open are seen'), async () => {
    await host.run(
      'import sqlite3\nc = sqlite3.connect("d.db")\nc.execute("create table t (x)")\nc.commit()',
      {
        session,
      },
    );
    const report = await host.run('c.execute("insert into t values (7)")\nc.commit()', { session });
    expect(report.filesChanged.map(({ path }) => path)).toEqual(['d.db']);
    expect(
      await host.value('import sqlite3\nsqlite3.connect("d.db").execute("select x from t").fetchall()'),
    ).toEqual([[7]]);
  });

  test.each<[string, string, string[]]>([
    ['renamed', 'import os\nos.rename("old.txt", "moved.txt")', ['moved.txt']],
    ['removed', 'import os\nos.remove("old.txt")', []],
    ['cut off', 'import os\nos.truncate("old.txt", 1)', ['old.txt']],
    ['put in a new folder', 'import os\nos.mkdir("d")\nos.rename("old.txt", "d/x")', ['d', 'd/x']],
  ])(
    verifies('FILES-1', 'are seen when a file is %s, the first thing of the session'),
    async (_what, code, paths) => {
      const report = await host.run(code, { session });
      expect(report.outcome).toMatchObject({ kind: 'value' });
      expect((await host.workspace.list()).map(({ path }) => path)).toEqual(paths);
    },
  );

  test('are none after runs that only compute, also when others change files between them', async () => {
    await host.value('x = 1', { session });
    await host.write('other.txt', 'other');
    const report = await host.run('x + 1', { session });
    expect(report.filesChanged).toEqual([]);
    expect(await host.value('open("other.txt").read()', { session })).toBe('other');
    expect(await host.read('old.txt')).toBe('old');
  });
});
