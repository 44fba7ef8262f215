import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { MIB } from '../../core/limits.js';
import { encodeFrame, FrameReader, type HostFrame, type WorkerFrame } from '../../wire/frames.js';
import type { ManifestEntry } from '../../wire/messages.js';
import { CpuPriority } from '../cpu-priority.js';
import type { Worker, WorkerExit } from '../sandbox.js';
import { lastWords } from '../wasm/guest/last-words.js';
import type { Watchdog, Watched } from '../watchdog.js';
import type { Guest, Jail, RunEnd } from './jail.js';
import { JailMemory } from './jail-memory.js';

/** How long the connection of a process that has ended is read for its last frames, in milliseconds. */
const LAST_FRAMES_MS = 200;
/** A trusted process that collects files has this long, in milliseconds. */
const COLLECT_MS = 10_000;
/** Text of C code without a line break is passed on from here on. */
const LINE_BYTES = 64 * 1024;

/** How the dump of a dying interpreter begins. */
const DUMP =
  /^(?:Fatal Python error: |(?:Stack|(?:Current t|T)hread 0x[0-9a-f]+.*) \(most recent call first\):)/m;

/** The first line after a signal says less than the place that follows. */
const SIGNAL =
  /^Fatal Python error: (?:Segmentation fault|Aborted|Bus error|Floating point exception|Illegal instruction)$/;

interface OpenRun {
  readonly id: string;
  readonly diskBytes: number;
}

/** A process forked in a jail for one fresh run or one session. */
export class NativeWorker implements Worker {
  readonly id = randomBytes(8).toString('hex');
  readonly exited: Promise<WorkerExit>;
  readonly #jail: Jail;
  readonly #guest: Guest;
  readonly #watchdog: Watchdog;
  readonly #memory: JailMemory;
  readonly #reader = new FrameReader();
  readonly #early: WorkerFrame[] = [];
  readonly #priority = new CpuPriority(() => ({ code: this.#memory.pid, session: this.#jail.parentPid }));
  #receiver: ((frame: WorkerFrame) => void) | undefined;
  #reason: WorkerExit['reason'] = 'exited';
  #detail = '';
  #ended = false;
  #watched: Watched | undefined;
  #unwatch: (() => void) | undefined;
  /** The run that has no `done` yet: what it wrote has to be fetched if it dies. */
  #open: OpenRun | undefined;
  #manifest: readonly ManifestEntry[] = [];

