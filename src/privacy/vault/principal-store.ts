import path from 'node:path';
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { CodeExecutionError } from '../../core/errors.js';
import type { Logger } from '../../core/logger.js';
import { eraseSecret, fileIdentity } from '../../fs/secret-file.js';
import { type Segment, SegmentFolder } from '../../fs/segment-files.js';
import type { Entry, KeptValue } from './entry.js';
import { keysInFile, type PrincipalKeys } from './principal-keys.js';
import { framesIn, MAX_FRAME_VALUES, openFrame, type SealedFrame, sealFrame } from './sealed-frame.js';

/** Counters that come with a segment. A process that adds one value uses up so many: there are a million such blocks. */
export const COUNTERS_PER_SEGMENT = 1024;
/** Frames in one write: a turn of the event loop. */
const FRAMES_PER_WRITE = 8;
/** So many segments of processes that are gone are worth being written together. */
const MANY_SEGMENTS = 8;

export interface StoreOptions {
  /** Of this principal only. */
  readonly folder: string;
  readonly principal: string;
  /** 32 bytes */
  readonly masterKey: Uint8Array;
  readonly logger: Logger;
}

/** What is known of a segment. */
interface SegmentState {
  /** Up to where it was read; 0 before its header was seen. */
  offset: number;
  /** Records in it that mean nothing any more. */
  garbage: number;
  /** Of keys that were erased, or damaged: not read (on). */
  isClosed: boolean;
}

/**
 * The values of one principal on disk. Every process appends to segments of its own, so none tears what another writes; the
 * number of a segment, made exclusively, is also the block of counters that its process gives out, so two processes never
 * give one token to two values. A record is a whole value with its time of use; of several the newest counts.
 */
export class PrincipalStore {
  readonly keys: PrincipalKeys;
  readonly #options: StoreOptions;
  readonly #files: SegmentFolder;
  readonly #keyIdentity: string | undefined;
  readonly #states = new Map<number, SegmentState>();
  readonly #own: Segment[] = [];
  #highest = -1;
  #nextCounter = 0;
  #endOfBlock = 0;
  #queue = new Set<Entry>();
  #writing: Promise<void> | undefined;
  #isFailing = false;
  #isOver = false;

  /** @throws CodeExecutionError `config_error` when the key cannot be read or is another. */
  constructor(options: StoreOptions) {
    this.#options = options;
    this.#files = new SegmentFolder(options.folder);
    const file = keyFileIn(options.folder);
    for (;;) {
      const before = fileIdentity(file);
      const keys = keysInFile(file, options.masterKey, options.principal);
      if (before !== undefined && before === fileIdentity(file)) {
        this.keys = keys;
        this.#keyIdentity = before;
        return;
      }
      keys.erase(); // made just now, or erased meanwhile: look again
    }
  }

