import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { CodeExecutionError } from '../../core/errors.js';
import type { Layer } from '../sandbox.js';

/** What this machine offers for confining a worker, each tried by use and not by its version. */
export interface Tools {
  /** Path of bubblewrap where it can make a jail here. */
  readonly bubblewrap?: string;
  /** Path of setpriv (util-linux), where bubblewrap is missing: no new privileges, and death with the server. */
  readonly setpriv?: string;
  /** A POSIX shell whose `ulimit -d` works. */
  readonly shell?: string;
  /** The server is root, so each worker gets a uid of its own. */
  readonly ownUid: boolean;
  /** Why bubblewrap is not used, for `doctor`. */
  readonly bubblewrapProblem?: string;
}

const PROBE_MS = 5_000;
/** Fixed folders rather than PATH: a project folder in PATH must not choose our jailer. */
const FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin'];

/** @throws CodeExecutionError `backend_unavailable` for a root server that cannot start a process under another uid. */
export async function findTools(): Promise<Tools> {
  if (process.platform === 'win32') return { ownUid: false, bubblewrapProblem: 'bubblewrap is for Linux' };
  const ownUid = process.getuid?.() === 0;
  if (ownUid) await requireOtherUid();
  const shell = await findShell();
  if (process.platform !== 'linux') {
    return { ownUid, ...(shell ? { shell } : {}), bubblewrapProblem: 'bubblewrap is for Linux' };
  }
  const bubblewrap = await tryBubblewrap(ownUid);
  const setpriv = find('setpriv');
  return {
    ownUid,
    ...(shell ? { shell } : {}),
    ...(setpriv ? { setpriv } : {}),
    ...('path' in bubblewrap ? { bubblewrap: bubblewrap.path } : { bubblewrapProblem: bubblewrap.problem }),
  };
}

/** The layers as `doctor` and `get_execution_stats` show them. */
export function describeLayers(tools: Tools, limits: { memoryMb: number; watchdog: boolean }): Layer[] {
  const layer = (name: string, active: boolean, on: string, off: string): Layer => ({
    name,
    active,
    detail: active ? on : off,
  });
  return [
    layer(
      'process',
      true,
      'every fresh run has a process and an interpreter of its own, thrown away afterwards',
      '',
    ),
    layer(
      'permissions',
      true,
      'Deno grants nothing but reading the runtime folder: no files, network, programs or environment',
      '',
    ),
    layer('memory-cap', true, `the engine refuses interpreter memory beyond ${limits.memoryMb} MiB`, ''),
    layer('no-eval', true, 'JavaScript code generation from strings is off', ''),
    layer(
      'bubblewrap',
      tools.bubblewrap !== undefined,
      'own user, process, network, mount and IPC namespaces; no host file but the runtime and the C library',
      tools.bubblewrapProblem ?? 'not used',
    ),
    layer(
      'own-uid',
      tools.ownUid,
      `each worker runs under a uid of its own (${FIRST_AND_LAST})`,
      'the server is not root, so workers run under its uid',
    ),
    layer(
      'data-limit',
      tools.shell !== undefined && process.platform === 'linux',
      'RLIMIT_DATA bounds what JavaScript can allocate as well',
      'RLIMIT_DATA counts all private memory on Linux only',
    ),
    layer(
      'watchdog',
      limits.watchdog,
      'the server watches resident memory and kills a worker above its limit',
      'resident memory of another process cannot be read here',
    ),
    layer(
      'dies-with-server',
      tools.bubblewrap !== undefined || tools.setpriv !== undefined,
      'the kernel kills workers when the server dies, even by SIGKILL',
      'workers end when their input ends; one in an endless loop outlives a server that was killed',
    ),
  ];
}

const FIRST_AND_LAST = '61184 to 65519';

function find(name: string): string | undefined {
  for (const folder of FOLDERS) {
    const file = `${folder}/${name}`;
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** Fail closed: workers of a root server must never be root themselves. */
async function requireOtherUid(): Promise<void> {
  const program = find('true');
  const tried = program
    ? await tryCommand(program, [], true)
    : { code: null, stderr: 'no program to try it with' };
  if (tried.code === 0) return;
  throw new CodeExecutionError(
    'backend_unavailable',
    'the server runs as root and cannot start the sandbox under another uid',
    'run it as an ordinary user, or give it the capabilities SETUID, SETGID and KILL and a user namespace with more than one uid',
  );
}

async function findShell(): Promise<string | undefined> {
  const shell = find('sh');
  if (!shell) return undefined;
  const { code } = await tryCommand(
    shell,
    ['-c', 'ulimit -c 0 && ulimit -n 256 && ulimit -d 8000000'],
    false,
  );
  return code === 0 ? shell : undefined;
}

async function tryBubblewrap(ownUid: boolean): Promise<{ path: string } | { problem: string }> {
  const path = find('bwrap');
  if (!path)
    return { problem: 'bubblewrap is not installed; on Debian and Ubuntu: apt-get install bubblewrap' };
  const program = find('true');
  if (!program) return { problem: 'no program to try bubblewrap with' };
  const folders = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/bin', '/usr/bin'];
  const binds = folders.flatMap((folder) => ['--ro-bind-try', folder, folder]);
  const options = ['--unshare-all', '--die-with-parent', '--new-session', '--as-pid-1', '--cap-drop', 'ALL'];
  const jail = [...options, ...binds, '--proc', '/proc', '--dev', '/dev', '--remount-ro', '/', '--', program];
  const { code, stderr } = await tryCommand(path, jail, ownUid);
  if (code === 0) return { path };
  return {
    problem: `bubblewrap cannot make a jail here: ${stderr.trim().slice(0, 200) || `exit code ${code}`}`,
  };
}

function tryCommand(
  file: string,
  args: string[],
  otherUid: boolean,
): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve) => {
    // An errno of setuid or setgid is thrown, not emitted.
    let child: ReturnType<typeof start>;
    try {
      child = start(file, args, otherUid);
    } catch (error) {
      resolve({ code: null, stderr: error instanceof Error ? error.message : String(error) });
      return;
    }
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < 4_000) stderr += chunk.toString('utf8');
    });
    child.on('error', (error) => resolve({ code: null, stderr: error.message }));
    child.on('close', (code) => resolve({ code, stderr }));
  });
}

function start(file: string, args: string[], otherUid: boolean) {
  return spawn(file, args, {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: PROBE_MS,
    killSignal: 'SIGKILL',
    ...(otherUid ? { uid: 65_519, gid: 65_519 } : {}),
  });
}