  constructor(jail: Jail, guest: Guest, watchdog: Watchdog) {
    this.#jail = jail;
    this.#guest = guest;
    this.#watchdog = watchdog;
    this.#memory = new JailMemory(jail, guest.pid);
    guest.data.on('data', (chunk: Buffer) => this.#receive(this.#reader, chunk));
    guest.data.on('error', () => undefined);
    this.#passText(guest.text);
    this.exited = this.#untilGone();
    guest.data.resume();
    guest.text.resume();
  }

  /** Its pid on this machine. */
  get pid(): number | undefined {
    return this.#memory.pid;
  }

  onFrame(receiver: (frame: WorkerFrame) => void): void {
    this.#receiver = receiver;
    for (const frame of this.#early.splice(0)) receiver(frame);
  }

  send(frame: HostFrame): void {
    const { message } = frame;
    if (message.type === 'run') {
      this.#open = { id: message.id, diskBytes: message.diskBytes };
      if (message.manifest) this.#manifest = message.manifest;
    }
    const { data } = this.#guest;
    if (!data.writable) return;
    data.cork();
    for (const chunk of encodeFrame(message, frame.payload)) data.write(chunk);
    data.uncork();
  }

  async drained(): Promise<void> {
    const { data } = this.#guest;
    if (!data.writableNeedDrain) return;
    await Promise.race([new Promise((resolve) => data.once('drain', resolve)), this.exited]);
  }

  pause(): void {
    this.#guest.data.pause();
    this.#guest.text.pause();
  }

  resume(): void {
    this.#guest.data.resume();
    this.#guest.text.resume();
  }

  limitMemory(memoryMb: number): void {
    this.#unwatch?.();
    this.#memory.begin();
    this.#watched = {
      pid: this.#guest.pid,
      isResting: false,
      measure: () => this.#memory.used(),
      limitBytes: (memoryMb + 32) * MIB,
      onExceeded: (bytes) => {
        this.#detail = `${Math.round(bytes / 1e6)} MB of memory`;
        void this.#end('memory');
      },
    };
    this.#unwatch = this.#watchdog.watch(this.#watched);
  }

  rest(): void {
    if (this.#watched) this.#watched.isResting = true;
  }

  lowerPriority(forGood: boolean): void {
    if (!this.#ended) this.#priority.lower(forGood);
  }

  restorePriority(): void {
    this.#priority.restore();
  }

  residentBytes(): Promise<number | undefined> {
    return this.#memory.resident();
  }

  async kill(): Promise<void> {
    await this.#end('killed');
    await this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  async #end(reason: WorkerExit['reason']): Promise<void> {
    if (this.#ended) return;
    if (this.#reason === 'exited') this.#reason = reason;
    // A process that is dead says nothing more, and a paused connection would never be seen to end.
    if (reason === 'protocol') this.#guest.data.destroy();
    else this.resume();
    await this.#jail.endRun();
  }

  /** The end of the process, of what it wrote last, and of fetching its files. */
  async #untilGone(): Promise<WorkerExit> {
    const closed = Promise.all([untilClosed(this.#guest.data), untilClosed(this.#guest.text)]);
    const end: RunEnd = await this.#guest.ended;
    this.#ended = true;
    this.#unwatch?.();
    // The jail is in the same group and goes on.
    this.#priority.restore();
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, LAST_FRAMES_MS))]);
    for (const socket of [this.#guest.data, this.#guest.text]) socket.destroy();
    if (this.#open && this.#jail.parentPid !== undefined) await this.#collect(this.#open);
    if (this.#reason === 'exited' && end.signal === 'SIGKILL' && this.#jail.ranOut()) this.#reason = 'memory';
    return { reason: this.#reason, ...end, detail: this.#detail || this.#jail.lastWords };
  }

  async #collect(run: OpenRun): Promise<void> {
    const timer = setTimeout(() => void this.#jail.close(), COLLECT_MS);
    try {
      const connection = await this.#jail.collect();
      const bytes = run.diskBytes + this.#manifest.reduce((sum, { size }) => sum + size, 0);
      const request = Buffer.from(JSON.stringify({ run: run.id, manifest: this.#manifest, bytes }));
      const prefix = Buffer.alloc(8);
      prefix.writeUInt32BE(request.length, 0);
      connection.write(Buffer.concat([prefix, request]));
      const reader = new FrameReader();
      connection.on('data', (chunk: Buffer) => this.#receive(reader, chunk));
      const closed = untilClosed(connection);
      connection.resume();
      await closed;
    } catch (error) {
      this.#detail ||= error instanceof Error ? error.message : String(error);
    } finally {
      clearTimeout(timer);
    }
  }

  #receive(reader: FrameReader, chunk: Buffer): void {
    let frames: WorkerFrame[];
    try {
      frames = reader.push(chunk);
    } catch (error) {
      this.#detail = error instanceof Error ? error.message : String(error);
      void this.#end('protocol');
      return;
    }
    for (const frame of frames) {
      if (frame.message.type === 'done' && frame.message.id === this.#open?.id) this.#open = undefined;
      this.#deliver(frame);
    }
  }

  #deliver(frame: WorkerFrame): void {
    if (this.#receiver) this.#receiver(frame);
    else this.#early.push(frame);
  }

  /** What C code prints, by lines, without the dump of a dying interpreter. */
  #passText(text: Socket): void {
    let passed = '';
    const print = lastWords((line) => {
      passed += `${line}\n`;
    });
    const deliver = (): void => {
      if (passed === '') return;
      this.#deliver({ message: { type: 'out', stream: 'stderr' }, payload: Buffer.from(passed) });
      passed = '';
    };
    let rest = '';
    let dumping = false;
    text.setEncoding('utf8');
    text.on('error', () => undefined);
    text.on('data', (chunk: string) => {
      const all = rest + chunk;
      const cut = all.length >= LINE_BYTES + chunk.length ? all.length : all.lastIndexOf('\n') + 1;
      rest = all.slice(cut);
      dumping ||= DUMP.test(all);
      // Lines are looked at only where there is something to leave out: a flood of them is as cheap as one of bytes.
      if (!dumping) passed = all.slice(0, cut);
      else {
        const lines = all.slice(0, cut).split('\n').slice(0, -1);
        for (const line of lines.filter((one) => one !== '' && !SIGNAL.test(one))) print(line);
      }
      deliver();
    });
    text.on('end', () => {
      if (dumping && rest !== '') print(rest);
      else passed = rest;
      deliver();
    });
  }
}

function untilClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
}
