import { availableParallelism, freemem } from 'node:os';
import { CodeExecutionError, cancelledByClient } from '../../core/errors.js';
import type { Logger } from '../../core/logger.js';
import type { WorkerFrame } from '../../wire/frames.js';
import type { PoolInfo } from '../sandbox.js';
import type { Watchdog } from '../watchdog.js';
import type { Jail } from './jail.js';
import { NativeWorker } from './native-worker.js';

export interface JailPoolOptions {
  /** Starts a jail and resolves when it is up. */
  readonly open: () => Promise<Jail>;
  /** Jails that nobody has used yet, to hold ready; and as many for each principal that runs code. */
  readonly size: number;
  /** Bytes of an idle jail; none is started ahead when less than four times this is free. */
  readonly spareBytes: number;
  readonly watchdog: Watchdog;
  readonly log: Logger;
}

/** A jail of a principal that nobody used for this long is closed, in milliseconds. */
const IDLE_MS = 60_000;
const RETRY_MS = 5_000;

interface Member {
  readonly jail: Jail;
  /** Whose code has run in it; absent: nobody's. */
  principal: string | undefined;
  /** The forked process that waits in it; absent while it is made, and while code runs. */
  waiting: NativeWorker | undefined;
  busy: boolean;
  /** When its last run ended; 0: it has run nothing. */
  usedAt: number;
}

interface Waiter {
  readonly principal: string;
  readonly give: (worker: NativeWorker) => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * Jails, each with one process that waits for code. A jail that has run code of a principal never runs that of another.
 * After a run the jail forks the next process; that costs 10 ms where a new jail costs 150.
 */
export class JailPool {
  readonly #options: JailPoolOptions;
  readonly #members = new Set<Member>();
  readonly #waiting: Waiter[] = [];
  readonly #parallelStarts = Math.max(1, Math.min(4, availableParallelism()));
  #starting = 0;
  #warm = false;
  #closed = false;
  /** A jail did not start: none is started ahead for a while. */
  #paused = false;
  #sweep: NodeJS.Timeout | undefined;

  constructor(options: JailPoolOptions) {
    this.#options = options;
  }

