import { type LeafMap, ValueMapper } from '../rewrite/map-value.js';
import type { Turns } from '../rewrite/turns.js';
import { type Edit, edited } from './edits.js';

/** A string of the facts of an answer. */
export interface Leaf {
  readonly text: string;
  /** Under the key `value`: data with keys of its own. All else is text of ours with words of others in it. */
  readonly isData: boolean;
}

/** The strings, numbers and keys of the facts of an answer in the order of a walk, and what is to become of them. */
export class Leaves {
  readonly strings: Leaf[] = [];
  /** Numbers of the data. */
  readonly numbers: number[] = [];
  /** Distinct keys of the data. */
  readonly keys = new Set<string>();
  readonly #edits = new Map<number, Edit[]>();
  readonly #numbers = new Map<number, number>();
  readonly #keys = new Map<string, string>();

  get isChanged(): boolean {
    return this.#edits.size + this.#numbers.size + this.#keys.size > 0;
  }

  edit(leaf: number, edit: Edit): void {
    const edits = this.#edits.get(leaf);
    if (edits === undefined) this.#edits.set(leaf, [edit]);
    else edits.push(edit);
  }

  replaceNumber(index: number, number: number): void {
    this.#numbers.set(index, number);
  }

  replaceKey(key: string, replacement: string): void {
    this.#keys.set(key, replacement);
  }

  /** Collects; `see` is told of every leaf as it is collected, with its index. */
  async collect(
    facts: unknown,
    turns: Turns,
    see: {
      string(leaf: Leaf, index: number, keys: readonly string[]): void;
      number(number: number, index: number, keys: readonly string[]): void;
    },
  ): Promise<void> {
    await walk(facts, turns, {
      string: (text, keys) => {
        const leaf = { text: isWordOfOurs(text, keys) ? '' : text, isData: isData(keys) };
        see.string(leaf, this.strings.push(leaf) - 1, keys);
        return text;
      },
      number: (number, keys) => {
        if (isData(keys)) see.number(number, this.numbers.push(number) - 1, keys);
        return number;
      },
      key: (key, keys) => {
        if (areDataKeys(keys)) this.keys.add(key);
        return key;
      },
    });
  }

  /** The facts, walked as before, with the changes made. */
  async applied(facts: unknown, turns: Turns): Promise<unknown> {
    let strings = 0;
    let numbers = 0;
    return walk(facts, turns, {
      string: (text) => {
        const edits = this.#edits.get(strings++);
        return edits === undefined ? text : edited(text, edits);
      },
      number: (number, keys) => (isData(keys) ? (this.#numbers.get(numbers++) ?? number) : number),
      key: (key, keys) => (areDataKeys(keys) ? (this.#keys.get(key) ?? key) : key),
    });
  }
}

async function walk(facts: unknown, turns: Turns, map: LeafMap): Promise<unknown> {
  const mapper = new ValueMapper(facts, map);
  while (!mapper.run(() => turns.isOver)) await turns.giveWay();
  return mapper.result;
}

/** `value.type` is the name of a Python type; all else below is the program's. */
function isData(keys: readonly string[]): boolean {
  return keys[0] === 'value' && !(keys.length === 2 && keys[1] === 'type');
}

/** The keys below `value` itself, `type` and `value`, are ours. */
function areDataKeys(keys: readonly string[]): boolean {
  return keys.length > 1 && isData(keys);
}

/** `timedOut`, `created`: the answer is laid out by these words, and a user of that name must not change them. */
function isWordOfOurs(text: string, keys: readonly string[]): boolean {
  return !isData(keys) && OUR_WORDS.has(keys.at(-1) ?? '') && /^[a-zA-Z_]{1,32}$/.test(text);
}

const OUR_WORDS = new Set(['kind', 'code', 'change']);
