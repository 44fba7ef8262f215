import { readFileSync } from 'node:fs';
import { CodeExecutionError } from '../../core/errors.js';
import { findProgram, PROGRAM_FOLDERS, requireOtherUid, tryProgram } from '../try-program.js';

/** The program that makes jails. */
export interface Bubblewrap {
  readonly path: string;
  /** As it says itself. */
  readonly version: string;
  /** The server is root, so each jail starts under a uid of its own. */
  readonly ownUid: boolean;
}

/** Where programs and the kernel's settings are looked for; tests put others in their place. */
export interface MachinePlaces {
  /** Folders of programs. */
  readonly programs: readonly string[];
  /** Folder of the kernel's settings. */
  readonly proc: string;
}

export const MACHINE: MachinePlaces = { programs: PROGRAM_FOLDERS, proc: '/proc' };

const LIBRARIES = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/bin', '/usr/bin'];
const USE_WASM = 'set sandbox.backend to "wasm"';
const INSTALL = 'apt-get install bubblewrap (or the package of your system)';
const NEWER = 'this bubblewrap is too old: install 0.8 or newer';
const IN_CONTAINER = `in a container: start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined (or profiles that allow unshare, mount and pivot_root), or ${USE_WASM}`;

/** Settings of the kernel that keep ordinary users from making namespaces: the value that does, and the remedy. */
const NAMESPACE_SETTINGS: readonly (readonly [file: string, off: string, next: string])[] = [
  ['sys/kernel/unprivileged_userns_clone', '0', 'sysctl kernel.unprivileged_userns_clone=1'],
  ['sys/user/max_user_namespaces', '0', 'sysctl user.max_user_namespaces=10000'],
  [
    'sys/kernel/apparmor_restrict_unprivileged_userns',
    '1',
    "load AppArmor's profile for bubblewrap (apt-get install apparmor-profiles), or sysctl kernel.apparmor_restrict_unprivileged_userns=0",
  ],
];

/**
 * Bubblewrap, after it has made a jail with the options that ours have.
 * @throws CodeExecutionError `backend_unavailable` that says why there is none, and the next step
 */
export async function findBubblewrap(machine: MachinePlaces = MACHINE): Promise<Bubblewrap> {
  const path = findProgram('bwrap', machine.programs);
  if (path === undefined) throw unavailable('bubblewrap is not installed', INSTALL);
  const program = findProgram('true');
  if (program === undefined)
    throw unavailable('there is no program to try bubblewrap with', 'install coreutils');
  const ownUid = process.getuid?.() === 0;
  if (ownUid) await requireOtherUid();
  const tried = await tryProgram(path, probe(program), ownUid);
  const said = tried.stderr.split('\n').at(-1)?.slice(0, 200) ?? '';
  if (!tried.ok) throw unavailable(`bubblewrap cannot make a jail here: ${said}`, jailAdvice(said, machine));
  const { stdout } = await tryProgram(path, ['--version'], ownUid);
  return { path, version: stdout.replace(/^bubblewrap /, '') || 'version unknown', ownUid };
}

/** The next step after bubblewrap has said this. */
export function jailAdvice(said: string, machine: MachinePlaces = MACHINE): string {
  if (/nknown option/.test(said)) return NEWER;
  if (/seccomp/i.test(said))
    return `the kernel or the container refuses filters of system calls; allow seccomp, or ${USE_WASM}`;
  if (/Can't find source path .* Permission denied/.test(said))
    return 'the jail starts as a user who cannot read that: use a Python (sandbox.python) and a cache folder that all users can read';
  const setting = NAMESPACE_SETTINGS.find(([file, off]) => read(`${machine.proc}/${file}`) === off);
  return setting ? `allow user namespaces: ${setting[2]}` : IN_CONTAINER;
}

/** What {@link jailCommand} needs of bubblewrap, and nothing else: a /proc of its own, for one, is refused in many containers. */
function probe(program: string): string[] {
  return [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--as-pid-1', '--cap-drop', 'ALL'],
    ...['--hostname', 'sandbox', '--clearenv', '--setenv', 'HOME', '/'],
    ...LIBRARIES.flatMap((folder) => ['--ro-bind-try', folder, folder]),
    ...['--tmpfs', '/dev', '--dev-bind', '/dev/null', '/dev/null', '--remount-ro', '/dev'],
    ...['--size', '1048576', '--tmpfs', '/tmp', '--remount-ro', '/', '--chdir', '/', '--', program],
  ];
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function unavailable(message: string, next: string): CodeExecutionError {
  return new CodeExecutionError('backend_unavailable', message, next);
}
