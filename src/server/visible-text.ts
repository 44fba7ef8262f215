/** Scripts whose ordinary spelling needs the joiners U+200C and U+200D. */
const JOINING =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}' +
  '\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Tibetan}';
const PICTURE = '\\p{Extended_Pictographic}(?:\\uFE0F|\\p{Emoji_Modifier})?';

/**
 * Terminal sequences: CSI, the string commands (OSC, DCS, SOS, PM, APC) with their terminator, and two-byte escapes.
 * Every repetition stops at the next ESC, so the whole scan is linear; an unterminated string command hides nothing.
 */
const TERMINAL = [
  '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]',
  '(?:\\x1b[\\]PX^_])[^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)',
  '\\x1b[ -/]+[0-~]',
  '\\x1b[0-OQ-WYZ\\\\`-~]',
].join('|');

/** Characters that no reader sees, or that reorder what he sees. */
const HIDDEN =
  '[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e' +
  '\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\uffff\\ud800-\\udfff\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]';

const SCAN = new RegExp(
  [
    `(?<terminal>${TERMINAL})`,
    '(?<newline>\\r\\n?)',
    // Kept: emoji sequences, keycaps, the three flags made of tags, joiners inside joining scripts, ideograph variants.
    '(?<kept>\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}' +
      `|${PICTURE}(?:\\u200D${PICTURE})*|[0-9#*]\\uFE0F\\u20E3` +
      `|(?<=[${JOINING}])[\\u200C\\u200D](?=[${JOINING}])|\\p{Script=Han}[\\ufe00-\\ufe0d\\u{e0100}-\\u{e01ef}])`,
    `(?<hidden>${HIDDEN})`,
  ].join('|'),
  'gu',
);
const SUSPECT = new RegExp(`${HIDDEN}`, 'u');

/**
 * Text as it may leave the server: what a terminal or a renderer would hide, reorder or act on is removed or made
 * visible, because instructions hidden from the user must not reach the model unseen.
 *
 * Terminal sequences go; CR and CRLF become newlines; other control, bidirectional, zero-width, tag and filler
 * characters and lone surrogates become escapes like `\u202e`. Emoji sequences and the joiners of Arabic and Indic
 * scripts stay. Applying it twice changes nothing. Linear time.
 */
export function visibleText(text: string): string {
  return escapeHidden(text, '\n');
}

/**
 * {@link visibleText} for a string inside a JSON value: carriage returns stay, for they are data (line ends of a file)
 * and JSON writes them visibly.
 */
export function visibleString(text: string): string {
  return escapeHidden(text, undefined);
}

function escapeHidden(text: string, newline: string | undefined): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(SCAN, (match, ...rest) => {
    const groups = rest.at(-1) as { terminal?: string; newline?: string; hidden?: string };
    if (groups.terminal !== undefined) return '';
    if (groups.newline !== undefined) return newline ?? match;
    return groups.hidden === undefined ? match : escapeOf(match);
  });
}

/** {@link visibleText} on one line: newlines and tabs become `\n` and `\t`, so that a name cannot forge a line. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