  info(): PoolInfo {
    const members = [...this.#members];
    return {
      ready: members.filter(({ waiting }) => waiting).length,
      starting: this.#starting + members.filter(({ waiting, busy }) => !waiting && !busy).length,
      active: members.filter(({ busy }) => busy).length,
      target: this.#options.size,
    };
  }

  warm(): void {
    this.#warm = true;
    this.#fill();
  }

  /** @throws CodeExecutionError `backend_unavailable`, `cancelled` when the signal came first. */
  async acquire(principal: string, signal?: AbortSignal): Promise<NativeWorker> {
    if (this.#closed) throw shuttingDown();
    if (signal?.aborted) throw cancelledByClient();
    const ready = [...this.#members].filter(({ waiting }) => waiting);
    const member =
      ready.find((one) => one.principal === principal) ?? ready.find((one) => one.principal === undefined);
    return member ? this.#take(member, principal) : this.#wait(principal, signal);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#sweep);
    for (const waiter of this.#waiting.splice(0)) waiter.refuse(shuttingDown());
    await Promise.all([...this.#members].map(({ jail }) => jail.close()));
  }

  #take(member: Member, principal: string): NativeWorker {
    const worker = member.waiting;
    if (!worker) throw new Error('a jail without a process was given out');
    member.waiting = undefined;
    member.busy = true;
    member.principal = principal;
    void worker.exited.then(({ reason }) => {
      member.busy = false;
      member.usedAt = Date.now();
      // What filled the memory may be a million files, and a new jail is quicker than removing them.
      void (reason === 'memory' ? this.#drop(member) : this.#prepare(member));
    });
    this.#fill();
    return worker;
  }

  #wait(principal: string, signal?: AbortSignal): Promise<NativeWorker> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { principal, give: resolve, refuse: reject };
      const leave = (): void => {
        const index = this.#waiting.indexOf(waiter);
        if (index >= 0) this.#waiting.splice(index, 1);
        reject(cancelledByClient());
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiter);
      this.#fill();
    });
  }

  /** Forks the next process of a jail, or closes the jail if there are enough. */
  async #prepare(member: Member): Promise<void> {
    try {
      if (this.#closed || !this.#isWanted(member)) return await this.#drop(member);
      const practise = !this.#waiting.some((waiter) => fits(member, waiter.principal));
      const guest = await member.jail.fork(practise);
      const worker = new NativeWorker(member.jail, guest, this.#options.watchdog);
      await untilReady(worker);
      member.waiting = worker;
      void worker.exited.then(() => {
        if (member.waiting === worker) void this.#drop(member);
      });
      this.#offer(member);
    } catch (error) {
      await this.#drop(member);
      if (!this.#closed)
        this.#options.log.warn({ err: error, said: member.jail.lastWords }, 'a jail was given up');
      // Code may have spoilt the jail it ran in: whoever waits gets a new one. If that fails as well, waiting does not help.
      const isNew = member.usedAt === 0;
      if (isNew) this.#pauseSpares();
      const index = this.#waiting.findIndex((waiter) => fits(member, waiter.principal));
      if (isNew && index >= 0 && !this.#closed) this.#waiting.splice(index, 1)[0]?.refuse(error);
    }
    this.#fill();
  }

  #offer(member: Member): void {
    const index = this.#waiting.findIndex((waiter) => fits(member, waiter.principal));
    const [waiter] = index >= 0 ? this.#waiting.splice(index, 1) : [];
    if (waiter) waiter.give(this.#take(member, waiter.principal));
    else this.#scheduleSweep();
  }

  /** As many idle jails as the pool's size are kept for each principal. */
  #isWanted({ principal }: Member): boolean {
    if (this.#waiting.some((waiter) => waiter.principal === principal)) return true;
    const idle = [...this.#members].filter((other) => other.principal === principal && !other.busy);
    return idle.length <= Math.max(1, this.#options.size);
  }

  async #drop(member: Member): Promise<void> {
    this.#members.delete(member);
    member.waiting = undefined;
    await member.jail.close();
    this.#fill();
  }

  /** Starts jails for those who wait and as spares, as far as cores and memory allow. */
  #fill(): void {
    if (this.#closed) return;
    const members = [...this.#members];
    const onTheWay = members.filter(({ waiting, busy }) => !waiting && !busy).length + this.#starting;
    const unused = members.filter(({ principal }) => principal === undefined).length + this.#starting;
    const spares =
      this.#warm && !this.#paused && freemem() > 4 * this.#options.spareBytes
        ? this.#options.size - unused
        : 0;
    const missing = Math.max(this.#waiting.length - onTheWay, spares);
    const wanted = Math.min(this.#parallelStarts, this.#starting + missing);
    while (this.#starting < wanted) void this.#open();
  }

  async #open(): Promise<void> {
    this.#starting++;
    try {
      const jail = await this.#options.open();
      if (this.#closed) return await jail.close();
      const member: Member = {
        jail,
        principal: undefined,
        waiting: undefined,
        busy: false,
        usedAt: 0,
      };
      this.#members.add(member);
      void jail.gone.then(() => this.#drop(member));
      void this.#prepare(member);
    } catch (error) {
      // Whoever waits gets the reason; a spare is tried again later.
      this.#pauseSpares();
      this.#waiting.shift()?.refuse(error);
    } finally {
      this.#starting--;
    }
    this.#fill();
  }

  #pauseSpares(): void {
    if (this.#paused) return;
    this.#paused = true;
    setTimeout(() => {
      this.#paused = false;
      this.#fill();
    }, RETRY_MS).unref();
  }

  #scheduleSweep(): void {
    if (this.#sweep || this.#closed) return;
    this.#sweep = setTimeout(() => {
      this.#sweep = undefined;
      const before = Date.now() - IDLE_MS;
      for (const member of [...this.#members]) {
        if (member.principal !== undefined && member.waiting && member.usedAt <= before)
          void this.#drop(member);
      }
      if ([...this.#members].some(({ principal }) => principal !== undefined)) this.#scheduleSweep();
    }, IDLE_MS);
    this.#sweep.unref();
  }
}

function fits(member: Member, principal: string): boolean {
  return member.principal === undefined || member.principal === principal;
}

/** Its `ready` frame. @throws CodeExecutionError `backend_unavailable` when it ends before that. */
async function untilReady(worker: NativeWorker): Promise<void> {
  const ready = new Promise<WorkerFrame>((resolve) => worker.onFrame(resolve));
  const first = await Promise.race([ready, worker.exited]);
  worker.onFrame(() => undefined);
  if ('message' in first && first.message.type === 'ready') return;
  throw new CodeExecutionError(
    'backend_unavailable',
    'a run could not be walled in',
    'run: code-execution-mcp doctor',
    { cause: first },
  );
}

function shuttingDown(): CodeExecutionError {
  return new CodeExecutionError('backend_unavailable', 'the server is shutting down');
}
