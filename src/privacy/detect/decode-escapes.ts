import { type MappedText, MappedTextBuilder } from './mapped-text.js';

/**
 * The text with `%40`, `&#64;`, `&commat;`, `\u0040` and `\x40` decoded; undefined when there is nothing to decode.
 * Anything that does not decode stays.
 */
export function decodeEscapes(text: string): MappedText | undefined {
  ESCAPE.lastIndex = 0;
  let found = ESCAPE.exec(text);
  if (!found) return undefined;
  const built = new MappedTextBuilder(text);
  let kept = 0;
  while (found) {
    const from = found.index;
    const to = from + found[0].length;
    const plain = decodedRun(found[0]);
    if (plain !== undefined) {
      built.keep(kept, from);
      built.put(plain, from, to);
      kept = to;
    }
    found = ESCAPE.exec(text);
  }
  if (kept === 0) return undefined;
  built.keep(kept, text.length);
  return built;
}

/** One character: a percent-encoded one may have up to four bytes. */
const ESCAPE =
  /%[Ff][0-4](?:%[89A-Ba-b][\dA-Fa-f]){3}|%[Ee][\dA-Fa-f](?:%[89A-Ba-b][\dA-Fa-f]){2}|%[C-Dc-d][\dA-Fa-f]%[89A-Ba-b][\dA-Fa-f]|%[2-7][\dA-Fa-f]|&#\d{2,7};|&#[Xx][\dA-Fa-f]{2,6};|&[a-z]{2,6};|\\u[\dA-Fa-f]{4}|\\x[2-7][\dA-Fa-f]/g;

function decodedRun(run: string): string | undefined {
  if (run.startsWith('%')) {
    try {
      return decodeURIComponent(run);
    } catch {
      return undefined; // an overlong or truncated sequence is no character
    }
  }
  if (run.startsWith('\\')) return character(Number.parseInt(run.slice(2), 16));
  if (run.startsWith('&#x') || run.startsWith('&#X')) return character(Number.parseInt(run.slice(3, -1), 16));
  if (run.startsWith('&#')) return character(Number(run.slice(2, -1)));
  return NAMED.get(run.slice(1, -1));
}

function character(point: number): string | undefined {
  return point > 0x10ffff || point < 32 ? undefined : String.fromCodePoint(point);
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['commat', '@'],
  ['period', '.'],
  ['colon', ':'],
  ['sol', '/'],
  ['num', '#'],
  ['plus', '+'],
  ['lowbar', '_'],
  ['hyphen', '-'],
  ['dash', '-'],
  ['ndash', '-'],
  ['shy', ''],
  ['uuml', 'ü'],
  ['ouml', 'ö'],
  ['auml', 'ä'],
  ['szlig', 'ß'],
]);
