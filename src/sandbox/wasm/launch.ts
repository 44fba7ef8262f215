import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { takeUid } from '../worker-uid.js';
import type { RuntimePlaces } from './runtime-folder.js';
import type { Tools } from './tools.js';

/** Where the runtime lies inside bubblewrap's view, so that no host path shows there. */
const JAIL_FOLDER = '/app';

export interface LaunchOptions {
  /** MiB that a run may have; decides the wasm cap and RLIMIT_DATA. */
  readonly memoryMb: number;
  readonly workspaceMb: number;
  /** The worker runs a program for itself before it is ready, so that the first real one is faster. */
  readonly practise?: boolean;
  /** Only while the runtime is prepared: Deno may fill its cache. */
  readonly writableDenoDir?: boolean;
}

/** V8 reserves code and heap beyond what the code uses; below about 1 GB it does not start (design/wasm.md). */
const ENGINE_DATA_MB = 1_000;
const OPEN_FILES = 256;

type GuestProgramName = 'main.js' | 'make-snapshot.js';

/** Starts a guest program in every layer that this machine has. */
export function launch(
  runtime: RuntimePlaces,
  program: GuestProgramName,
  tools: Tools,
  options: LaunchOptions,
): ChildProcess {
  const [file = '', ...args] = guestCommand(runtime, program, tools, options);
  return spawn(file, args, {
    cwd: '/',
    // DENO_DIR is all that Deno needs; the guest may not read even this.
    env: { DENO_DIR: tools.bubblewrap ? `${JAIL_FOLDER}/deno-dir` : runtime.denoDir, NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C in the terminal is for the server, and one kill reaches the whole group.
    detached: true,
    windowsHide: true,
    ...(tools.ownUid && !options.writableDenoDir ? takeUid() : {}),
  });
}

/** The program and its arguments, from the outermost layer to the innermost. */
export function guestCommand(
  runtime: RuntimePlaces,
  program: GuestProgramName,
  tools: Tools,
  options: LaunchOptions,
): string[] {
  const root = tools.bubblewrap ? JAIL_FOLDER : runtime.folder;
  const denoArguments = [
    'run',
    '--quiet',
    '--no-prompt',
    '--no-config',
    '--no-lock',
    '--no-remote',
    '--no-npm',
    '--cached-only',
    '--no-check',
    `--allow-read=${root}`,
    '--v8-flags=--disallow-code-generation-from-strings',
    path.join(root, program),
    root,
    String(options.memoryMb),
    ...(options.practise ? ['practise'] : []),
  ];
  let command = [path.join(root, path.basename(runtime.deno)), ...denoArguments];
  if (tools.bubblewrap) command = [tools.bubblewrap, ...jailArguments(runtime, options), '--', ...command];
  else if (tools.setpriv) command = [tools.setpriv, '--no-new-privs', '--pdeathsig', 'KILL', ...command];
  if (tools.shell) command = [tools.shell, '-c', limits(options), 'sh', ...command];
  return command;
}

/** `exec "$@"` passes the command on as it is: nothing is parsed by the shell but this fixed text. */
function limits(options: LaunchOptions): string {
  const dataKb = (options.memoryMb + options.workspaceMb + ENGINE_DATA_MB) * 1024;
  return `ulimit -c 0 && ulimit -n ${OPEN_FILES} && ulimit -d ${dataKb} && exec "$@"`;
}

function jailArguments(runtime: RuntimePlaces, options: LaunchOptions): string[] {
  const bind = options.writableDenoDir ? '--bind' : '--ro-bind';
  return [
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--as-pid-1',
    ...['--cap-drop', 'ALL'],
    ...['--hostname', 'sandbox'],
    // The dynamic loader and the C library; nothing else of the system.
    ...['/lib', '/lib64', '/usr/lib', '/usr/lib64'].flatMap((folder) => ['--ro-bind-try', folder, folder]),
    ...[bind, runtime.folder, JAIL_FOLDER],
    // Deno looks at /proc/self/exe and /proc/self/maps; this /proc shows the jail's own process only.
    ...['--proc', '/proc'],
    ...['--dev', '/dev'],
    ...['--remount-ro', '/'],
    ...['--chdir', '/'],
  ];
}
