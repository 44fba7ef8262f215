import { CodeExecutionError, cancelledByClient } from '../core/errors.js';
import { RecentUse } from './recent-use.js';

export interface AdmissionOptions {
  /** Runs that have a place at a time. */
  readonly places: number;
  /** Runs that have given their place up and go on behind the others. */
  readonly background: number;
  /** Whether the machine has memory for one more of them. */
  readonly hasMemory: () => boolean;
  /** Runs of one principal that may wait. */
  readonly waitingOfOne: number;
  /** Runs that may wait in all. */
  readonly waiting: number;
  /** Milliseconds of a monotonic clock; a parameter for tests. */
  readonly now?: () => number;
}

/** Who asks. Runs of one lane (a session) are answerable for each other; a fresh run is a lane of its own. */
export interface SlotRequest {
  readonly principal: string;
  /** Absent: a lane of its own. */
  readonly lane?: string;
  readonly signal?: AbortSignal;
}

/** The right to run. */
export interface Slot {
  /** The code starts. `goBehind` is called once if the run has to give its place up: it goes on, and others first. */
  begin(goBehind: () => void): void;
  /** The run is over. Idempotent. */
  release(): void;
}

/** A run keeps its place for this long, in milliseconds; then it goes behind as soon as there is another run. */
const TURN_MS = 500;
/** Of the places this share is kept from a principal that holds all others. */
const KEPT_FOR_OTHERS = 0.25;
/** The retry hint is computed from the last so many starts. */
const RATE_OF = 32;
const LONGEST_HINT_SECONDS = 60;

interface Run {
  readonly principal: string;
  readonly lane: string | undefined;
  readonly since: number;
  timer?: NodeJS.Timeout;
  goBehind?: () => void;
  /** It has had its turn. */
  isOverdue: boolean;
}

interface Waiting extends SlotRequest {
  readonly start: (slot: Slot) => void;
}

/**
 * Admission. Places go to who has used least lately: first among the principals, then among the lanes of the principal, then
 * in the order of arrival. A run that has had its turn gives its place up while there are others (design/admission.md).
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #now: () => number;
  readonly #placed = new Set<Run>();
  readonly #behind = new Set<Run>();
  readonly #queue: Waiting[] = [];
  readonly #use = new RecentUse();
  readonly #starts: number[] = [];

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** @throws CodeExecutionError `busy` when too many wait already, `cancelled` when the signal came first. */
  take(request: SlotRequest): Promise<Slot> {
    const { signal, principal } = request;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw cancelledByClient();
      const waiting: Waiting = { ...request, start: resolve };
      this.#queue.push(waiting);
      this.#settle();
      const index = this.#queue.indexOf(waiting);
      if (index < 0) return;
      const ofOne = this.#queue.filter((other) => other.principal === principal).length;
      if (ofOne > this.#options.waitingOfOne || this.#queue.length > this.#options.waiting) {
        this.#queue.splice(index, 1);
        throw this.#busy();
      }
      const leave = (): void => {
        const place = this.#queue.indexOf(waiting);
        if (place < 0) return;
        this.#queue.splice(place, 1);
        reject(cancelledByClient());
      };
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** Sends behind who has had its turn, and fills the places. */
  #settle(): void {
    if (this.#queue.length + this.#placed.size + this.#behind.size > 1) {
      for (const run of this.#placed) if (run.isOverdue) this.#sendBehind(run);
    }
    for (let next = this.#next(); next; next = this.#next()) this.#start(next);
  }

  #sendBehind(run: Run): void {
    if (this.#behind.size >= this.#options.background || !this.#options.hasMemory()) return;
    this.#placed.delete(run);
    this.#behind.add(run);
    run.goBehind?.();
  }

  #next(): Waiting | undefined {
    const { places } = this.#options;
    if (this.#queue.length === 0 || this.#placed.size >= places) return undefined;
    const now = this.#now();
    const levels = new Map<string | undefined, number>();
    const levelOf = (name: string): number => {
      const level = levels.get(name) ?? levelOfUse(this.#useOf(name, now));
      levels.set(name, level);
      return level;
    };
    const most = places - Math.floor(places * KEPT_FOR_OTHERS);
    const mayStart = this.#queue.filter(
      ({ principal }) => [...this.#placed].filter((run) => run.principal === principal).length < most,
    );
    const ranked = mayStart.map((waiting) => ({
      waiting,
      ofPrincipal: levelOf(principalKey(waiting.principal)),
      ofLane: waiting.lane === undefined ? 0 : levelOf(laneKey(waiting.principal, waiting.lane)),
    }));
    // The sort is stable: within a level the order of arrival stays.
    ranked.sort((a, b) => a.ofPrincipal - b.ofPrincipal || a.ofLane - b.ofLane);
    return ranked[0]?.waiting;
  }

  #start(waiting: Waiting): void {
    this.#queue.splice(this.#queue.indexOf(waiting), 1);
    const since = this.#now();
    this.#starts.push(since);
    if (this.#starts.length > RATE_OF) this.#starts.shift();
    const run: Run = { principal: waiting.principal, lane: waiting.lane, since, isOverdue: false };
    this.#placed.add(run);
    waiting.start({
      begin: (goBehind) => {
        run.goBehind = goBehind;
        run.timer = setTimeout(() => {
          run.isOverdue = true;
          this.#settle();
        }, TURN_MS);
      },
      release: () => this.#end(run),
    });
  }

  #end(run: Run): void {
    if (!this.#placed.delete(run) && !this.#behind.delete(run)) return;
    clearTimeout(run.timer);
    const now = this.#now();
    for (const key of keysOf(run)) this.#use.add(key, (now - run.since) / 1000, now);
    this.#settle();
  }

  /** What a name has used lately, the runs that are going on included. */
  #useOf(key: string, now: number): number {
    let seconds = this.#use.of(key, now);
    for (const run of [...this.#placed, ...this.#behind]) {
      if (keysOf(run).includes(key)) seconds += (now - run.since) / 1000;
    }
    return seconds;
  }

  #busy(): CodeExecutionError {
    const seconds = this.#secondsUntilRoom();
    return new CodeExecutionError(
      'busy',
      `${this.#queue.length} runs are waiting already`,
      `try again in about ${seconds} second${seconds === 1 ? '' : 's'}`,
    );
  }

  /** How long those who wait now will take to start, at the rate of the last starts. */
  #secondsUntilRoom(): number {
    const [first] = this.#starts;
    if (first === undefined) return LONGEST_HINT_SECONDS;
    const perStart = Math.max(1, this.#now() - first) / this.#starts.length;
    const seconds = Math.ceil((perStart * this.#queue.length) / 1000);
    return Math.min(LONGEST_HINT_SECONDS, Math.max(1, seconds));
  }
}

/** Use in doublings of a second: small differences leave the order of arrival as it is. */
function levelOfUse(seconds: number): number {
  return seconds < 1 ? 0 : 1 + Math.floor(Math.log2(seconds));
}

function keysOf({ principal, lane }: Run): string[] {
  return [principalKey(principal), ...(lane === undefined ? [] : [laneKey(principal, lane)])];
}

function principalKey(principal: string): string {
  return JSON.stringify([principal]);
}

function laneKey(principal: string, lane: string): string {
  return JSON.stringify([principal, lane]);
}
