import { CodeExecutionError } from '../core/errors.js';
import type { Worker } from '../sandbox/sandbox.js';

/** The state of one named session: a worker whose interpreter has kept its variables. */
export interface Session {
  readonly principal: string;
  readonly name: string;
  readonly worker: Worker;
  busy: boolean;
  /** The worker ended while the session was busy. */
  ended: boolean;
  usedAt: number;
  /** Fingerprint of the workspace as the worker last saw it. */
  seenWorkspace: string;
}

export interface SessionTableOptions {
  readonly maxSessions: number;
  /** A session that nobody used for this long is closed, in milliseconds. */
  readonly idleMs: number;
}

/** A session used within this time is not closed to make room for another, in milliseconds. */
const KEEP_MS = 60_000;
const MAX_EPITAPHS = 1_000;
/** Why a session is gone whose worker ended by itself. */
export const ENDED = 'its interpreter ended';

/** Named sessions by principal. Why a session is gone is remembered until its name is used again. */
export class SessionTable {
  readonly #options: SessionTableOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #epitaphs = new Map<string, string>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor(options: SessionTableOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /**
   * The session of that name, if it is open and free.
   * @throws CodeExecutionError `busy` while it runs something, `session_broken` once after its end.
   */
  find(principal: string, name: string): Session | undefined {
    const key = keyOf(principal, name);
    const session = this.#sessions.get(key);
    if (session?.busy) {
      throw new CodeExecutionError(
        'busy',
        `session "${name}" is running something`,
        'wait for that answer, or use another session name (or none) to run at the same time',
      );
    }
    const epitaph = this.#epitaphs.get(key);
    if (!session && epitaph !== undefined) {
      this.#epitaphs.delete(key);
      throw new CodeExecutionError(
        'session_broken',
        `session "${name}" is gone: ${epitaph}`,
        'call again: the next call starts it anew, without its variables',
      );
    }
    return session;
  }

  /**
   * Makes room for one more session of a principal.
   * @throws CodeExecutionError `busy` when all are in use.
   */
  async makeRoom(principal: string): Promise<void> {
    if (this.#sessions.size < this.#options.maxSessions) return;
    const idle = [...this.#sessions.values()]
      .filter((session) => !session.busy)
      .sort((a, b) => a.usedAt - b.usedAt);
    const own = this.#countOf(principal);
    // A principal that has taken what there is gives back what it has beyond the others, even if it was used just now.
    const oldest =
      idle.find((session) => Date.now() - session.usedAt > KEEP_MS) ??
      idle.find((session) => this.#countOf(session.principal) > own + 1);
    if (!oldest) {
      throw new CodeExecutionError(
        'busy',
        `${this.#sessions.size} sessions are open, the most this server keeps`,
        'use an open session again, run without a session, or try again in a minute',
      );
    }
    await this.close(oldest, 'it was closed to make room for another session');
  }

  add(session: Session): void {
    const key = keyOf(session.principal, session.name);
    this.#sessions.set(key, session);
    this.#epitaphs.delete(key);
    // In the middle of a run it is for the report of that run to tell.
    void session.worker.exited.then(() => {
      if (session.busy) session.ended = true;
      else this.#bury(session, ENDED);
    });
    this.#scheduleSweep();
  }

  /** Ends a session; its next caller is told `why`, unless that was said already. */
  async close(session: Session, why: string | undefined): Promise<void> {
    this.#bury(session, why);
    await session.worker.kill();
  }

  async closeAll(): Promise<void> {
    clearTimeout(this.#sweeper);
    await Promise.all([...this.#sessions.values()].map((session) => this.close(session, undefined)));
  }

  #countOf(principal: string): number {
    return [...this.#sessions.values()].filter((session) => session.principal === principal).length;
  }

  #bury(session: Session, why: string | undefined): void {
    const key = keyOf(session.principal, session.name);
    if (this.#sessions.get(key) !== session) return;
    this.#sessions.delete(key);
    if (why === undefined) return;
    this.#epitaphs.set(key, why);
    const [first] = this.#epitaphs.keys();
    if (this.#epitaphs.size > MAX_EPITAPHS && first !== undefined) this.#epitaphs.delete(first);
  }

  #scheduleSweep(): void {
    if (this.#sweeper || this.#sessions.size === 0) return;
    this.#sweeper = setTimeout(
      () => {
        this.#sweeper = undefined;
        const before = Date.now() - this.#options.idleMs;
        const minutes = Math.round(this.#options.idleMs / 60_000);
        for (const session of [...this.#sessions.values()]) {
          if (!session.busy && session.usedAt < before)
            void this.close(session, `nobody used it for ${minutes} minutes`);
        }
        this.#scheduleSweep();
      },
      Math.min(this.#options.idleMs, 60_000),
    );
    this.#sweeper.unref();
  }
}

function keyOf(principal: string, name: string): string {
  return JSON.stringify([principal, name]);
}
