import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { encodeFrame, FrameReader, type HostFrame, type WorkerFrame } from '../wire/frames.js';
import { CpuPriority } from './cpu-priority.js';
import { childrenOf, killTree } from './kill-tree.js';
import { residentBytes } from './resident-memory.js';
import type { Worker, WorkerExit } from './sandbox.js';
import type { Watchdog, Watched } from './watchdog.js';

const STDERR_BYTES = 4_000;
/** How long the pipe of a process that has ended is read for its last frames, in milliseconds. */
const LAST_WORDS_MS = 200;

export interface WorkerOptions {
  readonly watchdog: Watchdog;
  /** Resident bytes that a run with `memoryMb` may reach, everything of the process included. */
  readonly residentLimit: (memoryMb: number) => number;
}

/** A worker that is a child process with frames on its standard input and output. */
export class ProcessWorker implements Worker {
  readonly id = randomBytes(8).toString('hex');
  readonly exited: Promise<WorkerExit>;
  readonly #child: ChildProcess;
  readonly #options: WorkerOptions;
  readonly #reader = new FrameReader();
  /** Inside bubblewrap, if it is there. */
  readonly #priority = new CpuPriority(() => {
    const { pid } = this.#child;
    const inner = pid === undefined ? undefined : (childrenOf(pid)[0] ?? pid);
    return { code: inner, session: inner };
  });
  #receiver: ((frame: WorkerFrame) => void) | undefined;
  #early: WorkerFrame[] = [];
  #reason: WorkerExit['reason'] = 'exited';
  #detail = '';
  #stderr = '';
  #watched: Watched | undefined;
  #unwatch: (() => void) | undefined;

  constructor(child: ChildProcess, options: WorkerOptions) {
    this.#child = child;
    this.#options = options;
    this.exited = new Promise((resolve) => {
      const end = (code: number | null, signal: string | null): void => {
        this.#unwatch?.();
        resolve({ reason: this.#reason, code, signal, detail: this.#detail || this.#stderr.trim() });
      };
      // What it wrote last is still in the pipe, and `close` comes when that is read. Not for ever: a stray descendant
      // could hold the pipe open. Whoever we killed has nothing more to say.
      child.on('close', end);
      child.on('exit', (code, signal) => {
        if (this.#reason === 'exited') setTimeout(end, LAST_WORDS_MS, code, signal);
        else setImmediate(end, code, signal);
      });
      child.on('error', (error) => {
        this.#detail = error.message;
        end(null, null);
      });
    });
    child.stdout?.on('data', (chunk: Buffer) => this.#receive(chunk));
    child.stderr?.on('data', (chunk: Buffer) => {
      if (this.#stderr.length < STDERR_BYTES) this.#stderr += chunk.toString('utf8').slice(0, STDERR_BYTES);
    });
    // A worker that is gone shows as its exit; the broken pipe itself is no news.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined);
  }

  onFrame(receiver: (frame: WorkerFrame) => void): void {
    this.#receiver = receiver;
    for (const frame of this.#early.splice(0)) receiver(frame);
  }

  send(frame: HostFrame): void {
    const { stdin } = this.#child;
    if (!stdin?.writable) return;
    stdin.cork();
    for (const chunk of encodeFrame(frame.message, frame.payload)) stdin.write(chunk);
    stdin.uncork();
  }

  async drained(): Promise<void> {
    const { stdin } = this.#child;
    if (!stdin?.writableNeedDrain) return;
    await Promise.race([new Promise((resolve) => stdin.once('drain', resolve)), this.exited]);
  }

  pause(): void {
    this.#child.stdout?.pause();
  }

  resume(): void {
    this.#child.stdout?.resume();
  }

  limitMemory(memoryMb: number): void {
    this.#unwatch?.();
    const { pid } = this.#child;
    if (pid === undefined) return;
    this.#watched = {
      pid,
      isResting: false,
      limitBytes: this.#options.residentLimit(memoryMb),
      onExceeded: (bytes) => {
        this.#detail = `resident memory of ${Math.round(bytes / 1e6)} MB`;
        this.#end('memory');
      },
    };
    this.#unwatch = this.#options.watchdog.watch(this.#watched);
  }

  rest(): void {
    if (this.#watched) this.#watched.isResting = true;
  }

  lowerPriority(forGood: boolean): void {
    if (this.#isAlive()) this.#priority.lower(forGood);
  }

  restorePriority(): void {
    if (this.#isAlive()) this.#priority.restore();
  }

  async residentBytes(): Promise<number | undefined> {
    const { pid } = this.#child;
    return pid === undefined ? undefined : residentBytes(pid);
  }

  async kill(): Promise<void> {
    this.#end('killed');
    await this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #receive(chunk: Buffer): void {
    let frames: WorkerFrame[];
    try {
      frames = this.#reader.push(chunk);
    } catch (error) {
      this.#detail = error instanceof Error ? error.message : String(error);
      this.#end('protocol');
      this.#child.stdout?.destroy();
      return;
    }
    for (const frame of frames) {
      if (this.#receiver) this.#receiver(frame);
      else this.#early.push(frame);
    }
  }

  #end(reason: WorkerExit['reason']): void {
    const { pid } = this.#child;
    if (pid === undefined || !this.#isAlive()) return;
    if (this.#reason === 'exited') this.#reason = reason;
    killTree(pid, () => this.#isAlive());
  }

  #isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }
}
