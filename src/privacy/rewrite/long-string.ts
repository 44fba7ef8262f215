import type { Turns } from './turns.js';

/**
 * The text of a string of JSON, and back, in chunks between which others get their turn: at once, 50 MB of it would hold up
 * the event loop for half a second.
 */
export async function decodeLong(lexeme: string, turns: Turns): Promise<string> {
  const inner = lexeme.slice(1, lexeme.endsWith('"') ? -1 : undefined);
  if (!inner.includes('\\')) return inner;
  const out: string[] = [];
  for (const chunk of chunks(inner, isOutsideEscape)) {
    out.push(decodeChunk(chunk));
    await turns.giveWay();
  }
  return out.join('');
}

export async function encodeLong(text: string, turns: Turns): Promise<string> {
  const out: string[] = ['"'];
  for (const chunk of chunks(text, isOutsidePair)) {
    out.push(JSON.stringify(chunk).slice(1, -1));
    await turns.giveWay();
  }
  out.push('"');
  return out.join('');
}

/** UTF-8 of a text, in pieces. */
export async function* encodeUtf8(text: string, turns: Turns): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks(text, isOutsidePair)) {
    yield Buffer.from(chunk, 'utf8');
    await turns.giveWay();
  }
}

/** What is no valid JSON stays as it is written. */
function decodeChunk(chunk: string): string {
  try {
    return JSON.parse(`"${chunk}"`) as string;
  } catch {
    return chunk;
  }
}

function* chunks(text: string, isSafe: (text: string, at: number) => boolean): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + CHUNK);
    // Nothing that must not be cut is longer than an escape.
    for (let tries = 0; tries < MAX_ESCAPE && end < text.length && !isSafe(text, end); tries++) end--;
    yield text.slice(start, end);
    start = end;
  }
}

/** Not between the backslash and the end of its escape. */
function isOutsideEscape(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0 && i >= at - MAX_ESCAPE + 1; i--) {
    if (text.charCodeAt(i) !== BACKSLASH) continue;
    let run = 1;
    while (text.charCodeAt(i - run) === BACKSLASH) run++;
    if (run % 2 === 0) return true;
    return i + (text.charAt(i + 1) === 'u' ? MAX_ESCAPE : 2) <= at;
  }
  return true;
}

function isOutsidePair(text: string, at: number): boolean {
  const code = text.charCodeAt(at - 1);
  return code < 0xd800 || code > 0xdbff;
}

const CHUNK = 256 * 1024;
const BACKSLASH = 0x5c;
/** `\u0041` */
const MAX_ESCAPE = 6;
