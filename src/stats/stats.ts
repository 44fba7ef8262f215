import type { ErrorCode } from '../core/errors.js';
import { Latencies } from './latencies.js';

/** What this process has done so far for one principal. Times in milliseconds. */
export interface StatsSnapshot {
  readonly uptimeMs: number;
  readonly runs: {
    readonly total: number;
    /** Number of runs by `ok` or the error code they ended with. */
    readonly byOutcome: Readonly<Record<string, number>>;
    readonly p50Ms?: number;
    readonly p95Ms?: number;
  };
  /** Calls of downstream tools that code made, also those that the policy refused. */
  readonly toolCalls: { readonly total: number; readonly failed: number };
  /** LLM tokens, estimated from characters. */
  readonly tokens: { readonly returned: number; readonly keptOut: number; readonly savedPercent?: number };
}

/** Counters of one principal, kept in memory. The clock is a parameter for tests. */
export class Stats {
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #byOutcome = new Map<string, number>();
  readonly #latencies = new Latencies();
  #runs = 0;
  #toolCalls = 0;
  #failedCalls = 0;
  #returned = 0;
  #keptOut = 0;

  constructor(now: () => number = () => performance.now(), startedAt = now()) {
    this.#now = now;
    this.#startedAt = startedAt;
  }

  /** One run ended: with a value or none (`ok`), or with an error. `durationMs` is absent if its code never began. */
  addRun(outcome: 'ok' | ErrorCode, durationMs?: number): void {
    this.#runs++;
    this.#byOutcome.set(outcome, (this.#byOutcome.get(outcome) ?? 0) + 1);
    if (durationMs !== undefined) this.#latencies.add(durationMs);
  }

  /** The calls of one run. */
  addToolCalls(calls: readonly { readonly ok: boolean }[]): void {
    this.#toolCalls += calls.length;
    this.#failedCalls += calls.filter(({ ok }) => !ok).length;
  }

  /** One answer went out. `keptOut`: LLM tokens of data that the model did not have to read for it. */
  addAnswer(returned: number, keptOut: number): void {
    this.#returned += returned;
    this.#keptOut += keptOut;
  }

  snapshot(): StatsSnapshot {
    const p50Ms = this.#latencies.quantile(0.5);
    const p95Ms = this.#latencies.quantile(0.95);
    const all = this.#returned + this.#keptOut;
    return {
      uptimeMs: this.#now() - this.#startedAt,
      runs: {
        total: this.#runs,
        byOutcome: Object.fromEntries([...this.#byOutcome].sort(([a], [b]) => (a < b ? -1 : 1))),
        ...(p50Ms === undefined ? {} : { p50Ms }),
        ...(p95Ms === undefined ? {} : { p95Ms }),
      },
      toolCalls: { total: this.#toolCalls, failed: this.#failedCalls },
      tokens: {
        returned: this.#returned,
        keptOut: this.#keptOut,
        ...(all > 0 ? { savedPercent: Math.floor((1000 * this.#keptOut) / all) / 10 } : {}),
      },
    };
  }
}
