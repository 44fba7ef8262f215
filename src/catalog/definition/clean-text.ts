/**
 * What a reader does not see, or what reorders what he sees: control characters but newline and tab, soft hyphen,
 * bidirectional marks and overrides, zero-width characters and joiners, fillers, variation selectors, tags, and lone
 * surrogates. In a tool definition such characters serve nobody but who wants to hide an instruction.
 */
const HIDDEN =
  '[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e' +
  '\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\uffff\\ud800-\\udfff\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]';
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');
/** For a test: a global expression would remember where it stopped. */
const ANY_HIDDEN = new RegExp(HIDDEN, 'u');

/** Nearly all text: nothing to remove. */
const PLAIN = /^[\x20-\x7e\n]*$/;
const PLAIN_LINE = /^(?:[\x21-\x7e]+ )*[\x21-\x7e]*$/;

/** True if cleaning would change the text, other than at its ends and in its length. */
export function hasHiddenCharacters(text: string): boolean {
  return !PLAIN.test(text) && ANY_HIDDEN.test(text);
}

/**
 * Foreign text as it may be shown: hidden characters removed, line ends as `\n`, at most `most` UTF-16 units (an
 * ellipsis marks the cut). Linear; looks at little more than `most` characters of a text of any length.
 */
export function cleanText(text: string, most: number): string {
  const looked = text.slice(0, 2 * most + 1_000);
  const clean = PLAIN.test(looked)
    ? looked.trim()
    : looked.replace(/\r\n?/g, '\n').replace(ALL_HIDDEN, '').trim();
  if (clean.length <= most) return clean;
  const cut = clean.slice(0, Math.max(most - 1, 0));
  return `${cut.replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}

/** {@link cleanText} on one line: every run of white space is a space, so that a text cannot forge a line of ours. */
export function cleanLine(text: string, most: number): string {
  if (text.length <= most && PLAIN_LINE.test(text)) return text.trimEnd();
  return cleanText(cleanText(text, 4 * most + 200).replace(/\s+/g, ' '), most);
}
