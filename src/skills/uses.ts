import type { SharedDir } from '../fs/shared-dir.js';
import { HISTORY, readText, writeText } from './skill-history.js';

const FILE = `${HISTORY}/uses.json`;
const MAX_BYTES = 4 * 1024 * 1024;
/** Uses are written together after this long, in milliseconds: a loop must not write once a turn. */
const DELAY_MS = 2_000;

/**
 * How often each skill was used. Kept in one file beside the history; what was counted in the last two seconds is lost
 * when the process is killed, and two servers that write at the same instant may lose a count.
 */
export class Uses {
  readonly #dir: SharedDir;
  readonly #onError: (error: unknown) => void;
  #kept = new Map<string, number>();
  #added = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(dir: SharedDir, onError: (error: unknown) => void) {
    this.#dir = dir;
    this.#onError = onError;
  }

  of(name: string): number {
    return (this.#kept.get(name) ?? 0) + (this.#added.get(name) ?? 0);
  }

  most(): number {
    return Math.max(0, ...[...this.#kept.keys(), ...this.#added.keys()].map((name) => this.of(name)));
  }

  add(name: string): void {
    this.#added.set(name, (this.#added.get(name) ?? 0) + 1);
    this.#timer ??= setTimeout(() => {
      this.flush().catch(this.#onError);
    }, DELAY_MS).unref();
  }

  /** Takes in what other servers have counted. */
  async reload(): Promise<void> {
    this.#kept = await this.#dir.use((dir) => readText(dir, FILE, MAX_BYTES)).then(parse);
  }

  /** Writes what was added. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    if (this.#added.size === 0) return;
    await this.#dir.use(async (dir) => {
      const kept = parse(await readText(dir, FILE, MAX_BYTES));
      const added = this.#added;
      for (const [name, uses] of added) kept.set(name, (kept.get(name) ?? 0) + uses);
      this.#added = new Map();
      this.#kept = kept;
      await writeText(dir, FILE, `${JSON.stringify(Object.fromEntries(kept))}\n`);
    });
  }
}

function parse(text: string | undefined): Map<string, number> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
    return new Map(entries.filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1])));
  } catch {
    return new Map();
  }
}
