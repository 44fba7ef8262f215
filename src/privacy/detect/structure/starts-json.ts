import { skipBlanks } from './source.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** True when JSON may start here: a bracket, and behind it what an object or an array may begin with. */
export function startsJson(text: string, at: number, to: number): boolean {
  const bracket = unitAt.call(text, at);
  if (bracket !== 123 /* { */ && bracket !== 91 /* [ */) return false;
  const next = skipBlanks(text, at + 1, Math.min(to, at + LONGEST_INDENT));
  if (next >= to) return false;
  const unit = unitAt.call(text, next);
  if (unit === 34 /* " */ || unit === 39 /* ' */) return true;
  if (bracket === 91)
    return unit === 91 || unit === 123 || unit === 93 || unit === 45 || (unit >= 48 && unit <= 57);
  return unit === 125 || isNameThenColon(text, next, to);
}

function isNameThenColon(text: string, from: number, to: number): boolean {
  let at = from;
  while (at < to && at - from < 60 && isNamePart(unitAt.call(text, at))) at++;
  return at > from && unitAt.call(text, skipBlanks(text, at, Math.min(to, at + 4))) === 58 /* : */;
}

function isNamePart(unit: number): boolean {
  if (unit >= 48 && unit <= 57) return true;
  return (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || unit === 95 || unit === 36;
}

const LONGEST_INDENT = 200;
