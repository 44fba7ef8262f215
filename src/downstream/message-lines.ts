import { JsonSpans } from './json-spans.js';

/** Longest message, in bytes. */
export const MAX_MESSAGE_BYTES = 50 * 1024 * 1024;
/** Up to here a message is parsed at once, which takes some 10 ms; a longer one is only looked over as it arrives. */
export const PARSE_BYTES = 1024 * 1024;
/** Chunks that may wait side by side; a server that writes byte by byte would otherwise cost 100 bytes for each. */
const MAX_LOOSE_CHUNKS = 4_096;
/** Of a line that is no message, this much is told. */
const NOISE_CHARS = 200;
const NEWLINE = 0x0a;
const OPEN_BRACE = 0x7b;

/** Why a message cannot be taken; `reason` is the end of a sentence that begins with "the answer". */
export interface Fault {
  readonly code: 'too_large' | 'tool_unavailable';
  readonly reason: string;
}

export const NOT_JSON: Fault = { code: 'tool_unavailable', reason: 'is not valid JSON' };

/** What a line turned out to be. */
export type Line =
  | { readonly kind: 'message'; readonly value: unknown; readonly bytes: number }
  /** A message over {@link PARSE_BYTES}: its bytes, and where its parts lie. */
  | {
      readonly kind: 'large';
      readonly chunks: readonly Buffer[];
      readonly bytes: number;
      readonly spans: JsonSpans;
    }
  /** A message that cannot be read; `idText` is the JSON text of its id, empty when there is none. */
  | { readonly kind: 'broken'; readonly fault: Fault; readonly idText: string }
  /** Something else, such as a greeting. */
  | { readonly kind: 'noise'; readonly text: string };

/** Takes a byte stream apart at its newlines, in linear time and bounded memory. */
export class MessageLines {
  readonly #onLine: (line: Line) => void;
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #loose = 0;
  #bytes = 0;
  /** The first byte of the line that is no white space. */
  #opening: number | undefined;
  #spans: JsonSpans | undefined;

  constructor(onLine: (line: Line) => void, maxBytes = MAX_MESSAGE_BYTES) {
    this.#onLine = onLine;
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      this.#add(rest.subarray(0, end));
      this.#end();
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) this.#add(rest);
  }

  #add(part: Buffer): void {
    this.#bytes += part.length;
    this.#opening ??= part.find((byte) => byte > 0x20);
    if (this.#spans) this.#spans.feed(part);
    else if (this.#bytes > PARSE_BYTES) {
      this.#spans = new JsonSpans();
      for (const chunk of [...this.#chunks, part]) this.#spans.feed(chunk);
    }
    if (this.#bytes > this.#maxBytes) {
      // Only the beginning is kept, to tell noise from a message.
      const [first = part] = this.#chunks;
      this.#chunks = [Buffer.from(first.subarray(0, NOISE_CHARS))];
      return;
    }
    this.#chunks.push(part);
    this.#loose += 1;
    if (this.#loose > MAX_LOOSE_CHUNKS) {
      this.#chunks = [
        ...this.#chunks.slice(0, -this.#loose),
        Buffer.concat(this.#chunks.slice(-this.#loose)),
      ];
      this.#loose = 0;
    }
  }

  #end(): void {
    const chunks = this.#chunks;
    const bytes = this.#bytes;
    const spans = this.#spans;
    const opening = this.#opening;
    this.#chunks = [];
    this.#loose = 0;
    this.#bytes = 0;
    this.#opening = undefined;
    this.#spans = undefined;
    if (bytes === 0) return;
    const line = spans
      ? longLine(chunks, bytes, opening, spans, this.#maxBytes)
      : shortLine(Buffer.concat(chunks), bytes);
    if (line) this.#onLine(line);
  }
}

function shortLine(raw: Buffer, bytes: number): Line | undefined {
  const text = raw.toString('utf8').trim();
  if (text === '') return undefined;
  if (!text.startsWith('{')) return { kind: 'noise', text: text.slice(0, NOISE_CHARS) };
  try {
    return { kind: 'message', value: JSON.parse(text), bytes };
  } catch {
    const spans = new JsonSpans();
    spans.feed(raw);
    if (!spans.spans.has('jsonrpc')) return { kind: 'noise', text: text.slice(0, NOISE_CHARS) };
    return { kind: 'broken', fault: NOT_JSON, idText: spans.idText };
  }
}

function longLine(
  chunks: readonly Buffer[],
  bytes: number,
  opening: number | undefined,
  spans: JsonSpans,
  maxBytes: number,
): Line {
  if (opening !== OPEN_BRACE || !spans.spans.has('jsonrpc')) {
    return { kind: 'noise', text: chunks[0]?.toString('utf8', 0, NOISE_CHARS) ?? '' };
  }
  if (bytes > maxBytes) return { kind: 'broken', fault: tooLong(bytes, maxBytes), idText: spans.idText };
  if (!spans.complete) return { kind: 'broken', fault: NOT_JSON, idText: spans.idText };
  return { kind: 'large', chunks, bytes, spans };
}

function tooLong(bytes: number, maxBytes: number): Fault {
  const mib = (n: number) => `${(n / 1024 / 1024).toFixed(1)} MiB`;
  return { code: 'too_large', reason: `has ${mib(bytes)}; the most is ${mib(maxBytes)}` };
}
