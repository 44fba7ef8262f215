import { valueSize } from '../../core/value-size.js';
import type { Detection } from '../detect/detector.js';
import { mapValue } from '../rewrite/map-value.js';
import type { Origin } from '../vault/vault.js';
import type { KnownValues } from './known-values.js';

/** Bytes of results that one run keeps for a later look: 10 ms of looking. */
const MAX_NOTED_BYTES = 256 * 1024;
/** Of all runs of a principal that have not been looked through yet. */
const MAX_WAITING_BYTES = 2 * 1024 * 1024;

/** What a tool returned: UTF-8 JSON text, or the value. */
export type NotedResult = Uint8Array | { readonly value: unknown };

interface Note {
  readonly server: string;
  readonly result: NotedResult;
  readonly bytes: number;
}

/** The notes of one run. */
export interface RunNotes {
  /**
   * Keeps a result by reference, unchanged until the answer, so that its values are recognised in what the run prints. When
   * the results of the run have come to 256 kB, further ones are not kept, and their values are found only where a detector
   * sees them.
   */
  add(server: string, result: NotedResult): void;
}

/** The results that are still to be looked through: once, when there is something to show. */
export class Notebook {
  #waiting: Note[] = [];
  #bytes = 0;

  begin(): RunNotes {
    let noted = 0;
    return {
      add: (server, result) => {
        const left = MAX_NOTED_BYTES - noted;
        const bytes = sizeOf(result, left);
        if (bytes === undefined || bytes > left) return;
        noted += bytes;
        this.#keep({ server, result, bytes });
      },
    };
  }

  /** Makes the values of all that waits known. */
  read(detection: Detection, known: KnownValues): void {
    const notes = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    for (const { server, result } of notes) learn(result, { kind: 'tool', server }, detection, known);
  }

  #keep(note: Note): void {
    this.#waiting.push(note);
    this.#bytes += note.bytes;
    while (this.#bytes > MAX_WAITING_BYTES) this.#bytes -= this.#waiting.shift()?.bytes ?? this.#bytes;
  }
}

function sizeOf(result: NotedResult, most: number): number | undefined {
  if (result instanceof Uint8Array) return result.length;
  const size = valueSize(result.value, most, MAX_DEPTH);
  return typeof size === 'string' ? undefined : size.bytes;
}

function learn(result: NotedResult, origin: Origin, detection: Detection, known: KnownValues): void {
  if (result instanceof Uint8Array) {
    const text = Buffer.from(result.buffer, result.byteOffset, result.length).toString('utf8');
    for (const { start, end, type } of detection.inText(text))
      known.add(type, unescaped(text.slice(start, end)), origin);
    return;
  }
  mapValue(result.value, {
    string(text, keys) {
      for (const { start, end, type } of detection.inValue(text, keys))
        known.add(type, text.slice(start, end), origin);
      return text;
    },
    number(number, keys) {
      const type = detection.inNumber(String(number), keys);
      if (type !== undefined) known.add(type, String(number), origin);
      return number;
    },
    key(key) {
      for (const { start, end, type } of detection.inText(key))
        known.add(type, key.slice(start, end), origin);
      return key;
    },
  });
}

/** A value in JSON text, as a program that reads the text gets it. */
function unescaped(value: string): string {
  if (!value.includes('\\')) return value;
  try {
    return JSON.parse(`"${value}"`) as string;
  } catch {
    return value;
  }
}

const MAX_DEPTH = 200;
