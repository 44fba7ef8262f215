import { CodeExecutionError } from '../core/errors.js';
import type { FileChange } from '../core/outcome.js';
import type { Worker } from '../sandbox/sandbox.js';
import { FILE_PART_BYTES, type WorkerFrame } from '../wire/frames.js';
import type { WorkspaceView } from '../workspace/workspace.js';

/** Bytes of a worker's frames that may wait for the disk before its pipe is no longer read. */
const MAX_QUEUED_BYTES = 32 * 1024 * 1024;
/** What a waiting frame counts beside its payload, so that a flood of empty ones is held up as well. */
const FRAME_BYTES = 16 * 1024;
const MAX_PROBLEMS = 10;
/** Most that comes with one asked file; the guest asks for less. */
const MAX_AHEAD_BYTES = 4 * 1024 * 1024;
/** Bytes that may be on their way to a worker that has not read yet. */
const MAX_UNREAD_BYTES = 2 * FILE_PART_BYTES;
const REPLY_BYTES = 200;
/** Reads that one request may have open at a time. */
const PARALLEL_READS = 16;

/** A change that could not be saved. */
export interface FileProblem {
  /** Absent: putting the changes in place failed as a whole. */
  readonly path?: string;
  readonly error: CodeExecutionError;
}

/** The file frames of one run, handled one after the other in the order in which they came. */
export class FileTraffic {
  readonly #worker: Worker;
  readonly #view: WorkspaceView;
  #queue: Promise<void> = Promise.resolve();
  #queuedBytes = 0;
  #bytesRead = 0;
  #stop: () => void = () => undefined;
  readonly #stopped = new Promise<void>((resolve) => {
    this.#stop = resolve;
  });
  #reading = true;
  #unreadBytes = 0;
  #sizes: ReadonlyMap<string, number> | undefined;
  /** What could not be saved; the first is the most telling. */
  readonly problems: FileProblem[] = [];

  constructor(worker: Worker, view: WorkspaceView) {
    this.#worker = worker;
    this.#view = view;
  }

  /** Bytes of workspace files that the code opened; neighbours that came along unasked do not count. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** Answers no more reads; resolves when every change that was handed over is on disk, or failed into `problems`. */
  async settled(): Promise<void> {
    this.#reading = false;
    this.#stop();
    await this.#queue;
  }

  /** Puts the changes in place. What cannot be put there is a problem of the run, not a fault of the server. */
  async commit(): Promise<readonly FileChange[]> {
    try {
      return await this.#view.commit();
    } catch (error) {
      this.#note(error);
      return [];
    }
  }

  handle(frame: WorkerFrame): void {
    const bytes = frame.payload.length + FRAME_BYTES;
    this.#queuedBytes += bytes;
    if (this.#queuedBytes > MAX_QUEUED_BYTES) this.#worker.pause();
    this.#queue = this.#queue.then(async () => {
      try {
        await this.#apply(frame);
      } catch (error) {
        this.#note(error, 'path' in frame.message ? frame.message.path : undefined);
      }
      this.#queuedBytes -= bytes;
      if (this.#queuedBytes <= MAX_QUEUED_BYTES) this.#worker.resume();
    });
  }

  async #apply({ message, payload }: WorkerFrame): Promise<void> {
    if (message.type === 'file') {
      await this.#view.stage(message.path, { offset: message.offset, bytes: payload, last: message.last });
    } else if (message.type === 'folder') await this.#view.stageFolder(message.path);
    else if (message.type === 'remove') await this.#view.stageRemoval(message.path);
    else if (message.type === 'read') await this.#answerRead(message.id, message.path, message.ahead);
  }

  async #answerRead(id: number, path: string, ahead: readonly string[]): Promise<void> {
    if (!this.#reading) return;
    try {
      const asked = await this.#view.read(path);
      this.#bytesRead += asked.length;
      await this.#sendContent(path, asked);
      const others = this.#allowedAhead(ahead);
      for (let at = 0; at < others.length && this.#reading; at += PARALLEL_READS) {
        const batch = others.slice(at, at + PARALLEL_READS);
        const contents = await Promise.all(
          batch.map((other) => this.#view.read(other).catch(() => undefined)),
        );
        for (const [index, other] of batch.entries()) {
          const content = contents[index];
          if (content) await this.#sendContent(other, content);
        }
      }
      this.#worker.send(frameOf({ type: 'reply', id, ok: true }));
    } catch (error) {
      const code = error instanceof CodeExecutionError ? error.code : 'internal';
      this.#worker.send(frameOf({ type: 'reply', id, ok: false, code, message: 'the file cannot be read' }));
    }
    await this.#sent(REPLY_BYTES);
  }

  /** Each once, as long as they fit: a request for 256 times the largest file must not fill the memory. */
  #allowedAhead(ahead: readonly string[]): string[] {
    this.#sizes ??= new Map(this.#view.entries.map((entry) => [entry.path, entry.size]));
    const allowed: string[] = [];
    let bytes = 0;
    for (const path of new Set(ahead)) {
      bytes += this.#sizes.get(path) ?? 0;
      if (bytes > MAX_AHEAD_BYTES) break;
      if (this.#sizes.has(path)) allowed.push(path);
    }
    return allowed;
  }

  /** As fast as the worker takes it: one that never reads must not fill the memory with answers. */
  async #sendContent(path: string, content: Uint8Array): Promise<void> {
    let offset = 0;
    do {
      const end = Math.min(offset + FILE_PART_BYTES, content.length);
      const message = {
        type: 'content',
        path,
        offset,
        size: content.length,
        last: end === content.length,
      } as const;
      this.#worker.send({ message, payload: content.subarray(offset, end) });
      await this.#sent(end - offset);
      offset = end;
    } while (offset < content.length && this.#reading);
  }

  async #sent(bytes: number): Promise<void> {
    this.#unreadBytes += bytes;
    if (this.#unreadBytes < MAX_UNREAD_BYTES) return;
    await Promise.race([this.#worker.drained(), this.#stopped]);
    this.#unreadBytes = 0;
  }

  #note(cause: unknown, path?: string): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    const error =
      cause instanceof CodeExecutionError
        ? cause
        : new CodeExecutionError('internal', 'a file could not be saved', undefined, { cause });
    this.problems.push({ error, ...(path === undefined ? {} : { path }) });
  }
}

const NO_BYTES = new Uint8Array(0);

function frameOf(message: Parameters<Worker['send']>[0]['message']): Parameters<Worker['send']>[0] {
  return { message, payload: NO_BYTES };
}