  /** True once another process (or {@link eraseStored}) has erased the principal. */
  isErased(): boolean {
    return fileIdentity(keyFileIn(this.#options.folder)) !== this.#keyIdentity;
  }

  /** Counters from here on were not given out by anybody, as far as is known here. */
  get issued(): number {
    return (this.#highest + 1) * COUNTERS_PER_SEGMENT;
  }

  /** A counter that no process has given out or will. @throws CodeExecutionError `disk_limit` when that cannot be made sure. */
  takeCounter(): number {
    if (this.#nextCounter === this.#endOfBlock) {
      try {
        this.#claim();
      } catch (cause) {
        throw new CodeExecutionError(
          'disk_limit',
          'No token can be given out, for the vault cannot be written.',
          'Make room in the data folder of the server, or set privacy.keep to false.',
          { cause },
        );
      }
    }
    return this.#nextCounter++;
  }

  /** Writes the value soon; what it is at that time. */
  enqueue(entry: Entry): void {
    if (this.#isOver) return;
    this.#queue.add(entry);
    if (this.#writing === undefined) this.#write().catch((error: unknown) => this.#logFailure(error));
  }

  /** The value was taken out of memory. */
  drop(entry: Entry): void {
    this.#queue.delete(entry);
    this.noteGarbage(entry.segment);
  }

  noteGarbage(segment: number): void {
    const state = this.#states.get(segment);
    if (state !== undefined) state.garbage += 1;
  }

  /** Resolves when everything enqueued before is on the disk itself; fails when it could not be written. */
  async flush(): Promise<void> {
    while (!this.#isOver && (this.#writing !== undefined || this.#queue.size > 0)) await this.#write();
    if (!this.#isOver) this.#own.at(-1)?.sync();
  }

  /** What other processes have written since the last call, a frame at a time, unless `isKnown` says that it is no news. */
  *read(isKnown: (frame: SealedFrame) => boolean): Generator<{ values: KeptValue[]; segment: number }> {
    const { principal, logger } = this.#options;
    for (const segment of this.#files.numbers()) {
      this.#highest = Math.max(this.#highest, segment);
      const state = this.#stateOf(segment);
      if (state.isClosed || this.#own.some(({ number }) => number === segment)) continue;
      if (state.offset === 0 && !this.#readHeader(segment, state)) continue;
      if ((this.#files.stat(segment)?.size ?? 0) <= state.offset) continue;
      const { frames, length, isDamaged } = framesIn(this.#files.read(segment, state.offset));
      state.offset += length;
      state.isClosed = isDamaged;
      if (isDamaged)
        logger.warn({ segment }, 'a file of the vault is damaged; what stands behind it is lost');
      for (const frame of frames) {
        if (isKnown(frame)) continue;
        const values = openFrame(this.keys.frame, principal, frame);
        if (values !== undefined) yield { values, segment };
        else {
          state.garbage += 1;
          logger.warn({ segment }, 'a part of a file of the vault was changed by others and is not used');
        }
      }
    }
  }

  /**
   * Writes the values that still count out of segments with garbage into a new one and removes those segments; only own
   * ones and those of processes that are gone.
   *
   * @param readNews reads what others have written, into the entries; after it is known who is gone, so that nothing is missed.
   * @param forgottenBefore segments of any host that nobody appended to since then, in ms since 1970, hold only expired values.
   */
  async compact(
    readNews: () => void,
    entries: () => Iterable<Entry>,
    forgottenBefore: number,
  ): Promise<void> {
    if (this.#isOver) return;
    const numbers = this.#files.numbers();
    const gone = numbers.filter((number) => this.#isAbandoned(number, forgottenBefore));
    readNews();
    const own = new Set(this.#own.map((segment) => segment.number));
    const targets = new Set(
      numbers.filter((number) => {
        const garbage = this.#states.get(number)?.garbage ?? 0;
        return gone.includes(number)
          ? gone.length >= MANY_SEGMENTS || garbage > 0
          : own.has(number) && garbage > 0;
      }),
    );
    if (targets.size === 0) return;
    // The highest number must stay known, or it would be given out again.
    this.#claim();
    await this.flush();
    for (const entry of entries()) if (targets.has(entry.segment)) this.enqueue(entry);
    await this.flush();
    if (this.#isOver) return;
    for (const number of targets) {
      this.#files.remove(number);
      this.#states.delete(number);
      const index = this.#own.findIndex((segment) => segment.number === number);
      for (const segment of index === -1 ? [] : this.#own.splice(index, 1)) segment.close();
    }
  }

  /** Writes what is waiting, then lets go of the files and the keys. */
  async close(): Promise<void> {
    await this.flush().finally(() => this.abandon());
  }

  /** The principal was erased: nothing more is written, and what this process wrote goes. Memory of the keys is wiped. */
  async abandon(removeOwn = false): Promise<void> {
    this.#isOver = true;
    this.#queue.clear();
    this.keys.erase();
    const own = this.#own.splice(0);
    if (removeOwn) for (const { number } of own) this.#files.remove(number);
    // A handle must not be closed under a write: its number would be given out again.
    await this.#writing?.catch(() => undefined);
    for (const segment of own) segment.close();
  }

  #claim(): void {
    const segment = this.#files.claim(this.#highest + 1, this.keys.id);
    this.#own.push(segment);
    this.#states.set(segment.number, { offset: 0, garbage: 0, isClosed: false });
    this.#highest = Math.max(this.#highest, segment.number);
    this.#nextCounter = segment.number * COUNTERS_PER_SEGMENT;
    this.#endOfBlock = this.#nextCounter + COUNTERS_PER_SEGMENT;
  }

  #write(): Promise<void> {
    this.#writing ??= this.#drain().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #drain(): Promise<void> {
    await yieldToLoop();
    while (this.#queue.size > 0 && !this.#isOver) {
      if (this.#own.length === 0) this.#claim();
      const segment = this.#own.at(-1);
      const batch = [...this.#queue].slice(0, MAX_FRAME_VALUES * FRAMES_PER_WRITE);
      const frames: Buffer[] = [];
      for (let from = 0; from < batch.length; from += MAX_FRAME_VALUES)
        frames.push(
          sealFrame(this.keys.frame, this.#options.principal, batch.slice(from, from + MAX_FRAME_VALUES)),
        );
      const written = batch.map((entry) => entry.usedAt);
      // Out of the queue before the write: what is used meanwhile comes in again.
      for (const entry of batch) this.#queue.delete(entry);
      try {
        await segment?.append(Buffer.concat(frames));
      } catch (error) {
        if (!this.#isOver) for (const entry of batch) this.#queue.add(entry);
        throw error;
      }
      this.#isFailing = false;
      for (const [index, entry] of batch.entries()) {
        this.noteGarbage(entry.segment);
        entry.segment = segment?.number ?? -1;
        entry.storedAt = written[index] ?? 0;
      }
    }
  }

  #logFailure(error: unknown): void {
    if (!this.#isFailing) this.#options.logger.error({ err: error }, 'values of the vault cannot be written');
    this.#isFailing = true;
  }

  #stateOf(segment: number): SegmentState {
    let state = this.#states.get(segment);
    if (state === undefined) {
      state = { offset: 0, garbage: 0, isClosed: false };
      this.#states.set(segment, state);
    }
    return state;
  }

  /** False while the segment is being made, or when it belongs to keys that were erased. */
  #readHeader(segment: number, state: SegmentState): boolean {
    const header = this.#files.header(segment);
    if (header === undefined) return false;
    state.offset = header.bytes;
    state.isClosed = header.label !== this.keys.id;
    if (state.isClosed) state.garbage += 1;
    return !state.isClosed;
  }

  #isAbandoned(number: number, forgottenBefore: number): boolean {
    if (this.#own.some((segment) => segment.number === number)) return false;
    const stat = this.#files.stat(number);
    if (stat === undefined) return false;
    const header = this.#files.header(number);
    return header?.isHeld === false || stat.mtimeMs < forgottenBefore;
  }
}

/** Erases a principal on disk: the key first, and with it the sense of all the rest. Needs no key. */
export function eraseStored(folder: string): void {
  eraseSecret(keyFileIn(folder));
  const files = new SegmentFolder(folder);
  for (const number of files.numbers()) files.remove(number);
  files.removeIfEmpty();
}

function keyFileIn(folder: string): string {
  return path.join(folder, 'key');
}
