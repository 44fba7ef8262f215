import type { Entry } from './entry.js';
import { normalForm } from './normal-form.js';
import { SPELLINGS } from './token-text.js';

/** The spellings of one value under one counter. */
interface Family {
  readonly counter: number;
  /**
   * Digit of the next spelling. Of a counter that came from the disk no digit is given out: another process, or this one
   * before it forgot some, may have given it to another spelling.
   */
  nextSpelling: number;
  members: number;
}

/** The values of one type. */
interface Shelf {
  readonly byValue: Map<string, Entry>;
  readonly byNormalForm: Map<string, Family>;
}

/** Taken out at once when there are too many values, as a share: finding the oldest costs a pass over all. */
const EVICTED_SHARE = 0.1;

const BLOCK_BITS = 10;
const BLOCK_SIZE = 1 << BLOCK_BITS;

/** The values of a vault in memory, by token and by value. */
export class Entries {
  /** By counter: blocks of the first spelling each, the others hang on that. Neighbours in a text are neighbours here. */
  readonly #blocks = new Map<number, (Entry | undefined)[]>();
  #latest: { readonly number: number; readonly block: (Entry | undefined)[] } = { number: -1, block: [] };
  readonly #byNumber = new Map<number, Entry>();
  readonly #shelves = new Map<string, Shelf>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Those that come may be removed meanwhile. */
  *all(): Generator<Entry> {
    for (const block of this.#blocks.values())
      for (const first of block)
        for (let entry = first; entry !== undefined; ) {
          const next: Entry | undefined = entry.sibling;
          yield entry;
          entry = next;
        }
  }

  /** Any entry of the counter. */
  at(counter: number): Entry | undefined {
    const number = counter >> BLOCK_BITS;
    if (number !== this.#latest.number) {
      const block = this.#blocks.get(number);
      if (block === undefined) return undefined;
      this.#latest = { number, block };
    }
    return this.#latest.block[counter & (BLOCK_SIZE - 1)];
  }

  /** A counter and the digit of the spelling name a value. */
  byId(counter: number, spelling: number): Entry | undefined {
    let entry = this.at(counter);
    while (entry !== undefined && entry.spelling !== spelling) entry = entry.sibling;
    return entry;
  }

  /** By the value of a number token. */
  byNumber(number: number): Entry | undefined {
    return this.#byNumber.get(number);
  }

  byValue(type: string, value: string, isNumber: boolean): Entry | undefined {
    return this.#shelves.get(shelfName(type, isNumber))?.byValue.get(value);
  }

  /** Counter and digit for a new spelling of a value whose normal form is here under another one. */
  nextSpelling(type: string, normal: string): { counter: number; spelling: number } | undefined {
    const family = this.#shelves.get(type)?.byNormalForm.get(normal);
    if (family === undefined || family.nextSpelling >= SPELLINGS) return undefined;
    return { counter: family.counter, spelling: family.nextSpelling };
  }

  /**
   * @param normal form of the value.
   * @param isIssued this process has just given out the token; else it comes from the disk.
   */
  add(entry: Entry, normal: string, isIssued: boolean): void {
    const shelf = this.#shelfOf(entry);
    this.#link(entry);
    if (isIssued || !shelf.byValue.has(entry.value)) shelf.byValue.set(entry.value, entry);
    if (entry.isNumber) return;
    const family = shelf.byNormalForm.get(normal);
    if (family?.counter === entry.counter) {
      family.members += 1;
      if (isIssued) family.nextSpelling = entry.spelling + 1;
    } else if (isIssued || family === undefined) {
      const nextSpelling = isIssued ? entry.spelling + 1 : SPELLINGS;
      shelf.byNormalForm.set(normal, { counter: entry.counter, nextSpelling, members: 1 });
    }
  }

  remove(entry: Entry): void {
    const shelf = this.#shelfOf(entry);
    this.#unlink(entry);
    if (shelf.byValue.get(entry.value) === entry) shelf.byValue.delete(entry.value);
    if (entry.isNumber) return;
    const normal = normalForm(entry.type, entry.value);
    const family = shelf.byNormalForm.get(normal);
    if (family?.counter !== entry.counter) return;
    family.members -= 1;
    if (family.members === 0) shelf.byNormalForm.delete(normal);
  }

  /** The ones that were not used for the longest time, so many that there is room again. */
  oldest(maxValues: number): Entry[] {
    const count = this.size - Math.floor(maxValues * (1 - EVICTED_SHARE));
    return [...this.all()].sort((a, b) => a.usedAt - b.usedAt).slice(0, count);
  }

  /** Distinct values by type; spellings of one value count once. */
  counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const [name, { byValue, byNormalForm }] of this.#shelves) {
      const isNumber = name.startsWith(NUMBER_SHELF);
      const type = isNumber ? name.slice(NUMBER_SHELF.length) : name;
      const count = (counts[type] ?? 0) + (isNumber ? byValue.size : byNormalForm.size);
      if (count > 0) counts[type] = count;
    }
    return counts;
  }

  clear(): void {
    this.#blocks.clear();
    this.#latest = { number: -1, block: [] };
    this.#byNumber.clear();
    this.#size = 0;
    this.#shelves.clear();
  }

  #link(entry: Entry): void {
    const number = entry.counter >> BLOCK_BITS;
    let block = this.#blocks.get(number);
    if (block === undefined) {
      block = new Array<Entry | undefined>(BLOCK_SIZE).fill(undefined);
      this.#blocks.set(number, block);
    }
    entry.sibling = block[entry.counter & (BLOCK_SIZE - 1)];
    block[entry.counter & (BLOCK_SIZE - 1)] = entry;
    if (entry.isNumber) this.#byNumber.set(Number(entry.token), entry);
    this.#size += 1;
  }

  #unlink(entry: Entry): void {
    const number = entry.counter >> BLOCK_BITS;
    const block = this.#blocks.get(number);
    let before = block?.[entry.counter & (BLOCK_SIZE - 1)];
    if (block === undefined || before === undefined) return;
    if (before === entry) block[entry.counter & (BLOCK_SIZE - 1)] = entry.sibling;
    while (before !== undefined && before.sibling !== entry) before = before.sibling;
    if (before !== undefined) before.sibling = entry.sibling;
    entry.sibling = undefined;
    if (entry.isNumber) this.#byNumber.delete(Number(entry.token));
    this.#size -= 1;
    if (block.some((first) => first !== undefined)) return;
    this.#blocks.delete(number);
    this.#latest = { number: -1, block: [] };
  }

  #shelfOf({ type, isNumber }: Entry): Shelf {
    const name = shelfName(type, isNumber);
    let shelf = this.#shelves.get(name);
    if (shelf === undefined) {
      shelf = { byValue: new Map(), byNormalForm: new Map() };
      this.#shelves.set(name, shelf);
    }
    return shelf;
  }
}

const NUMBER_SHELF = 'number ';

function shelfName(type: string, isNumber: boolean): string {
  return isNumber ? `${NUMBER_SHELF}${type}` : type;
}
