import { compatible, isInvisible, lookalike } from './characters.js';
import { type MappedText, MappedTextBuilder } from './mapped-text.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/**
 * The text without disguise: invisible characters left out, compatibility forms, digits, dashes and blanks of all
 * scripts plain, accents joined to their letters, and letters of other scripts that look Latin made Latin where the
 * same run of characters also holds ASCII letters or digits.
 */
export function foldText(text: string): MappedText {
  const built = new MappedTextBuilder(text);
  let kept = 0;
  let runEnd = -1;
  let runIsMixed = false;
  let at = 0;
  while (at < text.length) {
    const point = text.codePointAt(at) as number;
    if (point < 128) {
      at++;
      continue;
    }
    const next = at + (point > 0xffff ? 2 : 1);
    if (at >= runEnd) {
      const run = runAround(text, at);
      runEnd = run.end;
      runIsMixed = run.isMixed;
    }
    const character = text.slice(at, next);
    const plain = plainSpelling(character, point, runIsMixed);
    if (plain !== character) {
      built.keep(kept, at);
      built.put(plain, at, next);
      kept = next;
    } else if (MARK.test(character)) {
      built.keep(kept, at);
      const joined = (built.text.slice(-1) + character).normalize('NFC');
      if (built.text.length > 0 && joined.length === 1) built.replaceLast(joined, next);
      else built.put(character, at, next);
      kept = next;
    }
    at = next;
  }
  built.keep(kept, text.length);
  return built;
}

function plainSpelling(character: string, point: number, mayFoldLetters: boolean): string {
  if (isInvisible(point)) return '';
  const plain = compatible(character, point);
  return (mayFoldLetters && lookalike(plain)) || plain;
}

/** From here to the next blank, and whether ASCII letters or digits are part of it (a few units before count too). */
function runAround(text: string, at: number): { end: number; isMixed: boolean } {
  let isMixed = false;
  for (let before = at - 1; before >= at - REACH && before >= 0; before--) {
    const unit = unitAt.call(text, before);
    if (unit <= 32) break;
    if (isAsciiWord(unit)) isMixed = true;
  }
  let end = at;
  while (end < text.length) {
    const unit = unitAt.call(text, end);
    if (unit <= 32) break;
    if (isAsciiWord(unit)) isMixed = true;
    end++;
  }
  return { end: Math.max(end, at + 1), isMixed };
}

const REACH = 64;
const MARK = /^\p{M}$/u;

function isAsciiWord(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
}
