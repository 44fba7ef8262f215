import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** The lowest there is. Runs behind share what the others leave. */
const LOWEST = 19;
/** Without privileges the kernel takes one change of a group's priority in 100 ms, for the whole system. */
const AGAIN_MS = 120;
const MAX_ATTEMPTS = 20;

/** The processes of a worker: whose threads run code, and one of their session (in the sense of setsid). */
export interface PriorityTarget {
  readonly code: number | undefined;
  readonly session: number | undefined;
}

/**
 * The share of the processor that a worker gets against others.
 *
 * Linux may weigh sessions before it weighs processes (autogroup), and every worker has a session of its own, so both are
 * set. Where there is no autogroup, the nice value alone counts.
 */
export class CpuPriority {
  readonly #find: () => PriorityTarget;
  #timer: NodeJS.Timeout | undefined;
  #isLow = false;

  constructor(find: () => PriorityTarget) {
    this.#find = find;
  }

  /**
   * Without privileges a nice value goes one way, and a group that wants its priority back may not get its turn among the
   * others: then only a worker that runs nothing else is lowered, for a session that stayed behind would starve.
   * @param forGood the worker runs nothing else.
   */
  lower(forGood: boolean): void {
    if (!forGood && !canRaise()) return;
    this.#isLow = true;
    const { code } = this.#find();
    if (code !== undefined) setNice(code, LOWEST);
    this.#setGroup(LOWEST, MAX_ATTEMPTS);
  }

  restore(): void {
    if (!this.#isLow) return;
    this.#isLow = false;
    const { code } = this.#find();
    // A worker that was lowered for good gets back what it can, for the moment in which it unwinds.
    if (code !== undefined && canRaise()) setNice(code, 0);
    this.#setGroup(0, MAX_ATTEMPTS);
  }

  #setGroup(nice: number, attempts: number): void {
    clearTimeout(this.#timer);
    const { session } = this.#find();
    if (session === undefined || process.platform !== 'linux') return;
    try {
      writeFileSync(`/proc/${session}/autogroup`, String(nice));
    } catch (error) {
      // Anything else: gone, or a kernel without it.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || attempts === 0) return;
      this.#timer = setTimeout(() => this.#setGroup(nice, attempts - 1), AGAIN_MS);
      this.#timer.unref();
    }
  }
}

function canRaise(): boolean {
  return process.platform === 'win32' || process.geteuid?.() === 0;
}

/** Of a process and, on Linux, of each of its threads: there a nice value belongs to a thread. */
function setNice(pid: number, nice: number): void {
  for (const thread of threadsOf(pid)) {
    try {
      setPriority(thread, nice);
    } catch {
      // Gone already.
    }
  }
}

function threadsOf(pid: number): number[] {
  if (process.platform !== 'linux') return [pid];
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}
