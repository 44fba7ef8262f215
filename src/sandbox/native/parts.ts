import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { CodeExecutionError } from '../../core/errors.js';
import { findTools } from '../wasm/tools.js';
import { findPython } from './find-python.js';

/** A thing that the native backend needs, for `doctor`. */
export interface NativePart {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** How to get it, when it is missing. */
  readonly next?: string;
}

/** Settings of the kernel that keep ordinary users from making namespaces, with the value that does and the remedy. */
const NAMESPACE_SETTINGS: readonly (readonly [file: string, off: string, next: string])[] = [
  [
    '/proc/sys/kernel/unprivileged_userns_clone',
    '0',
    'allow user namespaces: sysctl kernel.unprivileged_userns_clone=1',
  ],
  ['/proc/sys/user/max_user_namespaces', '0', 'allow user namespaces: sysctl user.max_user_namespaces=10000'],
  [
    '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    '1',
    "load AppArmor's profile for bubblewrap: apt-get install apparmor-profiles, or sysctl kernel.apparmor_restrict_unprivileged_userns=0",
  ],
];
const IN_CONTAINER =
  'in a container: start it with --security-opt seccomp=unconfined (or a profile that allows unshare and mount), or set sandbox.backend to "wasm"';

/** What the native backend needs of this machine, found without starting a jail of ours. Never throws. */
export async function nativeParts(python: string | undefined): Promise<NativePart[]> {
  if (process.platform !== 'linux')
    return [{ name: 'native', ok: false, detail: 'the native sandbox is for Linux', next: 'use "wasm"' }];
  return [await bubblewrapPart(), seccompPart(), await pythonPart(python)];
}

async function bubblewrapPart(): Promise<NativePart> {
  try {
    const { bubblewrap, bubblewrapProblem } = await findTools();
    if (bubblewrap !== undefined)
      return { name: 'bubblewrap', ok: true, detail: `${await versionOf(bubblewrap)}, ${bubblewrap}` };
    const detail = bubblewrapProblem ?? 'not found';
    return { name: 'bubblewrap', ok: false, detail, next: namespaceAdvice(detail) };
  } catch (error) {
    return broken('bubblewrap', error);
  }
}

/** The next step when bubblewrap is missing or cannot make a jail. */
export function namespaceAdvice(problem: string): string {
  if (problem.includes('not installed')) return 'apt-get install bubblewrap (or the package of your system)';
  if (problem.includes('nknown option')) return 'this bubblewrap is too old: install 0.8 or newer';
  if (/Can't find source path .* Permission denied/.test(problem))
    return 'the jail starts as a user who cannot read that: use a Python (sandbox.python) and a cache folder that all users can read';
  const setting = NAMESPACE_SETTINGS.find(([file, off]) => read(file) === off);
  return setting?.[2] ?? IN_CONTAINER;
}

function seccompPart(): NativePart {
  const actions = read('/proc/sys/kernel/seccomp/actions_avail')?.split(' ') ?? [];
  const ok = ['kill_process', 'errno', 'allow'].every((action) => actions.includes(action));
  if (ok) return { name: 'seccomp', ok, detail: 'the kernel takes filters of system calls' };
  return {
    name: 'seccomp',
    ok,
    detail: 'the kernel has no filters of system calls (CONFIG_SECCOMP_FILTER, Linux 4.14)',
    next: 'use another kernel, or set sandbox.backend to "wasm"',
  };
}

async function pythonPart(configured: string | undefined): Promise<NativePart> {
  try {
    const { version, executable } = await findPython(configured);
    return { name: 'python', ok: true, detail: `${version}, ${executable}` };
  } catch (error) {
    return broken('python', error);
  }
}

function broken(name: string, error: unknown): NativePart {
  if (!(error instanceof CodeExecutionError)) throw error;
  return {
    name,
    ok: false,
    detail: error.message,
    ...(error.hint === undefined ? {} : { next: error.hint }),
  };
}

function versionOf(bubblewrap: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(bubblewrap, ['--version'], { env: {}, timeout: 5_000 }, (_error, stdout) =>
      resolve(stdout.trim().replace(/^bubblewrap /, '') || 'version unknown'),
    );
  });
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
