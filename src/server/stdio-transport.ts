import type { Readable, Writable } from 'node:stream';
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';

/** Longest message taken: a 32 MiB file as base64 in JSON, and room to spare. */
export const MAX_MESSAGE_BYTES = 48 * 1024 * 1024;
/** Of a message that is too long, this much of either end is kept to find its id. */
const ID_WINDOW = 200;
const NEWLINE = 0x0a;

/**
 * Newline-delimited JSON over two streams, read in linear time. (The SDK's transport copies and scans its whole buffer
 * anew for every chunk, 20 MB take it 12 s, and it closes at 10 MB.) A message that is too long is answered with an
 * error and skipped. End of input or a broken output closes the transport.
 */
export class StdioTransport implements Transport {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #closed = false;
  #markClosed: () => void = () => undefined;
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>;

  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;

  constructor(input: Readable, output: Writable, maxBytes = MAX_MESSAGE_BYTES) {
    this.#input = input;
    this.#output = output;
    this.#maxBytes = maxBytes;
    this.closed = new Promise((resolve) => {
      this.#markClosed = resolve;
    });
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#onData);
    this.#input.on('end', this.#onEnd);
    this.#input.on('close', this.#onEnd);
    this.#input.on('error', this.#onFault);
    // Stays attached after the end: a late EPIPE without a listener would end the process with a stack trace.
    this.#output.on('error', this.#onFault);
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#onEnd);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the connection is closed'));
    return new Promise((resolve, reject) => {
      this.#output.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.off('data', this.#onData);
    this.#input.pause();
    this.#chunks = [];
    this.onclose?.();
    this.#markClosed();
  }

  readonly #onEnd = (): void => void this.close();

  readonly #onFault = (error: Error): void => {
    if (!this.#closed) this.onerror?.(error);
    void this.close();
  };

  readonly #onData = (data: Buffer | string): void => {
    let rest = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      this.#add(rest.subarray(0, end));
      this.#line();
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) this.#add(rest);
  };

  #add(part: Buffer): void {
    this.#size += part.length;
    if (this.#size <= this.#maxBytes) {
      this.#chunks.push(part);
      return;
    }
    const all = Buffer.concat([...this.#chunks, part]);
    this.#chunks = [
      all.subarray(0, ID_WINDOW),
      all.subarray(Math.max(ID_WINDOW, all.length - ID_WINDOW)),
    ].map((end) => Buffer.from(end));
  }

  #line(): void {
    const size = this.#size;
    const line = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#size = 0;
    if (size > this.#maxBytes) {
      this.#refuse(line.toString('utf8'), size);
      return;
    }
    const text = line.toString('utf8').trim();
    if (text === '') return;
    try {
      this.onmessage?.(deserializeMessage(text));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #refuse(ends: string, size: number): void {
    const message = `message of ${size} bytes; the most is ${this.#maxBytes}. Send large content in parts (write_workspace_file, mode append).`;
    this.onerror?.(new Error(message));
    const found =
      /^\{"jsonrpc":"2\.0","id":(\d+|"[^"\\]*")|"id":(\d+|"[^"\\]*")(?:,"jsonrpc":"2\.0")?\}$/.exec(
        ends.trim(),
      );
    const id = found?.[1] ?? found?.[2];
    if (id === undefined) return;
    this.send({ jsonrpc: '2.0', id: JSON.parse(id), error: { code: -32600, message } }).catch(
      () => undefined,
    );
  }
}
