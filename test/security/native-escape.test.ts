import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { descendants } from '../../scripts/support/processes.mjs';
import { type ContractHost, codeOf, GRACE_MS } from '../contract/contract-host.js';
import { verifies } from '../e2e/verifies.js';
import { needs } from '../support/capabilities.js';
import { Canaries } from './canaries.js';
import { CALL_PROBES, eachInControl, PROC_PROBES, RAW_CALLS } from './native-probes.js';
import { NativeTarget } from './native-walls.js';
import type { Probe } from './probe.js';
import { PYTHON_PROBES } from './python-probes.js';
import { inUnfilteredJail } from './unfiltered-jail.js';

const MIB = 1024 * 1024;

needs('linux', 'bubblewrap', 'python3').describe('the native jail', () => {
  let canaries: Canaries;
  let target: NativeTarget;
  let host: ContractHost;
  const session = 'attacker';

  beforeAll(async () => {
    canaries = await Canaries.set();
    target = new NativeTarget();
    host = target.host;
    await host.value('1', { session });
  });
  afterAll(async () => {
    await target[Symbol.asyncDispose]();
    await canaries[Symbol.asyncDispose]();
  });

  describe('holds against Python:', () => {
    test.each(PYTHON_PROBES.map((probe): [string, Probe] => [title(probe), probe]))(
      '%s',
      async (_title, probe) => {
        const report = await host.run(probe.code(canaries.targets), { session, timeoutMs: 10_000 });
        expect(await canaries.breaches(JSON.stringify(report))).toEqual([]);
        expect(codeOf(report)).not.toBe('timeout');
      },
    );
  });

  describe('refuses by raw system calls:', () => {
    test.each(
      [...CALL_PROBES, ...PROC_PROBES].map(({ name, code, refused }): [string, string, readonly string[]] => [
        name,
        code,
        refused,
      ]),
    )(verifies(['WALL-1', 'WALL-4'], '%s'), async (_name, code, refused) => {
      const answer = await host.value(
        `${RAW_CALLS}\nnumber = ${code}\n(number, errno.errorcode.get(-number, "") if number < 0 else "")`,
        { session },
      );
      expect(refused, JSON.stringify(answer)).toContain((answer as [number, string])[1]);
    });
  });

  /** Runs code up to a limit; checks that the answer came in time, and that the next run is right. */
  async function hostile(code: string, timeoutMs = 5_000): Promise<string> {
    const report = await host.run(code, { timeoutMs });
    expect(report.durationMs).toBeLessThan(timeoutMs + GRACE_MS);
    expect(await host.value('20 + 22')).toBe(42);
    return codeOf(report);
  }

  describe('outlives', () => {
    test.each<[string, string, readonly string[]]>([
      [
        'a fork bomb',
        `${RAW_CALLS}\nfor _ in range(20_000):\n    if call(56, 220, 17, 0, 0, 0, 0) == 0:\n        while True: pass\nopen("marker", "w").close()`,
        ['ok'],
      ],
      [
        'grandchildren in a session of their own',
        `${RAW_CALLS}\nfor _ in range(100):\n    if call(56, 220, 17, 0, 0, 0, 0) == 0:\n        call(112, 157)\n        if call(56, 220, 17, 0, 0, 0, 0) == 0:\n            while True: pass\n        os._exit(0)`,
        ['ok'],
      ],
      [
        'a bomb of threads',
        'import threading, time\nstarted = []\nwhile True:\n    t = threading.Thread(target=time.sleep, args=(60,), daemon=True)\n    t.start()\n    started.append(t)',
        ['python_error', 'memory_limit'],
      ],
      [
        'a full /dev/shm',
        'with open("/dev/shm/x", "wb") as f:\n    while True: f.write(bytes(1 << 20))',
        ['disk_limit'],
      ],
      [
        'a full /tmp',
        'with open("/tmp/x", "wb") as f:\n    while True: f.write(bytes(1 << 20))',
        ['disk_limit'],
      ],
      [
        'a full /tmp by many files',
        'n = 0\nwhile True:\n    n += 1\n    open(f"/tmp/{n % 300}", "ab").write(bytes(1 << 20))',
        ['disk_limit'],
      ],
      [
        'sparse files',
        'for n in range(50):\n    with open(f"s{n}", "wb") as f:\n        f.truncate(33_000_000)',
        ['disk_limit'],
      ],
      [
        'a flood of files past the count of the runtime',
        `${RAW_CALLS}\nfor n in range(10 ** 7):\n    call(3, 57, call(257, 56, -100, b"/tmp/%d" % n, os.O_CREAT | os.O_WRONLY, 0o600))`,
        ['memory_limit', 'timeout'],
      ],
      [
        'folders in folders',
        `${RAW_CALLS}\nfor n in range(20_000):\n    if call(258, 34, -100, b"d", 0o700) < 0: break\n    os.chdir("d")`,
        ['ok', 'timeout', 'memory_limit', 'disk_limit', 'path_denied', 'bad_name', 'python_error', 'crashed'],
      ],
      ['a kill of the parent', 'import os, signal\nos.kill(1, signal.SIGKILL)', ['python_error']],
      [
        'a kill of the parent of the parent',
        'import os, signal\nos.kill(os.getppid(), signal.SIGKILL)',
        ['python_error'],
      ],
      [
        'a stop of itself',
        'import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\nwhile True: pass',
        ['timeout'],
      ],
      ['closed descriptors', 'import os\nos.closerange(0, 256)\n1', ['crashed', 'python_error', 'timeout']],
      [
        'a folder without rights',
        'import os\nos.makedirs("x/y")\nopen("x/y/z", "w").close()\nos.chmod("x/y", 0)\nos.chmod("x", 0)',
        ['ok'],
      ],
      [
        'an unwritable root of the workspace',
        'import os\nos.chmod("/workspace", 0)\nos.chmod("/tmp", 0)\n1',
        ['ok', 'python_error'],
      ],
      [
        'signals that are ignored',
        'import signal\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n    except (OSError, ValueError): pass\nwhile True: pass',
        ['timeout'],
      ],
      ['a flood of C output', 'import os\nwhile True: os.write(1, b"x" * 65536)', ['output_limit']],
      [
        'a flood of C output in lines',
        'import os\nwhile True: os.write(2, b"x\\n" * 30000)',
        ['output_limit'],
      ],
      [
        'all memory at once',
        'import mmap\nkept = []\nwhile True: kept.append(mmap.mmap(-1, 1 << 26))',
        ['memory_limit', 'python_error'],
      ],
      [
        'shared memory',
        'import mmap\nkept = []\nwhile True:\n    m = mmap.mmap(-1, 1 << 24)\n    m.write(bytes(1 << 24))\n    kept.append(m)',
        ['memory_limit', 'python_error'],
      ],
    ])(verifies(['LIMIT-1', 'LIMIT-3', 'LIMIT-7'], '%s'), async (_what, code, expected) => {
      // A machine that is busy may take long for what is no waste of time.
      expect(expected).toContain(await hostile(code, expected.includes('timeout') ? 5_000 : 20_000));
      await host.clear();
    });
  });

  test(
    verifies('LIMIT-8', 'leaves nothing of all that behind: no process, no file in the next run'),
    async () => {
      const probe = `
import os
def look(folder):
    found = []
    for entry in os.scandir(folder):
        found.append(entry.path)
    return found
[look("/workspace"), look("/tmp"), look("/dev/shm")]`;
      for (let n = 0; n < 3; n++) expect(await host.value(probe)).toEqual([[], [], []]);
      const own = descendants(process.pid).filter(({ command }) => command.startsWith('python3'));
      const { ready, active, starting } = target.sandbox.pool();
      // In each jail: the parent, and the process that waits or runs.
      expect(own.length).toBeLessThanOrEqual(2 * (ready + active + starting));
    },
  );

  test(
    verifies('LIMIT-9', 'a frozen session costs nobody the files that others made meanwhile'),
    async () => {
      const frozen = 'frozen';
      await host.write('before.txt', 'before');
      const freeze = `
import os, signal, threading
threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGSTOP)).start()
open("before.txt").read()`;
      expect(await host.value(freeze, { session: frozen })).toBe('before');
      await host.write('after.txt', 'after');
      await new Promise((resolve) => setTimeout(resolve, 500));
      const report = await host.run('1', { session: frozen, timeoutMs: 500 });
      expect(codeOf(report)).toBe('timeout');
      expect(report.filesChanged).toEqual([]);
      expect(await host.read('after.txt')).toBe('after');
      expect(await host.read('before.txt')).toBe('before');
      await host.clear();
    },
  );

  test(verifies('LIMIT-4', 'what C code prints reaches the answer as text, and no log'), async () => {
    const report = await host.run(
      'import os\nos.write(1, b"to one\\n")\nos.write(2, b"to two")\nos._exit(1)',
    );
    expect(report.output.head).toBe('to one\nto two');
    expect(report.output.bytes).toBeLessThan(MIB);
  });

  test('looks from outside as it is meant to', async () => {
    const rows = new Map((await target.sandbox.posture()).map(({ name, detail }) => [name, detail]));
    expect(rows.get('filters')).toBe('3 in force, mode 2');
    expect(rows.get('capabilities')).toBe('none, in any set');
    expect(rows.get('no new privileges')).toBe('yes');
    expect(rows.get('own namespaces')).toBe('cgroup ipc mnt net pid user uts');
    expect(rows.get('network')).toBe('loopback only, without sockets');
    expect(rows.get('writable mounts')).toBe(
      `${['null', 'zero', 'full', 'random', 'urandom'].map((name) => `/dev/${name} (device)`).join(' ')} /dev/shm (8192k) /tmp (65536k) /workspace (65536k)`,
    );
    expect(rows.get('open descriptors')).toBe('/dev/null socket socket socket');
    expect(rows.get('read-only mounts')).toMatch(/^\/ /);
    expect(rows.get('environment')).not.toContain('CANARY');
  });

  test('holds after all of it', async () => {
    expect(await canaries.breachesWithin(200, '')).toEqual([]);
  });
});

needs('linux', 'bubblewrap', 'python3').describe('without the filters, in a jail all the same,', () => {
  const probes = [...CALL_PROBES, ...PROC_PROBES].filter(({ needsRights }) => !needsRights);
  let answers: string[] = [];
  beforeAll(() => {
    answers = inUnfilteredJail(eachInControl(probes)).trimEnd().split('\n');
  });

  test.each(
    probes.map(({ name, refused }, index): [string, readonly string[], number] => [name, refused, index]),
  )('%s is answered otherwise', (_name, refused, index) => {
    expect(answers).toHaveLength(probes.length);
    expect(refused).not.toContain(answers[index]);
  });
});

function title({ goal, name }: Probe): string {
  const what = `${goal} by ${name}`;
  switch (goal) {
    case 'file':
    case 'write':
      return verifies('WALL-1', what);
    case 'environment':
      return verifies('WALL-2', what);
    case 'network':
      return verifies('WALL-3', what);
    case 'process':
      return verifies('WALL-4', what);
  }
}
