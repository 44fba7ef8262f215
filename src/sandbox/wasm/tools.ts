import type { Layer } from '../sandbox.js';
import { findProgram, requireOtherUid, tryProgram } from '../try-program.js';

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
  const setpriv = findProgram('setpriv');
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

async function findShell(): Promise<string | undefined> {
  const shell = findProgram('sh');
  if (!shell) return undefined;
  const limits = 'ulimit -c 0 && ulimit -n 256 && ulimit -d 8000000';
  const { ok } = await tryProgram(shell, ['-c', limits], false);
  return ok ? shell : undefined;
}

async function tryBubblewrap(ownUid: boolean): Promise<{ path: string } | { problem: string }> {
  const path = findProgram('bwrap');
  if (!path)
    return { problem: 'bubblewrap is not installed; on Debian and Ubuntu: apt-get install bubblewrap' };
  const program = findProgram('true');
  if (!program) return { problem: 'no program to try bubblewrap with' };
  const folders = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/bin', '/usr/bin'];
  const binds = folders.flatMap((folder) => ['--ro-bind-try', folder, folder]);
  const options = ['--unshare-all', '--die-with-parent', '--new-session', '--as-pid-1', '--cap-drop', 'ALL'];
  const jail = [...options, ...binds, '--proc', '/proc', '--dev', '/dev', '--remount-ro', '/', '--', program];
  const { ok, stderr } = await tryProgram(path, jail, ownUid);
  return ok ? { path } : { problem: `bubblewrap cannot make a jail here: ${stderr.slice(0, 200)}` };
}
