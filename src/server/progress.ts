import type { ServerContext } from '@modelcontextprotocol/server';
import type { RunProgress } from '../session/runner.js';

/** Notifications are at least this far apart: four a second are as many as a person can follow. */
const INTERVAL_MS = 250;
const MAX_MESSAGE_CHARS = 300;
/** By so much a notification without a number of its own rises; the protocol wants each above the last. */
const STEP = 1e-4;

/** Turns a run's progress into MCP notifications, if the client sent a token: rate-limited, always rising. */
export class Progress {
  readonly #token: string | number | undefined;
  readonly #notify: ServerContext['mcpReq']['notify'];
  readonly #outgoing: (text: string, maxChars: number) => Promise<string>;
  #waiting: RunProgress | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sentAt = Number.NEGATIVE_INFINITY;
  #value = 0;
  #total: number | undefined;
  #numbered = false;
  #sending: Promise<void> = Promise.resolve();
  #ended = false;

  /** `outgoing`: the gate that every text passes on its way to the client. */
  constructor(
    request: ServerContext['mcpReq'],
    outgoing: (text: string, maxChars: number) => Promise<string>,
  ) {
    this.#token = request._meta?.progressToken;
    this.#notify = request.notify;
    this.#outgoing = outgoing;
  }

  report(progress: RunProgress): void {
    if (this.#token === undefined || this.#ended) return;
    // A printed line must not take away the numbers that wait with an earlier `progress()` call.
    this.#waiting = progress.done === undefined ? { ...this.#waiting, ...progress } : progress;
    if (this.#timer !== undefined) return;
    const wait = this.#sentAt + INTERVAL_MS - performance.now();
    if (wait <= 0) this.#send();
    else this.#timer = setTimeout(() => this.#send(), wait).unref();
  }

  /** Sends what still waits. Nothing is sent afterwards: no notification may follow the answer. */
  async end(): Promise<void> {
    if (this.#waiting !== undefined) this.#send();
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#sending;
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    if (waiting === undefined || this.#token === undefined) return;
    this.#waiting = undefined;
    this.#sentAt = performance.now();
    const numbers = this.#next(waiting);
    const { message } = waiting;
    const progressToken = this.#token;
    this.#sending = this.#sending
      .then(async () => {
        const text =
          message === undefined ? {} : { message: await this.#outgoing(message, MAX_MESSAGE_CHARS) };
        await this.#notify({
          method: 'notifications/progress',
          params: { progressToken, ...numbers, ...text },
        });
      })
      // The client is gone, or the filter failed: progress is a courtesy, the answer tells of real trouble.
      .catch(() => undefined);
  }

  #next({ done, total }: RunProgress): { progress: number; total?: number } {
    if (total !== undefined) this.#total = total;
    if (done !== undefined) this.#numbered = true;
    const step = this.#numbered ? STEP : 1;
    this.#value = done !== undefined && done > this.#value ? done : this.#value + step;
    return { progress: this.#value, ...(this.#total === undefined ? {} : { total: this.#total }) };
  }
}
