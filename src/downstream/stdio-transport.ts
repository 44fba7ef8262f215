import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Logger } from '../core/logger.js';
import { type Command, type OrphanGuard, ServerProcess } from './child-process.js';
import { standInFor } from './large-message.js';
import { type Line, MessageLines } from './message-lines.js';

/** What a server may send beside answers in {@link FLOOD_WINDOW_MS}; a broken one must not take a processor for itself. */
const FLOOD_BYTES = 128 * 1024 * 1024;
const FLOOD_MESSAGES = 20_000;
const FLOOD_WINDOW_MS = 10_000;
/** Lines of standard error, and noise on standard output, that go to the log for one process. */
const LOGGED_LINES = 200;
const LOGGED_CHARS = 500;
/** Input that a server has not read yet, in bytes. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

export interface StdioTransportOptions {
  readonly command: Command;
  readonly guard: OrphanGuard;
  readonly log: Logger;
  /** Takes secrets out of a text for the log. */
  readonly mask: (text: string) => string;
}

/**
 * MCP over the standard streams of a child process, in linear time. (The reader of the SDK copies and scans its whole
 * buffer anew for every chunk: 40 MB take it 10 to 30 s and block the event loop for seconds.) An answer that is too long
 * or unreadable becomes an error of its own call; the connection goes on.
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  /** Why the process is gone, in words: "exit code 1". */
  ending: string | undefined;
  // The SDK takes a transport with these two for a stdio one, and negotiates the protocol accordingly.
  readonly stderr = null;
  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  readonly #options: StdioTransportOptions;
  readonly #lines = new MessageLines((line) => this.#receive(line));
  /** Ids of calls of tools that have no answer yet: only they may be answered at any length. */
  readonly #calls = new Set<string | number>();
  #process: ServerProcess | undefined;
  #closing: Promise<void> | undefined;
  #logged = 0;
  #window = { from: 0, bytes: 0, messages: 0 };

  constructor(options: StdioTransportOptions) {
    this.#options = options;
  }

  /** @throws the error of `spawn` with its `code`, such as `ENOENT` */
  async start(): Promise<void> {
    const process = await ServerProcess.start(this.#options.command, this.#options.guard);
    this.#process = process;
    process.stdout.on('data', (chunk: Buffer) => {
      this.#count(chunk.length, 0);
      this.#lines.push(chunk);
    });
    process.stdout.on('error', (error) => this.onerror?.(error));
    process.stderr.on('data', (chunk: Buffer) => this.#log('stderr', chunk.toString('utf8')));
    process.stderr.on('error', () => undefined);
    void process.ended.then((how) => {
      this.ending ??= how;
      this.onclose?.();
    });
    if (this.#closing) await process.end();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#process?.stdin;
    if (!stdin?.writable || this.#closing) return Promise.reject(new Error('the server is not running'));
    if (stdin.writableLength > MAX_UNREAD_BYTES) {
      return Promise.reject(new Error('the server does not read its input'));
    }
    if ('method' in message && 'id' in message && message.method === 'tools/call') this.#calls.add(message.id);
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends the process, see {@link ServerProcess.end}. */
  close(): Promise<void> {
    this.#closing ??= this.#process?.end() ?? Promise.resolve();
    return this.#closing;
  }

  #receive(line: Line): void {
    switch (line.kind) {
      case 'noise':
        this.#log('noise', line.text);
        return;
      case 'broken':
        this.#refuse(line.idText, line.reason);
        return;
      case 'large': {
        const id = parsedId(line.spans.idText);
        const message = standInFor(line, id !== undefined && this.#calls.has(id));
        if (typeof message === 'string') this.#refuse(line.spans.idText, message);
        else this.#deliver(message);
        return;
      }
      case 'message':
        this.#deliver(line.value as JSONRPCMessage);
    }
  }

  #deliver(message: JSONRPCMessage): void {
    if ('id' in message && !('method' in message) && message.id !== undefined) {
      this.#calls.delete(message.id);
      this.#window = { from: performance.now(), bytes: 0, messages: 0 };
    } else this.#count(0, 1);
    this.onmessage?.(message);
  }

  #refuse(idText: string, reason: string): void {
    const id = parsedId(idText);
    const message = `the server's answer ${reason}`;
    this.#options.log.warn({}, message);
    if (id !== undefined) this.#deliver({ jsonrpc: '2.0', id, error: { code: -32_603, message } });
  }

  #count(bytes: number, messages: number): void {
    const now = performance.now();
    if (now - this.#window.from > FLOOD_WINDOW_MS) this.#window = { from: now, bytes: 0, messages: 0 };
    this.#window.bytes += bytes;
    this.#window.messages += messages;
    if (this.#window.bytes <= FLOOD_BYTES && this.#window.messages <= FLOOD_MESSAGES) return;
    this.ending = 'it flooded its output';
    this.#process?.stdout.destroy();
    this.#process?.kill();
  }

  #log(stream: 'stderr' | 'noise', text: string): void {
    for (const line of text.split('\n')) {
      if (line.trim() === '' || this.#logged > LOGGED_LINES) continue;
      this.#logged += 1;
      if (this.#logged > LOGGED_LINES) this.#options.log.debug({}, 'further output of the server is not logged');
      else this.#options.log.debug({ stream }, this.#options.mask(line.slice(0, LOGGED_CHARS)));
    }
  }
}

function parsedId(text: string): string | number | undefined {
  try {
    const id: unknown = JSON.parse(text);
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  } catch {
    return undefined;
  }
}
