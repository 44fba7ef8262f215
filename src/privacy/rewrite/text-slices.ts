/** A stretch of a long text to be looked through by itself. */
export interface TextSlice {
  /** UTF-16 offsets in the whole text. */
  readonly start: number;
  readonly end: number;
  /** To be read before it: the first line of a table, which says what the columns are. Empty for other texts. */
  readonly header: string;
}

/**
 * A long text in slices of at most `length` characters, cut at line ends, or else at white space or a comma, so that no
 * value is cut in two. Only where `length` characters hold none of these is it cut anywhere.
 */
export function* textSlices(text: string, length: number): Generator<TextSlice> {
  const header = headerOf(text);
  for (let start = 0; start < text.length; ) {
    const end = cutAt(text, start, start + length);
    yield { start, end, header: start === 0 ? '' : header };
    start = end;
  }
}

function cutAt(text: string, start: number, limit: number): number {
  if (limit >= text.length) return text.length;
  for (const end of ['\n', ' ', ',']) {
    const window = text.slice(start, limit);
    const at = start + window.lastIndexOf(end);
    if (at > start) return at + 1;
  }
  const last = text.charCodeAt(limit - 1);
  return last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
}

function headerOf(text: string): string {
  const end = text.indexOf('\n');
  if (end < 0 || end > MAX_HEADER) return '';
  const line = text.slice(0, end + 1);
  return /[,;\t|]/.test(line) ? line : '';
}

const MAX_HEADER = 2_000;
