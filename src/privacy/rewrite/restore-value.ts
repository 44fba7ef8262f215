import type { NotRestored, TokenUse, Vault } from '../vault/vault.js';
import { base64Text } from './base64-text.js';
import { mapValue } from './map-value.js';

/** A token of an argument that became its value. */
export interface RestoredUse extends TokenUse {
  /** Where it stood: `to`, `items[0].email`. */
  readonly path: string;
}

export interface RestoredValue {
  /** The same object as before where nothing is restored. */
  readonly value: unknown;
  readonly restored: readonly RestoredUse[];
  readonly notRestored: readonly (NotRestored & { readonly path: string })[];
}

/**
 * The arguments of a tool with values in place of tokens: in strings, in strings of JSON (where the value is escaped as a
 * string needs it), in strings of base64, and for numbers that are tokens. Keys are never restored. A number whose digits a
 * double cannot hold is restored as a string of them: a wrong account number would be worse than a wrong kind.
 *
 * @param may decides for each use, told its path.
 */
export function restoreValue(
  value: unknown,
  vault: Vault,
  may: (use: TokenUse, path: string) => boolean,
): RestoredValue {
  const restored: RestoredUse[] = [];
  const notRestored: (NotRestored & { path: string })[] = [];
  const reported = new Set<string>();
  /** JSON text is restored twice if a value has to be escaped. */
  const isNews = (token: string, path: string) => {
    const before = reported.size;
    return reported.add(`${token} ${path}`).size > before;
  };
  const restoreText = (text: string, path: string) => {
    const done = vault.restore(text, (use) => may(use, path));
    for (const use of done.restored) if (isNews(use.token, path)) restored.push({ ...use, path });
    for (const use of done.notRestored) if (isNews(use.token, path)) notRestored.push({ ...use, path });
    return done.text;
  };
  const result = mapValue(value, {
    string: (text, _keys, path) => inString(text, vault, (piece) => restoreText(piece, path())),
    number(number, _keys, path) {
      const lexeme = String(number);
      if (lexeme.length !== NUMBER_TOKEN_DIGITS || !vault.mayHoldToken(lexeme)) return number;
      const text = restoreText(lexeme, path());
      return text === lexeme ? number : numberOf(text);
    },
  });
  return { value: result, restored, notRestored };
}

function inString(text: string, vault: Vault, restore: (text: string) => string): string {
  const base64 = base64Text(text);
  if (base64 !== undefined && vault.mayHoldToken(base64.text)) {
    const inside = inString(base64.text, vault, restore);
    if (inside !== base64.text) return base64.encode(inside);
  }
  if (!vault.mayHoldToken(text)) return text;
  const done = restore(text);
  if (done === text || !isJson(text) || countEscaped(done) === countEscaped(text)) return done;
  return inJson(text, restore);
}

/** Values go in as JSON strings need them: a line end in an address must not break the file that the code wrote. */
function inJson(text: string, restore: (text: string) => string): string {
  return text.replace(STRING_OR_BETWEEN, (piece) => {
    if (!piece.startsWith('"')) return restore(piece);
    const inner = JSON.parse(piece) as string;
    const done = isJson(inner) ? inJson(inner, restore) : restore(inner);
    return done === inner ? piece : JSON.stringify(done);
  });
}

/** Characters that JSON writes otherwise: no more of them than before, and no value has any. */
function countEscaped(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === QUOTE || code === BACKSLASH) count++;
  }
  return count;
}

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function numberOf(lexeme: string): number | string {
  const number = Number(lexeme);
  if (!Number.isFinite(number)) return lexeme;
  return /^-?\d+$/.test(lexeme) && !Number.isSafeInteger(number) ? lexeme : number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUMBER_TOKEN_DIGITS = 16;
const STRING_OR_BETWEEN = /"(?:[^"\\]|\\.)*"|[^"]+/g;
