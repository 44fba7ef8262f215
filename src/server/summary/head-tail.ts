import { count } from '../quantities.js';
import { clip } from '../visible-value.js';

/**
 * The beginning and the end of a text that is longer than `maxChars`, cut at lines where that wastes little; the end
 * gets two thirds, for that is where results and errors are. What lies between is counted in a line of its own.
 */
export function headTail(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = headOf(text, Math.floor(maxChars / 3));
  const tail = tailOf(text, maxChars - Math.floor(maxChars / 3));
  return `${head}\n${leftOut(text.slice(head.length, text.length - tail.length))}\n${tail}`;
}

/** The first `length` characters, ended at a line if one ends in their second half. */
export function headOf(text: string, length: number): string {
  const head = clip(text, length);
  const end = head.lastIndexOf('\n');
  return text.length > length && end >= length / 2 ? head.slice(0, end) : head;
}

/** The last `length` characters, begun at a line if one begins in their first half. */
export function tailOf(text: string, length: number): string {
  if (text.length <= length) return text;
  let start = text.length - length;
  const newline = text.indexOf('\n', start);
  if (newline >= 0 && newline - start < length / 2) start = newline + 1;
  else if (isLowSurrogate(text, start)) start++;
  return text.slice(start);
}

function leftOut(middle: string): string {
  // A whole line has a newline on either side.
  let lines = middle.startsWith('\n') && middle.endsWith('\n') ? -1 : 0;
  for (let at = middle.indexOf('\n'); at >= 0; at = middle.indexOf('\n', at + 1)) lines++;
  return lines > 1
    ? `... (${count(lines)} lines left out) ...`
    : `... (${count(middle.length)} characters left out) ...`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
