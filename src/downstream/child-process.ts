import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { sleep } from '../core/sleep.js';
import { batchCommand } from './windows-command.js';

/** What is started, completely: nothing of our own environment is added. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How long a server may take to end by itself once its input ended, and again after SIGTERM, in milliseconds. */
const END_GRACE_MS = 1_000;
/** How long the output of a process that has ended is still read; a stray descendant may hold the pipe open. */
const LAST_WORDS_MS = 200;

/** A running server process, the leader of a group of its own (except on Windows). */
export class ServerProcess {
  readonly stdin: ChildProcessWithoutNullStreams['stdin'];
  readonly stdout: ChildProcessWithoutNullStreams['stdout'];
  readonly stderr: ChildProcessWithoutNullStreams['stderr'];
  readonly pid: number;
  /** Resolves when the process is gone and its output is read, with the code or signal in words. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;

  private constructor({ child, pid }: Spawned, guard: OrphanGuard) {
    this.#child = child;
    this.pid = pid;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    guard.add(pid);
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()));
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    this.ended = this.#exited.then(async () => {
      await Promise.race([closed, sleep(LAST_WORDS_MS)]);
      // What the leader leaves behind in its group ends with it.
      if (process.platform !== 'win32') signalGroup(pid, 'SIGKILL');
      guard.remove(pid);
      const { exitCode, signalCode } = child;
      return signalCode === null ? `exit code ${exitCode}` : signalCode;
    });
  }

  /**
   * Starts the command, without a shell. On Windows what is no program file is tried as a batch file.
   * @throws the error of `spawn` with its `code`, such as `ENOENT`
   */
  static async start(command: Command, guard: OrphanGuard): Promise<ServerProcess> {
    try {
      return new ServerProcess(await spawned(command, command.command, command.args), guard);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (process.platform !== 'win32' || (code !== 'ENOENT' && code !== 'EINVAL')) throw error;
      const batch = batchCommand(command.command, command.args, command.env.COMSPEC);
      return new ServerProcess(await spawned(command, batch.file, batch.args, true), guard);
    }
  }

  /** Ends the process and its group: end of input, then SIGTERM, then SIGKILL. Idempotent; never longer than 2.2 s. */
  async end(): Promise<void> {
    this.stdin.end();
    if (!(await within(this.#exited, END_GRACE_MS))) {
      signalGroup(this.pid, 'SIGTERM');
      if (!(await within(this.#exited, END_GRACE_MS))) this.kill();
    }
    await this.ended;
  }

  kill(): void {
    signalGroup(this.pid, 'SIGKILL');
    this.#child.kill('SIGKILL');
  }
}

interface Spawned {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
}

async function spawned(
  { cwd, env }: Command,
  file: string,
  args: readonly string[],
  verbatim = false,
): Promise<Spawned> {
  const child = spawn(file, args, {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    shell: false,
    // A group of its own: Ctrl-C in the terminal is for us, and one signal reaches what npx starts as well.
    detached: process.platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: verbatim,
  });
  // Errors of a pipe show as the end of the process; without a listener a late EPIPE would end us.
  child.stdin.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.on('error', reject);
  });
  if (child.pid === undefined) throw new Error('a process without an id');
  return { child, pid: child.pid };
}

/**
 * Ends the process groups that are left when this process dies without a chance to, even by SIGKILL. A shell waits on a
 * pipe that only we hold; when it breaks, servers get two seconds to end by themselves, as good ones do at the end of
 * their input. Not on Windows.
 */
export class OrphanGuard {
  #shell: ChildProcess | undefined;

  add(pid: number): void {
    if (process.platform === 'win32') return;
    this.#shell ??= startGuard();
    this.#shell.stdin?.write(`add ${pid}\n`);
  }

  remove(pid: number): void {
    this.#shell?.stdin?.write(`remove ${pid}\n`);
  }

  /** The shell ends at once when no group is left. */
  close(): void {
    this.#shell?.stdin?.end();
    this.#shell = undefined;
  }
}

const GUARD = `set -f
groups=
while read -r what group; do
  if [ "$what" = add ]; then groups="$groups $group"; continue; fi
  rest=
  for one in $groups; do [ "$one" = "$group" ] || rest="$rest $one"; done
  groups=$rest
done
[ -n "$groups" ] || exit 0
sleep 2
for one in $groups; do kill -KILL "-$one"; done`;

function startGuard(): ChildProcess {
  const shell = spawn('/bin/sh', ['-c', GUARD], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    // Out of our group: what kills the group must not kill its guard.
    detached: true,
  });
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  return shell;
}

function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    // There are no groups; taskkill follows the tree of parents.
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}

async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return Promise.race([promise.then(() => true), sleep(ms).then(() => false)]);
}
