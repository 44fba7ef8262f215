import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AutoSandbox } from '../../../src/sandbox/auto-sandbox.js';
import { jailAdvice, type MachinePlaces } from '../../../src/sandbox/native/bubblewrap.js';
import { NativeSandbox } from '../../../src/sandbox/native/native-sandbox.js';
import { nativeParts } from '../../../src/sandbox/native/parts.js';
import { requireRoom } from '../../../src/sandbox/native/room.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { needs } from '../../support/capabilities.js';
import { QUIET } from '../../support/quiet-logger.js';

const MIB = 1024 * 1024;
const NO_NAMESPACES =
  'bwrap: No permissions to create a new namespace, likely because the kernel does not allow non-privileged user namespaces.';

needs('linux').describe('a machine on which the native backend does not work', () => {
  let folder = '';
  let machine: MachinePlaces;
  const setting = (name: string, value: string): void => {
    const file = path.join(folder, 'proc/sys', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, value);
  };
  /** A program that says what the real one says and fails as it does. */
  const program = (name: string, says: string, code = 1): string => {
    const file = path.join(folder, name);
    writeFileSync(file, `#!/bin/sh\ncat >&2 <<'SAID'\n${says}\nSAID\nexit ${code}\n`, { mode: 0o755 });
    return file;
  };
  const python = (answer: object): string => {
    const file = path.join(folder, 'python3');
    writeFileSync(file, `#!/bin/sh\ncat <<'SAID'\n${JSON.stringify(answer)}\nSAID\n`, { mode: 0o755 });
    return file;
  };
  const GOOD = { version: '3.12.1', implementation: 'cpython', bits: 64, ctypes: true };
  const partNamed = async (name: string, needs: { python?: string; workspaceMb?: number } = {}) =>
    (await nativeParts({ workspaceMb: 64, ...needs }, machine)).find((part) => part.name === name);

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'native-parts-'));
    chmodSync(folder, 0o755);
    machine = { programs: [folder], proc: path.join(folder, 'proc') };
    setting('kernel/seccomp/actions_avail', 'kill_process kill_thread trap errno trace log allow\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('has no bubblewrap', async () => {
    expect(await partNamed('bubblewrap')).toEqual({
      name: 'bubblewrap',
      ok: false,
      detail: 'bubblewrap is not installed',
      next: 'apt-get install bubblewrap (or the package of your system)',
    });
  });

  test.each<[string, string, Readonly<Record<string, string>>, string]>([
    [
      'a bubblewrap too old',
      'bwrap: Unknown option --as-pid-1',
      {},
      'this bubblewrap is too old: install 0.8 or newer',
    ],
    [
      'user namespaces switched off (Debian)',
      NO_NAMESPACES,
      { 'kernel/unprivileged_userns_clone': '0\n' },
      'allow user namespaces: sysctl kernel.unprivileged_userns_clone=1',
    ],
    [
      'no user namespaces left',
      'bwrap: Creating new namespace failed: No space left on device',
      { 'user/max_user_namespaces': '0\n' },
      'allow user namespaces: sysctl user.max_user_namespaces=10000',
    ],
    [
      'user namespaces held back by AppArmor (Ubuntu)',
      'bwrap: setting up uid map: Permission denied',
      { 'kernel/apparmor_restrict_unprivileged_userns': '1\n' },
      "allow user namespaces: load AppArmor's profile for bubblewrap (apt-get install apparmor-profiles), or sysctl kernel.apparmor_restrict_unprivileged_userns=0",
    ],
    [
      'filters switched off',
      'bwrap: prctl(PR_SET_SECCOMP): Invalid argument',
      {},
      'the kernel or the container refuses filters of system calls; allow seccomp, or set sandbox.backend to "wasm"',
    ],
    [
      'an unprivileged container around it',
      'bwrap: Creating new namespace failed: Operation not permitted',
      { 'user/max_user_namespaces': '1000\n' },
      'in a container: start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined (or profiles that allow unshare, mount and pivot_root), or set sandbox.backend to "wasm"',
    ],
  ])('has %s', async (_what, says, settings, next) => {
    program('bwrap', says);
    for (const [name, value] of Object.entries(settings)) setting(name, value);
    expect(await partNamed('bubblewrap')).toEqual({
      name: 'bubblewrap',
      ok: false,
      detail: `bubblewrap cannot make a jail here: ${says}`,
      next,
    });
  });

  test('has no filters of system calls', async () => {
    rmSync(path.join(folder, 'proc/sys/kernel/seccomp'), { recursive: true });
    expect(await partNamed('seccomp')).toMatchObject({
      ok: false,
      next: 'use another kernel, or set sandbox.backend to "wasm"',
    });
  });

  test.each<[string, object, string]>([
    ['too old', { ...GOOD, version: '3.8.18' }, 'is Python 3.8.18; the native sandbox needs 3.9 or newer'],
    ['not CPython', { ...GOOD, implementation: 'pypy' }, 'is pypy, not CPython'],
    ['a 32-bit program', { ...GOOD, bits: 32 }, 'is a 32-bit Python'],
    [
      'linked statically',
      { ...GOOD, ctypes: false },
      'has no ctypes that finds the C library, as a static build has none; a run puts on its filter with it',
    ],
  ])('has a Python that is %s', async (_what, answer, problem) => {
    const file = python(answer);
    expect(await partNamed('python', { python: file })).toMatchObject({
      ok: false,
      detail: `${file} ${problem}`,
      next: expect.stringContaining('apt-get install python3'),
    });
  });

  test('has a Python older than the option that shuts the environment out', async () => {
    const file = program('python', "Unknown option: -I\nTry `python -h' for more information.", 2);
    expect(await partNamed('python', { python: file })).toMatchObject({
      ok: false,
      detail: `${file} is older than Python 3.4; the native sandbox needs 3.9 or newer`,
    });
  });

  test('has no Python where the configuration says', async () => {
    expect(await partNamed('python', { python: '/no/such/python' })).toMatchObject({
      ok: false,
      detail: 'sandbox.python: there is no /no/such/python',
      next: 'correct the path',
    });
  });

  test('has a program that is no Python, and a folder that is no virtual environment', async () => {
    const file = program('broken', 'cannot load libpython');
    expect(await partNamed('python', { python: file })).toMatchObject({
      detail: `${file} does not run: cannot load libpython`,
    });
    expect(await partNamed('python', { python: folder })).toMatchObject({
      detail: `sandbox.python: ${folder} is a folder but no virtual environment`,
      next: `make one: python3 -m venv ${folder}`,
    });
  });

  test('has too little memory for its workspaces, and is told the largest', () => {
    expect(requireRoom(512, 2048 * MIB)).toContain('512 MiB is the most here');
    expect(() => requireRoom(513, 2048 * MIB)).toThrow(
      expect.objectContaining({
        code: 'backend_unavailable',
        hint: 'set sandbox.workspaceMb to 512 or less, or sandbox.backend to "wasm"',
      }),
    );
  });

  test('has a Python that the user of the jail cannot read', () => {
    expect(
      jailAdvice("bwrap: Can't find source path /srv/private/python: Permission denied", machine),
    ).toMatch(/^the jail starts as a user who cannot read that/);
  });

  test('gets the reason as an error of the backend that was asked for by name, and as a layer of the other by auto', async () => {
    program('bwrap', NO_NAMESPACES);
    const options = { cacheDir: folder, memoryMb: 128, workspaceMb: 64, pool: 1, logger: QUIET, machine };
    const next = 'allow user namespaces: sysctl kernel.unprivileged_userns_clone=1';
    setting('kernel/unprivileged_userns_clone', '0');
    await using native = new NativeSandbox(options);
    const refusal = {
      code: 'backend_unavailable',
      message: `bubblewrap cannot make a jail here: ${NO_NAMESPACES}`,
      hint: next,
    };
    await expect(native.acquire({ principal: 'p' })).rejects.toMatchObject(refusal);
    await expect(native.info()).rejects.toMatchObject(refusal);
    const wasm = {
      info: async () => ({ name: 'wasm', python: '3', isolation: '', layers: [] }),
      [Symbol.asyncDispose]: async () => undefined,
    } as unknown as Sandbox;
    await using auto = new AutoSandbox({
      preferred: new NativeSandbox(options),
      otherwise: wasm,
      log: QUIET,
    });
    expect((await auto.info()).layers).toEqual([
      { name: 'native', active: false, detail: `not used: ${refusal.message}; next: ${next}` },
    ]);
  });
});
