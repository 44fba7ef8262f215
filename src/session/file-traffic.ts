import { CodeExecutionError } from '../core/errors.js';
import type { Worker } from '../sandbox/sandbox.js';
import { FILE_PART_BYTES, type WorkerFrame } from '../wire/frames.js';
import type { WorkspaceView } from '../workspace/workspace.js';

/** Bytes of a worker's frames that may wait for the disk before its pipe is no longer read. */
const MAX_QUEUED_BYTES = 32 * 1024 * 1024;
const MAX_PROBLEMS = 10;
/** Reads that one request may have open at a time. */
const PARALLEL_READS = 16;

/** The file frames of one run, handled one after the other in the order in which they came. */
export class FileTraffic {
  readonly #worker: Worker;
  readonly #view: WorkspaceView;
  #queue: Promise<void> = Promise.resolve();
  #queuedBytes = 0;
  #bytesRead = 0;
  /** What could not be saved; the first is the most telling. */
  readonly problems: CodeExecutionError[] = [];

  constructor(worker: Worker, view: WorkspaceView) {
    this.#worker = worker;
    this.#view = view;
  }

  /** Bytes of workspace files that the code has been given. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** Resolves when everything that was handed over is on disk, or failed into `problems`. */
  async settled(): Promise<void> {
    await this.#queue;
  }

  handle(frame: WorkerFrame): void {
    this.#queuedBytes += frame.payload.length;
    if (this.#queuedBytes > MAX_QUEUED_BYTES) this.#worker.pause();
    this.#queue = this.#queue.then(async () => {
      try {
        await this.#apply(frame);
      } catch (error) {
        this.#note(error);
      }
      this.#queuedBytes -= frame.payload.length;
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
    try {
      this.#sendContent(path, await this.#view.read(path));
      for (let at = 0; at < ahead.length; at += PARALLEL_READS) {
        const batch = ahead.slice(at, at + PARALLEL_READS);
        const contents = await Promise.all(
          batch.map((other) => this.#view.read(other).catch(() => undefined)),
        );
        batch.forEach((other, index) => {
          const content = contents[index];
          if (content) this.#sendContent(other, content);
        });
      }
      this.#worker.send(frameOf({ type: 'reply', id, ok: true }));
    } catch (error) {
      const code = error instanceof CodeExecutionError ? error.code : 'internal';
      this.#worker.send(frameOf({ type: 'reply', id, ok: false, code, message: 'the file cannot be read' }));
    }
  }

  #sendContent(path: string, content: Uint8Array): void {
    this.#bytesRead += content.length;
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
      offset = end;
    } while (offset < content.length);
  }

  #note(error: unknown): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    this.problems.push(
      error instanceof CodeExecutionError
        ? error
        : new CodeExecutionError('internal', 'a file could not be saved', undefined, { cause: error }),
    );
  }
}

const NO_BYTES = new Uint8Array(0);

function frameOf(message: Parameters<Worker['send']>[0]['message']): Parameters<Worker['send']>[0] {
  return { message, payload: NO_BYTES };
}
