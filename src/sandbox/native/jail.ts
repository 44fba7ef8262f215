import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { CodeExecutionError } from '../../core/errors.js';
import { childrenOf, killTree } from '../kill-tree.js';
import type { ControlGroup, ControlGroupLimits, ControlGroups } from './control-group.js';
import type { Filters } from './filters.js';
import { CONTROL_FD, FILTER_FD, type JailPlan, jailCommand } from './jail-command.js';
import { PrivateSocket } from './private-socket.js';

export interface JailOptions extends JailPlan {
  readonly filters: Filters;
  /** Most that a run may have, in MiB. */
  readonly memoryMb: number;
  /** Modules to import before the first fork. */
  readonly preload: readonly string[];
  /** The uid and gid that the jail starts under; absent: this process's. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

/** What the jail's parent says when it is ready. */
export interface JailUp {
  readonly python: string;
  /** Version of Landlock, 0: none. */
  readonly landlock: number;
  /** Modules of `preload` that could not be imported, with the reason. */
  readonly notLoaded: readonly string[];
}

/** How the process of a run ended. */
export interface RunEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A forked process that waits for its first `run`. */
export interface Guest {
  readonly data: Socket;
  /** What C code prints. */
  readonly text: Socket;
  /** Its pid inside the jail. */
  readonly pid: number;
  readonly ended: Promise<RunEnd>;
}

type Event =
  | ({ readonly event: 'up' } & JailUp)
  | { readonly event: 'forked'; readonly pid: number }
  | ({ readonly event: 'ended' } & RunEnd)
  | { readonly event: 'collected' };

const START_MS = 60_000;
/** A parent that has not ended a run by then is killed with everything in its jail, in milliseconds. It takes 6. */
const KILL_MS = 300;
const STDERR_BYTES = 4_000;
const JAIL_DIED: RunEnd = { code: null, signal: 'SIGKILL' };

/** One jail: bubblewrap, in it the parent that forks, and at most one process that runs code. */
export class Jail {
  readonly up: Promise<JailUp>;
  /** Resolves when the jail and all in it are gone. */
  readonly gone: Promise<void>;
  readonly #process: ChildProcess;
  readonly #socket: PrivateSocket;
  readonly #control: Socket;
  readonly #waiting = new Map<Event['event'], (event: Event) => void>();
  #alive = true;
  #group: ControlGroup | undefined;
  #run: { readonly pid: number; readonly ended: Promise<RunEnd> } | undefined;
  #lines = '';
  #stderr = '';
  #endRun: (end: RunEnd) => void = () => undefined;

