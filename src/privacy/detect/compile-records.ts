import type { PiiType } from '../../core/pii.js';
import { Keys } from './keys.js';
import type { Evidence } from './name-finder.js';
import { Phrases } from './phrases.js';
import type { DetectorRecord, Trigger } from './record.js';
import { TYPE_BIT } from './type-bits.js';
import { HAS_DIGIT } from './words.js';

/** Records sorted by what wakes them, and all their words in one dictionary. */
export interface CompiledRecords {
  readonly phrases: Phrases;
  readonly keys: Keys;
  /** The records for a word, by `kinds * LENGTHS + min(length, LENGTHS - 1)`. */
  readonly byWord: readonly (readonly WakingRecord[])[];
  /** The records for a word of digits, by `min(length, MOST_DIGITS) * (MOST_DIGITS + 1) + min(digits, MOST_DIGITS)`. */
  readonly byDigits: readonly (readonly WakingRecord[])[];
  /** The records for a symbol, by its ASCII code. */
  readonly bySymbol: readonly (readonly WakingRecord[])[];
  /** All symbols that wake a record. */
  readonly symbols: string;
}

/** All of one shape, so that the loop over words finds `match` at one place. */
export interface WakingRecord {
  readonly record: DetectorRecord;
  readonly match: DetectorRecord['match'];
  readonly bit: number;
  /** The bit again where the record is called only with evidence, else 0. */
  readonly neededBit: number;
}

/** Word lengths told apart; longer ones count as this one less 1. */
export const LENGTHS = 64;

/** Digits of a number told apart. */
export const MOST_DIGITS = 24;

/** @param extra evidence of types that no record stands for. */
export function compileRecords(
  records: readonly DetectorRecord[],
  extra: Readonly<Partial<Record<PiiType, Evidence>>> = {},
): CompiledRecords {
  const phrases = new Phrases();
  const keys = new Keys();
  const learn = (type: PiiType, evidence: Partial<Evidence>): void => {
    for (const phrase of evidence.context ?? []) phrases.add(phrase, TYPE_BIT[type], 0);
    for (const key of evidence.keys ?? []) {
      keys.add(key, TYPE_BIT[type]);
      phrases.add(key, 0, TYPE_BIT[type]);
    }
  };
  for (const record of records) learn(record.type, record);
  for (const [type, evidence] of Object.entries(extra)) learn(type as PiiType, evidence);

  const waking = records.map((record) => ({
    record,
    match: record.match.bind(record),
    bit: TYPE_BIT[record.type],
    neededBit: record.needsEvidence === true ? TYPE_BIT[record.type] : 0,
  }));
  const symbols = new Set(
    records.flatMap(({ trigger }) => (trigger.kind === 'symbol' ? [...trigger.symbols] : [])),
  );
  return {
    phrases,
    keys,
    byWord: byWord(waking),
    byDigits: byDigits(waking),
    bySymbol: Array.from({ length: 128 }, (_, unit) =>
      waking.filter(
        ({ record: { trigger } }) =>
          trigger.kind === 'symbol' && trigger.symbols.includes(String.fromCharCode(unit)),
      ),
    ),
    symbols: [...symbols].join(''),
  };
}

function byWord(waking: readonly WakingRecord[]): WakingRecord[][] {
  const share = sharedLists(waking);
  return Array.from({ length: 64 * LENGTHS }, (_, index) => {
    const kinds = Math.floor(index / LENGTHS);
    const length = index % LENGTHS;
    return share(waking.filter(({ record: { trigger } }) => isWoken(trigger, kinds, length, LENGTHS - 1)));
  });
}

function byDigits(waking: readonly WakingRecord[]): WakingRecord[][] {
  const share = sharedLists(waking);
  return Array.from({ length: (MOST_DIGITS + 1) * (MOST_DIGITS + 1) }, (_, index) => {
    const length = Math.floor(index / (MOST_DIGITS + 1));
    const digits = index % (MOST_DIGITS + 1);
    return share(
      waking.filter(({ record: { trigger } }) => {
        if (!isWoken(trigger, HAS_DIGIT, length, MOST_DIGITS)) return false;
        return trigger.kind === 'word' && digits >= (trigger.minDigits ?? 0);
      }),
    );
  });
}

/** @param longest stands for all lengths from there on. */
function isWoken(trigger: Trigger, kinds: number, length: number, longest: number): boolean {
  if (trigger.kind !== 'word') return false;
  const { has, lacks, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = trigger;
  if ((kinds & has) !== has || (kinds & lacks) !== 0) return false;
  return length === longest ? maxLength >= length : length >= minLength && length <= maxLength;
}

/** One array for equal lists: the tables stay in the cache. */
function sharedLists(waking: readonly WakingRecord[]): (woken: WakingRecord[]) => WakingRecord[] {
  const lists = new Map<string, WakingRecord[]>();
  return (woken) => {
    const name = woken.map((entry) => waking.indexOf(entry)).join(' ');
    const same = lists.get(name) ?? woken;
    lists.set(name, same);
    return same;
  };
}
