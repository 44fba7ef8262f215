import { roleOfKey } from './key-roles.js';
import { keyWords } from './key-words.js';

/** A place in a structure: its keys from the outermost on and what they speak of. */
export interface KeyPath {
  /** As lower-case words. */
  readonly keys: readonly string[];
  /** Types that the keys speak of. */
  readonly bits: number;
  /** What the innermost key is for: the bits of key-roles.ts. */
  readonly role: number;
}

/** What keys speak of. Each path is worked out once. */
export class Keys {
  readonly root: KeyPath = new KnownPath([], 0, 0);
  readonly #phrases = new Map<string, number>();
  #longest = 1;
  #generation = 0;
  #held = 0;

  /** Adds bits for a key as a record writes it. */
  add(key: string, bits: number): void {
    const words = keyWords(key).split(' ');
    this.#longest = Math.max(this.#longest, words.length);
    this.#put(words.join(' '), bits);
    if (words.length > 1) this.#put(words.join(''), bits);
  }

  /** The path of a key below another path. */
  below(path: KeyPath, key: string): KeyPath {
    if (!(path instanceof KnownPath)) return this.#make(path, key);
    const below = path.below(this.#generation);
    const known = below.get(key);
    if (known) return known;
    const made = this.#make(path, key);
    if (++this.#held > MOST_HELD) {
      // A document whose keys are values (ids as keys) must not fill the memory.
      this.#generation++;
      this.#held = 0;
    } else below.set(key, made);
    return made;
  }

  #make(path: KeyPath, key: string): KeyPath {
    const own = keyWords(key);
    const keys = path.keys.length < DEEPEST ? [...path.keys, own] : path.keys;
    return new KnownPath(keys, this.#bitsOf(own, path.keys.at(-1)), roleOfKey(own));
  }

  #bitsOf(own: string, parent: string | undefined): number {
    const words = own === '' ? [] : own.split(' ');
    const before = parent === undefined || parent === '' ? [] : parent.split(' ').slice(-this.#longest);
    const all = [...before, ...words];
    const isVague = words.every((word) => VAGUE.has(word) || NUMBER.test(word));
    let bits = 0;
    for (let from = 0; from < all.length; from++) {
      for (let to = Math.min(all.length, from + this.#longest); to > from; to--) {
        if (to <= before.length && !isVague) continue;
        const found = this.#find(all.slice(from, to));
        if (found === 0 || all.slice(to).some((word) => ABOUT.has(word))) continue;
        bits |= found;
        break;
      }
    }
    return bits;
  }

  #find(words: readonly string[]): number {
    const spelled = words.join(' ');
    const found = this.#phrases.get(spelled);
    if (found !== undefined) return found;
    return spelled.length > 4 && spelled.endsWith('s') ? (this.#phrases.get(spelled.slice(0, -1)) ?? 0) : 0;
  }

  #put(spelled: string, bits: number): void {
    this.#phrases.set(spelled, (this.#phrases.get(spelled) ?? 0) | bits);
  }
}

class KnownPath implements KeyPath {
  readonly keys: readonly string[];
  readonly bits: number;
  readonly role: number;
  #below: Map<string, KeyPath> | undefined;
  #generation = 0;

  constructor(keys: readonly string[], bits: number, role: number) {
    this.keys = keys;
    this.bits = bits;
    this.role = role;
  }

  below(generation: number): Map<string, KeyPath> {
    if (this.#below === undefined || this.#generation !== generation) {
      this.#below = new Map();
      this.#generation = generation;
    }
    return this.#below;
  }
}

/** Keys that say nothing of their own: what stands above them counts. */
const VAGUE: ReadonlySet<string> = new Set(
  (
    'number no nr num value val id text raw full display data content code main primary secondary default home work ' +
    'office business personal private mobile cell current old new first second other item entry nummer numero número ' +
    'valor valeur wert string plain original formatted national international local key'
  ).split(' '),
);

/** Words behind a key's meaning that turn it into something about the value: `ssn_verified`, `phone_type`. */
const ABOUT: ReadonlySet<string> = new Set(
  (
    'count counts type types kind verified valid validated validation status state required enabled disabled optional ' +
    'length size format pattern regex policy version label title description hint placeholder error errors message ' +
    'expiry expires expiration expired issued updated created changed modified at on ago ttl limit max min total ' +
    'country locale lang language provider vendor issuer scheme algorithm algo field column fields columns index ' +
    'score rate percent ratio flag is has sent opened allowed permissions scope scopes strength attempts url uri ' +
    'endpoint path file filename reset rotation age ref name'
  ).split(' '),
);

const NUMBER = /^\d+$/;
const MOST_HELD = 20_000;
/** Keys of a path that are kept. */
const DEEPEST = 16;