  private constructor(process: ChildProcess, socket: PrivateSocket, options: JailOptions) {
    this.#process = process;
    this.#socket = socket;
    this.#control = process.stdio[CONTROL_FD] as Socket;
    this.#control.on('data', (chunk: Buffer) => this.#hear(chunk));
    this.#control.on('error', () => undefined);
    process.stderr?.on('data', (chunk: Buffer) => {
      if (this.#stderr.length < STDERR_BYTES) this.#stderr += chunk.toString('utf8').slice(0, STDERR_BYTES);
    });
    this.gone = new Promise((resolve) => {
      const end = (): void => {
        if (!this.#alive) return;
        this.#alive = false;
        this.#socket.close();
        this.#endRun(JAIL_DIED);
        this.#group?.close();
        resolve();
      };
      process.on('exit', end);
      process.on('error', (error) => {
        this.#stderr += error.message;
        end();
      });
    });
    this.up = this.#start(options);
    this.up.catch(() => undefined);
  }

  static async open(options: JailOptions): Promise<Jail> {
    const socket = await PrivateSocket.open(options.user?.uid);
    let filterFd: number | undefined;
    try {
      const filter = path.join(socket.folder, 'filter');
      writeFileSync(filter, options.filters.jail.bytes);
      filterFd = openSync(filter, 'r');
      const [file = '', ...args] = jailCommand(options, hex(options.filters.sealed.bytes), socket.file);
      const stdio: ('ignore' | 'pipe' | number)[] = ['ignore', 'ignore', 'pipe'];
      stdio[CONTROL_FD] = 'pipe';
      stdio[FILTER_FD] = filterFd;
      const process = spawn(file, args, { cwd: '/', env: {}, stdio, detached: true, ...options.user });
      return new Jail(process, socket, options);
    } catch (error) {
      // An errno of setuid or setgid is thrown, not emitted.
      socket.close();
      throw error;
    } finally {
      if (filterFd !== undefined) closeSync(filterFd);
    }
  }

  /** Pid of the jail's first process on this machine; undefined when it is gone. */
  get parentPid(): number | undefined {
    const { pid } = this.#process;
    return pid === undefined || !this.#alive ? undefined : childrenOf(pid)[0];
  }

  /** Once it is up: all that it forks from now on is in a group of its own. @throws Error when the kernel refuses */
  confine(groups: ControlGroups, limits: ControlGroupLimits): void {
    const pids = [this.#process.pid, this.parentPid].filter((pid) => pid !== undefined);
    this.#group = groups.make(limits);
    for (const pid of pids) this.#group.add(pid);
  }

  /** True if the kernel has killed something in it for want of memory since the last question. */
  ranOut(): boolean {
    return this.#group?.ranOut() ?? false;
  }

  /** What the jail wrote to its standard error, for the operator's log. */
  get lastWords(): string {
    return this.#stderr.trim();
  }

  /**
   * Forks a process for one run or session; only when there is none.
   * @param practise it runs a program for itself first, so that the first real one is faster.
   * @throws CodeExecutionError `backend_unavailable` when the jail died meanwhile.
   */
  async fork(practise: boolean): Promise<Guest> {
    const [data, text] = [token(), token()];
    const ended = new Promise<RunEnd>((resolve) => {
      this.#endRun = resolve;
    });
    const connections = Promise.all([this.#socket.expect(data), this.#socket.expect(text)]);
    const forked = this.#event('forked');
    this.#order({ do: 'run', data, text, practise });
    const { pid } = await forked;
    this.#run = { pid, ended };
    void ended.then(() => {
      this.#run = undefined;
    });
    const [dataSocket, textSocket] = await this.#orGone(connections);
    return { data: dataSocket, text: textSocket, pid, ended };
  }

  /** Ends the process that runs code, at once. If the parent does not, everything in the jail is killed. */
  async endRun(): Promise<void> {
    const run = this.#run;
    if (!run) return;
    this.#order({ do: 'kill', pid: run.pid });
    // What has arrived while this process was busy is read first.
    const timer = setTimeout(() => setImmediate(() => void (this.#run === run && this.close())), KILL_MS);
    await run.ended;
    clearTimeout(timer);
  }

  /** A connection on which a trusted process sends the changed files of a run that is dead; ends when all are sent. */
  async collect(): Promise<Socket> {
    const data = token();
    const connection = this.#socket.expect(data);
    this.#order({ do: 'collect', data });
    return this.#orGone(connection);
  }

  /** Ends everything in the jail. Idempotent. */
  async close(): Promise<void> {
    const { pid } = this.#process;
    if (pid !== undefined && this.#alive) killTree(pid, () => this.#alive);
    await this.gone;
  }

  async #start(options: JailOptions): Promise<JailUp> {
    const { filters, memoryMb, preload } = options;
    const up = this.#event('up');
    const timer = setTimeout(() => void this.close(), START_MS);
    const { run } = filters;
    this.#order({ do: 'hello', runFilter: hex(run.bytes), pidOffsets: run.pidOffsets, memoryMb, preload });
    try {
      return await up;
    } finally {
      clearTimeout(timer);
    }
  }

  #order(order: object): void {
    if (this.#control.writable) this.#control.write(`${JSON.stringify(order)}\n`);
  }

  #event<K extends Event['event']>(name: K): Promise<Extract<Event, { event: K }>> {
    return this.#orGone(
      new Promise((resolve) => {
        this.#waiting.set(name, (event) => resolve(event as Extract<Event, { event: K }>));
      }),
    );
  }

  async #orGone<T>(wanted: Promise<T>): Promise<T> {
    const gone = this.gone.then(() => {
      throw new CodeExecutionError(
        'backend_unavailable',
        'the jail ended',
        'run: code-execution-mcp doctor',
        {
          cause: this.lastWords,
        },
      );
    });
    gone.catch(() => undefined);
    return Promise.race([wanted, gone]);
  }

  /** The parent is ours and reads nothing of the code's, so its lines are taken as they are. */
  #hear(chunk: Buffer): void {
    this.#lines += chunk.toString('utf8');
    const lines = this.#lines.split('\n');
    this.#lines = lines.pop() ?? '';
    for (const line of lines) {
      const event = JSON.parse(line) as Event;
      if (event.event === 'ended') this.#endRun({ code: event.code, signal: event.signal });
      const waiting = this.#waiting.get(event.event);
      this.#waiting.delete(event.event);
      waiting?.(event);
    }
  }
}

function token(): string {
  return randomBytes(16).toString('hex');
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
