import type { Detection, Finding } from '../detect/detector.js';
import type { Hit } from './hit.js';
import { StitchedText } from './stitched-text.js';
import { isUnmistakable } from './unmistakable.js';

/**
 * Values that nobody knew before and that a program shows in pieces: only where the pieces themselves say so, for joining
 * what merely stands in a row would turn lists of numbers and words into cards and addresses.
 *
 * Found: an e-mail address cut anywhere between two lines, if the cut leaves an `@` in the words beside it; one character a
 * line, or characters with the same one to four separators between them, from 8 on; a card as four groups of four digits (or
 * 4-6-5), an IBAN in its groups, and a secret with a vendor's mark, each group on a line of its own with nothing else on it; an
 * e-mail address written backwards. Not found: anything else in pieces (a telephone number by its parts, names by letters) unless
 * the value is known from a tool's result; pieces in another order; pieces with words between them.
 */
export function joinedValues(text: string, detection: Detection): Hit[] {
  return [
    ...spacedOut(text, detection),
    ...atSeams(text, detection),
    ...inGroups(text, detection),
    ...backwards(text, detection),
  ];
}

/** `j a n e`, `['j', 'a', 'n', 'e']`, one character a line. */
function spacedOut(text: string, detection: Detection): Hit[] {
  const hits: Hit[] = [];
  for (let i = 1; i + 1 < text.length; ) {
    // One character between separators: the cheap look that nearly every place fails.
    if (!isSeparator(text.charCodeAt(i)) || isSeparator(text.charCodeAt(i - 1)) || isWordAt(text, i - 2)) {
      i++;
      continue;
    }
    const separator = separatorAt(text, i);
    const run = new StitchedText();
    let at = i - 1;
    let last = at;
    while (at < text.length && !isSeparator(text.charCodeAt(at)) && !isWordAt(text, at + 1)) {
      run.add(text.charAt(at), 0, at);
      last = at;
      if (!text.startsWith(separator, at + 1)) break;
      at += 1 + separator.length;
    }
    if (run.pieces >= MIN_CHARACTERS) hits.push(...unmistakableIn(run, detection));
    // The last one may be the first of a run with another separator.
    i = Math.max(i, last) + 1;
  }
  return hits;
}

/** An `@` in the words on both sides of a line end, neither of which is an address by itself. */
function atSeams(text: string, detection: Detection): Hit[] {
  const hits: Hit[] = [];
  let lineEnd = -1;
  let last = -1;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', Math.max(at, lineEnd) + 1)) {
    const lineStart = text.lastIndexOf('\n', at) + 1;
    const next = text.indexOf('\n', at);
    lineEnd = next < 0 ? text.length : next;
    for (const seam of [lineStart - 1, lineEnd]) {
      if (seam <= last || seam >= text.length) continue;
      last = seam;
      const hit = acrossSeam(text, seam, detection);
      if (hit !== undefined) hits.push(hit);
    }
  }
  return hits;
}

function acrossSeam(text: string, seam: number, detection: Detection): Hit | undefined {
  const head = LAST_WORD.exec(text.slice(Math.max(0, seam - MAX_WORD), seam));
  const tail = FIRST_WORD.exec(text.slice(seam + 1, seam + 1 + MAX_WORD));
  const [before, behind] = [head?.[1], tail?.[1]];
  if (head === null || tail === null || before === undefined || behind === undefined) return undefined;
  const joined = before + behind;
  // One `@`, and a dot behind it: what most pairs of words fail before a detector is asked.
  const at = joined.indexOf('@');
  if (at <= 0 || joined.includes('@', at + 1) || !joined.includes('.', at)) return undefined;
  if (hasEmail(before, detection) || hasEmail(behind, detection)) return undefined;
  const whole = detection.inText(joined).find(({ type }) => type === 'EMAIL');
  if (whole === undefined || whole.start >= before.length || whole.end <= before.length) return undefined;
  const start = seam - head[0].length + whole.start;
  const end = seam + 1 + tail[0].length - (joined.length - whole.end);
  return { start, end, values: [{ type: 'EMAIL', value: joined.slice(whole.start, whole.end) }] };
}

function hasEmail(word: string, detection: Detection): boolean {
  return word.includes('@') && detection.inText(word).some(({ type }) => type === 'EMAIL');
}

