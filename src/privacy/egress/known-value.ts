import type { Origin } from '../vault/vault.js';
import { fold } from './folded-text.js';

/** A value that is to be recognised again, in one of the forms that it may be shown in. */
export interface KnownValue {
  readonly type: string;
  /** As it was found. */
  readonly value: string;
  readonly origin: Origin;
  /** Letters and digits of this form, folded. */
  readonly folded: string;
  /** Where in a text the value can be told from something that merely has the same letters. */
  readonly edges: 'none' | 'digits' | 'word';
  /** For digits: what stands between them in this form, before the second one first. */
  readonly gaps: readonly string[];
}

/** Letters and digits from which on a value is recognised without its separators. */
export const MIN_FOLDED = 8;

/** The forms in which a value is looked for: as it is, backwards, and with its letters moved by 13. */
export function formsOf(type: string, value: string, origin: Origin): KnownValue[] {
  const folded = fold(value);
  if (folded.length < MIN_FOLDED) return [];
  const edges = edgesOf(type, value, folded);
  const forms = [folded, backwards(folded), rotated(folded)];
  const gaps = edges === 'digits' ? value.split(/\d/).slice(1, -1) : [];
  return [...new Set(forms)].map((form) => ({
    type,
    value,
    origin,
    folded: form,
    edges,
    gaps: form === folded ? gaps : [...gaps].reverse().map(backwards),
  }));
}

function backwards(text: string): string {
  let out = '';
  for (let i = text.length - 1; i >= 0; i--) out += text.charAt(i);
  return out;
}

function rotated(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    out += code < SMALL_A || code > SMALL_Z ? text.charAt(i) : ROTATED.charAt(code - SMALL_A);
  }
  return out;
}

/** Single words and names end where words end: `developer` is not in `developers`. Digits are not part of longer numbers. */
function edgesOf(type: string, value: string, folded: string): KnownValue['edges'] {
  if (/^\d+$/.test(folded)) return 'digits';
  return NAMES.has(type) || /^\p{L}+$/u.test(value) ? 'word' : 'none';
}

const SMALL_A = 0x61;
const SMALL_Z = 0x7a;
const ROTATED = 'nopqrstuvwxyzabcdefghijklm';
const NAMES = new Set(['PERSON', 'USERNAME']);

/**
 * Whether the digits of a text that match a value can be the value: no digit goes on before or behind them (but zeros that
 * fill up), they are no part of a decimal fraction, and fewer than 13 are not collected from any numbers that stand in a row:
 * between them is what people put between groups; or what the value itself has there, and one separator of the program.
 *
 * @param places of the digits.
 */
export function areDigitsOfOne(
  text: string,
  places: Uint32Array,
  from: number,
  { folded: { length }, gaps }: Pick<KnownValue, 'folded' | 'gaps'>,
): boolean {
  const start = places[from] ?? 0;
  const end = (places[from + length - 1] ?? 0) + 1;
  if (/\d/.test(text.charAt(end)) || /^\.\d/.test(text.slice(end, end + 2))) return false;
  let before = start;
  while (text.charAt(before - 1) === '0' && start - before < MAX_ZEROS) before--;
  if (/\d$|\d\.$/.test(text.slice(Math.max(0, before - 2), before))) return false;
  if (length >= UNMISTAKABLE) return true;
  let isGrouped = 0;
  let areGroups = true;
  let separator: string | undefined;
  let isOneSeparator = true;
  for (let i = 1; i < length; i++) {
    const gap = text.slice((places[from + i - 1] ?? 0) + 1, places[from + i]);
    if (gap === '') continue;
    if (gap.length > MAX_GAP) return false;
    isGrouped++;
    areGroups &&= GROUPING.test(gap);
    const own = gaps[i - 1] ?? '';
    const rest = own === '' ? gap : gap.replace(own, '');
    separator ??= rest === '' ? undefined : rest;
    isOneSeparator &&= rest === '' || isMadeOf(rest, separator ?? rest);
  }
  return isOneSeparator || (areGroups && isGrouped <= MAX_GROUPS);
}

/** Once or twice the same: a separator on both sides of a character of the value. White space counts only by itself. */
function isMadeOf(gap: string, separator: string): boolean {
  if (gap === separator || gap === separator + separator || gap + gap === separator) return true;
  const [bare, bareSeparator] = [gap.replace(/\s/g, ''), separator.replace(/\s/g, '')];
  if (bare === '' || bareSeparator === '') return false;
  return bare === bareSeparator || bare === bareSeparator + bareSeparator || bare + bare === bareSeparator;
}

/** So many digits in a row do not come together by chance. */
const UNMISTAKABLE = 13;
const MAX_ZEROS = 40;
const MAX_GAP = 40;
const MAX_GROUPS = 5;
const GROUPING = /^[-. /()\u00a0\u2011\u2013]{1,3}$/;
