/**
 * The stem of an English word by the Porter2 rules (Snowball "english"), so that `creates`, `created` and `creating`
 * meet. Lower-case ASCII only; any other word comes back as it is. Never throws; linear in the word.
 */
export function stem(word: string): string {
  if (word.length <= 2 || word.length > MAX_LENGTH || !/^[a-z]+$/.test(word)) return word;
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  let rest = markConsonantY(word);
  const r1 = regionStart(rest);
  const r2 = secondRegion(rest, r1);
  rest = plural(rest);
  if (INVARIANT.has(rest)) return rest;
  rest = past(rest, r1);
  rest = finalY(rest);
  rest = longSuffix(rest, r1);
  rest = middleSuffix(rest, r1, r2);
  rest = shortSuffix(rest, r2);
  return finalLetter(rest, r1, r2).toLowerCase();
}

/** Longer ones are no English words. */
const MAX_LENGTH = 40;

/** Words that the rules would stem wrongly, as Snowball lists them; irregular plurals; and forms that the rules keep apart. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['news', 'news'],
  ['atlas', 'atlas'],
  ['bias', 'bias'],
  ['cosmos', 'cosmos'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ['gently', 'gentl'],
  ['indices', 'index'],
  ['indexes', 'index'],
  ['matrices', 'matrix'],
  ['vertices', 'vertex'],
  ['analyses', 'analysi'],
  ['people', 'person'],
  ['children', 'child'],
  ['men', 'man'],
  ['women', 'woman'],
  ['creation', 'creat'],
  ['creator', 'creat'],
  ['found', 'find'],
  ['sent', 'send'],
  ['written', 'write'],
  ['ran', 'run'],
]);

const INVARIANT: ReadonlySet<string> = new Set([
  'inning',
  'outing',
  'canning',
  'herring',
  'earring',
  'proceed',
  'exceed',
  'succeed',
]);

const VOWEL = /[aeiouy]/;
const DOUBLE = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;
/** A stem that ends in a short syllable: such words drop no final `e`. */
const SHORT_SYLLABLE = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/;

/** `y` is a consonant at the start and after a vowel; marked by writing it large. */
function markConsonantY(word: string): string {
  return word.includes('y') ? word.replace(/^y/, 'Y').replace(/([aeiou])y/g, '$1Y') : word;
}

/** Where the region after the first non-vowel after a vowel begins. */
function regionStart(word: string): number {
  const prefix = /^(?:gener|commun|arsen)/.exec(word);
  if (prefix) return prefix[0].length;
  const match = /[aeiouy][^aeiouy]/.exec(word);
  return match ? match.index + 2 : word.length;
}

function secondRegion(word: string, r1: number): number {
  const match = /[aeiouy][^aeiouy]/.exec(word.slice(r1));
  return match ? r1 + match.index + 2 : word.length;
}

function plural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ied') || word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1);
  if (word.endsWith('us') || word.endsWith('ss')) return word;
  return word.endsWith('s') && VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function past(word: string, r1: number): string {
  const eed = /(?:eedly|eed)$/.exec(word);
  if (eed) return eed.index >= r1 ? `${word.slice(0, eed.index)}ee` : word;
  const match = /(?:ingly|edly|ing|ed)$/.exec(word);
  if (!match || !VOWEL.test(word.slice(0, match.index))) return word;
  const base = word.slice(0, match.index);
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (DOUBLE.test(base)) return base.slice(0, -1);
  return r1 >= base.length && SHORT_SYLLABLE.test(base) ? `${base}e` : base;
}

function finalY(word: string): string {
  return word.length > 2 && /[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word;
}

type Rules = readonly (readonly [suffix: string, becomes: string])[];

/** Longest suffix first. */
const LONG = byEnding([
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['iveness', 'ive'],
  ['ization', 'ize'],
  ['ousness', 'ous'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['tional', 'tion'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ation', 'ate'],
  ['entli', 'ent'],
  ['fulli', 'ful'],
  ['iviti', 'ive'],
  ['ousli', 'ous'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['anci', 'ance'],
  ['ator', 'ate'],
  ['enci', 'ence'],
  ['izer', 'ize'],
  ['bli', 'ble'],
]);

const MIDDLE = byEnding([
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]);

/** By the last two letters: nearly every word has none of these endings. */
function byEnding(rules: Rules): ReadonlyMap<string, Rules> {
  const groups = new Map<string, (readonly [string, string])[]>();
  for (const rule of rules) {
    const ending = rule[0].slice(-2);
    groups.set(ending, [...(groups.get(ending) ?? []), rule]);
  }
  return groups;
}

const SHORT = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic)$/;

function replaceSuffix(word: string, groups: ReadonlyMap<string, Rules>, region: number): string {
  for (const [suffix, becomes] of groups.get(word.slice(-2)) ?? []) {
    if (!word.endsWith(suffix)) continue;
    const cut = word.length - suffix.length;
    return cut >= region ? word.slice(0, cut) + becomes : word;
  }
  return word;
}

function longSuffix(word: string, r1: number): string {
  const changed = replaceSuffix(word, LONG, r1);
  if (changed !== word || word.length - 2 < r1) return changed;
  return /[cdeghkmnrt]li$/.test(word) ? word.slice(0, -2) : /logi$/.test(word) ? word.slice(0, -1) : word;
}

function middleSuffix(word: string, r1: number, r2: number): string {
  if (word.endsWith('ative')) return word.length - 5 >= r2 ? word.slice(0, -5) : word;
  return replaceSuffix(word, MIDDLE, r1);
}

function shortSuffix(word: string, r2: number): string {
  const ion = /[st]ion$/.test(word);
  const length = ion ? 3 : (SHORT.exec(word)?.[0].length ?? 0);
  return length > 0 && word.length - length >= r2 ? word.slice(0, -length) : word;
}

function finalLetter(word: string, r1: number, r2: number): string {
  const cut = word.length - 1;
  if (word.endsWith('e')) {
    return cut >= r2 || (cut >= r1 && !SHORT_SYLLABLE.test(word.slice(0, -1))) ? word.slice(0, -1) : word;
  }
  return word.endsWith('ll') && cut >= r2 ? word.slice(0, -1) : word;
}