/** Lines with one word each that are the groups of one value. */
function inGroups(text: string, detection: Detection): Hit[] {
  const hits: Hit[] = [];
  for (const { 0: block, index } of text.matchAll(BLOCK)) {
    const lines = new StitchedText();
    for (const line of block.matchAll(/[^\s'",;[\]()]+/g)) lines.add(line[0], 0, index + line.index);
    const words = lines.text.split('\n');
    if (isCard(words) || isIban(words) || MARK.test(words[0] ?? ''))
      hits.push(...unmistakableIn(lines, detection));
  }
  return hits;
}

function isCard(words: readonly string[]): boolean {
  const lengths = words.map((word) => word.length).join('-');
  return words.every((word) => /^\d+$/.test(word)) && (lengths === '4-4-4-4' || lengths === '4-6-5');
}

function isIban(words: readonly string[]): boolean {
  return (
    /^[A-Z]{2}\d{2}$/.test(words[0] ?? '') && words.slice(1).every((word) => /^[A-Z0-9]{1,4}$/.test(word))
  );
}

/** `gro.elpmaxe@enaj`. */
function backwards(text: string, detection: Detection): Hit[] {
  const hits: Hit[] = [];
  let done = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', Math.max(at + 1, done))) {
    const before = WORD_END.exec(text.slice(Math.max(done, at - MAX_PART), at))?.[0] ?? '';
    const behind = WORD_START.exec(text.slice(at + 1, at + 1 + MAX_PART))?.[0].replace(/\.+$/, '') ?? '';
    done = at + 1 + behind.length;
    // A domain has its dot before the `@` then.
    if (behind === '' || !before.includes('.')) continue;
    const word = `${before}@${behind}`;
    const reversed = [...word].reverse().join('');
    const found = detection.inText(reversed).find(({ type }) => type === 'EMAIL');
    if (found === undefined || hasEmail(word, detection)) continue;
    const value = reversed.slice(found.start, found.end);
    const end = done - found.start;
    hits.push({ start: end - value.length, end, values: [{ type: 'EMAIL', value }] });
  }
  return hits;
}

/** Looks through the pieces put together without anything between them. */
function unmistakableIn(pieces: StitchedText, detection: Detection): Hit[] {
  const { text } = pieces;
  const joined = text.replaceAll('\n', '');
  const found: Finding[] = detection.inText(joined).filter(isUnmistakable);
  if (found.length === 0) return [];
  // Offsets in the joined text to offsets with line ends: pieces are few and short here.
  const places: number[] = [];
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== NEWLINE) places.push(i);
  return found.flatMap(({ start, end, type }) => {
    const parts = pieces.partsOf(places[start] ?? 0, (places[end - 1] ?? 0) + 1);
    const [first, last] = [parts[0], parts.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [{ start: first.start, end: last.end, values: [{ type, value: joined.slice(start, end) }] }];
  });
}

function separatorAt(text: string, at: number): string {
  let end = at;
  while (end - at < 4 && isSeparator(text.charCodeAt(end))) end++;
  return text.slice(at, end);
}

function isWordAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && /[\p{L}\p{N}@]/u.test(text.charAt(at));
}

function isSeparator(code: number): boolean {
  return code < 128 && SEPARATORS[code] === 1;
}

const SEPARATORS = Uint8Array.from({ length: 128 }, (_, code) =>
  ' \t\n\r,;\'"|/\\-*~'.includes(String.fromCharCode(code)) ? 1 : 0,
);
const NEWLINE = 0x0a;
const MIN_CHARACTERS = 8;
/** Characters looked at beside a line end. */
const MAX_WORD = 120;
const LAST_WORD = /([^\s'",;:<>()[\]{}=]+)['",;\s]{0,8}$/;
const FIRST_WORD = /^['"\s]{0,8}([^\s'",;:<>()[\]{}=]+)/;
const BLOCK =
  /(?<![^\n])[ \t'"[(]{0,4}[A-Za-z0-9_+/=.-]{1,64}['",;]{0,2}(?:\r?\n[ \t'"]{0,4}[A-Za-z0-9_+/=.-]{1,64}['",;\])]{0,2}){1,15}(?![^\n])/g;
const MARK =
  /^['"]?(?:(?:sk|pk|rk)[_-]|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|npm_|pypi-|hf_|eyJ|SG\.|dop_v1_|shp(?:at|ca|pa|ss)_)/;
const MAX_PART = 100;
const WORD_END = /[A-Za-z0-9._%+-]*$/;
const WORD_START = /^[A-Za-z0-9._%+-]*/;
