import { type MappedText, MappedTextBuilder } from './mapped-text.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** The value of a JSON string whose content, as written, lies between two offsets. What is no escape stays. */
export function unescapeJson(text: string, from: number, to: number): MappedText {
  const built = new MappedTextBuilder(text);
  let kept = from;
  let at = text.indexOf('\\', from);
  while (at !== -1 && at < to - 1) {
    const next = unitAt.call(text, at + 1);
    let end = at + 2;
    let plain = SHORT.get(next);
    if (next === 117 /* u */ && at + 6 <= to) {
      const code = text.slice(at + 2, at + 6);
      if (HEX.test(code)) {
        plain = String.fromCharCode(Number.parseInt(code, 16));
        end = at + 6;
      }
    }
    if (plain !== undefined) {
      built.keep(kept, at);
      built.put(plain, at, end);
      kept = end;
    }
    at = text.indexOf('\\', end);
  }
  built.keep(kept, to);
  return built;
}

const HEX = /^[\dA-Fa-f]{4}$/;
const SHORT: ReadonlyMap<number, string> = new Map(
  (
    [
      ['"', '"'],
      ['\\', '\\'],
      ['/', '/'],
      ["'", "'"],
      ['b', '\b'],
      ['f', '\f'],
      ['n', '\n'],
      ['r', '\r'],
      ['t', '\t'],
    ] as const
  ).map(([letter, plain]) => [unitAt.call(letter, 0), plain]),
);
