import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Logger } from '../core/logger.js';
import { sleep } from '../core/sleep.js';
import { type Command, type OrphanGuard, ServerProcess } from './child-process.js';
import { standInFor } from './large-message.js';
import { type Fault, type Line, MessageLines } from './message-lines.js';

/** What a server may send beside answers in {@link FLOOD_WINDOW_MS}; a broken one must not take a processor for itself. */
const FLOOD_BYTES = 128 * 1024 * 1024;
const FLOOD_MESSAGES = 20_000;
const FLOOD_WINDOW_MS = 10_000;
/** Lines of standard error, and noise on standard output, that go to the log for one process. */
const LOGGED_LINES = 200;
const LOGGED_CHARS = 500;
/** Input that a server has not read yet, in bytes. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
const END_SHOWS_MS = 500;

/** The `data` of the error that takes the place of an answer which could not be read. No server can send one. */
export class Unreadable {
  constructor(
    readonly code: Fault['code'],
    readonly message: string,
  ) {}
}

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
  /** Requests without an answer, and whether they call a tool: only such a call may be answered at any length. */
  readonly #pending = new Map<string | number, boolean>();
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
      if (!this.#closing) this.ending ??= how;
      this.onclose?.();
    });
    if (this.#closing) await process.end();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const process = this.#process;
    if (!process || this.#closing) return Promise.reject(new Error('the server is not running'));
    const { stdin } = process;
    if (stdin.writableLength > MAX_UNREAD_BYTES) {
      return Promise.reject(new Error('the server does not read its input'));
    }
    if ('method' in message && 'id' in message) {
      this.#pending.set(message.id, message.method === 'tools/call');
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      this.#pending.delete(Object(message.params).requestId);
    }
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        // A broken pipe shows before the end of the process does, which tells more.
        if (error) void Promise.race([process.ended, sleep(END_SHOWS_MS)]).then(() => reject(error));
        else resolve();
      });
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
        this.#refuse(line.idText, line.fault);
        return;
      case 'large': {
        const id = parsedId(line.spans.idText);
        const message = standInFor(line, id !== undefined && this.#pending.get(id) === true);
        if ('reason' in message) this.#refuse(line.spans.idText, message);
        else this.#deliver(message);
        return;
      }
      case 'message':
        this.#deliver(line.value as JSONRPCMessage);
    }
  }

  #deliver(message: JSONRPCMessage): void {
    const id = 'id' in message && !('method' in message) ? message.id : undefined;
    if (id !== undefined && this.#pending.delete(id)) {
      this.#window = { from: performance.now(), bytes: 0, messages: 0 };
    } else this.#count(0, 1);
    this.onmessage?.(message);
  }

  #refuse(idText: string, { code, reason }: Fault): void {
    const id = parsedId(idText);
    const message = `the server's answer ${reason}`;
    this.#options.log.warn({}, message);
    if (id !== undefined)
      this.#deliver({
        jsonrpc: '2.0',
        id,
        error: { code: -32_603, message, data: new Unreadable(code, message) },
      });
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
      if (this.#logged > LOGGED_LINES)
        this.#options.log.debug({}, 'further output of the server is not logged');
      else this.#options.log.debug({ stream }, this.#options.mask(line).slice(0, LOGGED_CHARS));
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
