import { CodeExecutionError } from '../core/errors.js';
import { type HostMessage, type WorkerMessage, workerMessageSchema } from './messages.js';

/** A message and its binary payload. */
export interface Frame<M> {
  readonly message: M;
  readonly payload: Uint8Array;
}
export type HostFrame = Frame<HostMessage>;
export type WorkerFrame = Frame<WorkerMessage>;

/** Bytes before a header: two unsigned 32-bit big-endian lengths, of the header and of the payload. */
export const PREFIX_BYTES = 8;
/** Longest header: a `done` with every field at its cap. */
export const MAX_HEADER_BYTES = 2 * 1024 * 1024;
/** Longest payload: the largest result, or one part of a file. Longer files travel in parts. */
export const MAX_PAYLOAD_BYTES = 24 * 1024 * 1024;
/** Size of the parts in which files travel. */
export const FILE_PART_BYTES = 4 * 1024 * 1024;

/** Chunks that may wait side by side; a worker that writes byte by byte would otherwise cost 100 bytes for each. */
const MAX_LOOSE_CHUNKS = 4_096;
const EMPTY = new Uint8Array(0);
/** Made once: making one costs as much as reading a short frame. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The chunks to write for one frame; the payload is not copied. */
export function encodeFrame(message: HostMessage, payload: Uint8Array = EMPTY): Uint8Array[] {
  const header = Buffer.from(JSON.stringify(message), 'utf8');
  const head = Buffer.allocUnsafe(PREFIX_BYTES + header.length);
  head.writeUInt32BE(header.length, 0);
  head.writeUInt32BE(payload.length, 4);
  header.copy(head, PREFIX_BYTES);
  return payload.length > 0 ? [head, payload] : [head];
}

/**
 * Reassembles frames from a worker's byte stream in linear time. Hostile input: lengths are checked before anything is
 * allocated for them, and the first violation throws `crashed` and poisons the reader.
 */
export class FrameReader {
  #chunks: Uint8Array[] = [];
  /** How many of the first chunks have been joined from many. */
  #joined = 0;
  #buffered = 0;
  #need = PREFIX_BYTES;
  #headerBytes = -1;
  #payloadBytes = 0;
  #broken = false;

  /** Feeds bytes, returns the frames that are complete now. @throws CodeExecutionError `crashed` on a violation. */
  push(chunk: Uint8Array): WorkerFrame[] {
    if (this.#broken) throw violation('input after a violation');
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    if (this.#chunks.length - this.#joined > MAX_LOOSE_CHUNKS) this.#join();
    const frames: WorkerFrame[] = [];
    try {
      while (this.#buffered >= this.#need) {
        if (this.#headerBytes < 0) this.#readPrefix();
        else frames.push(this.#readFrame());
      }
    } catch (error) {
      this.#broken = true;
      this.#chunks = [];
      throw error;
    }
    return frames;
  }

  #readPrefix(): void {
    const prefix = this.#take(PREFIX_BYTES);
    const view = new DataView(prefix.buffer, prefix.byteOffset, PREFIX_BYTES);
    const header = view.getUint32(0);
    const payload = view.getUint32(4);
    if (header < 2 || header > MAX_HEADER_BYTES) throw violation(`header of ${header} bytes`);
    if (payload > MAX_PAYLOAD_BYTES) throw violation(`payload of ${payload} bytes`);
    this.#headerBytes = header;
    this.#payloadBytes = payload;
    this.#need = header + payload;
  }

  #readFrame(): WorkerFrame {
    const header = this.#take(this.#headerBytes);
    const payload = this.#payloadBytes > 0 ? this.#take(this.#payloadBytes) : EMPTY;
    this.#headerBytes = -1;
    this.#need = PREFIX_BYTES;
    let parsed: unknown;
    try {
      parsed = JSON.parse(UTF8.decode(header));
    } catch {
      throw violation('header is no JSON');
    }
    const result = workerMessageSchema.safeParse(parsed);
    if (!result.success) throw violation(`bad message: ${result.error.issues[0]?.message ?? ''}`);
    return { message: result.data, payload };
  }

  /** The next `n` buffered bytes as one array; copies only when they lie in several chunks. */
  #take(n: number): Uint8Array {
    this.#buffered -= n;
    const first = this.#chunks[0];
    this.#joined = 0;
    if (first && first.length >= n) {
      if (first.length === n) this.#chunks.shift();
      else this.#chunks[0] = first.subarray(n);
      return first.subarray(0, n);
    }
    const all = Buffer.concat(this.#chunks);
    this.#chunks = all.length > n ? [all.subarray(n)] : [];
    return all.subarray(0, n);
  }

  #join(): void {
    this.#chunks.push(Buffer.concat(this.#chunks.splice(this.#joined)));
    this.#joined++;
  }
}

function violation(detail: string): CodeExecutionError {
  return new CodeExecutionError('crashed', `the worker broke the protocol: ${detail}`);
}
