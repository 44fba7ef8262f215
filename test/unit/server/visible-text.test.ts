import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleLine, visibleText } from '../../../src/server/visible-text.js';

test.each([
  ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
  ['8-bit CSI', '\x9b31mred', 'red'],
  ['a window title', '\x1b]0;owned\x07text', 'text'],
  ['a hyperlink', '\x1b]8;;http://e.com\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['character sets and keypad modes', '\x1b(B\x1b=\x1bcx', 'x'],
  ['a device string', '\x1bPq#0\x1b\\x', 'x'],
])('removes terminal sequences: %s', (_, text, expected) => {
  expect(visibleText(text)).toBe(expected);
});

test('an unterminated terminal string hides nothing of what follows', () => {
  expect(visibleText('\x1b]0;secret instructions\nmore')).toBe('\\x1b]0;secret instructions\nmore');
});

test('what remains after removing one sequence forms no new one', () => {
  expect(visibleText('\x1b\x1b[0m[31mx')).toBe('\\x1b[31mx');
});

test.each([
  ['bidirectional override', 'a\u202eb', 'a\\u202eb'],
  ['isolates', '\u2066x\u2069', '\\u2066x\\u2069'],
  ['zero-width space and joiner between letters', 'pass\u200bwo\u200drd', 'pass\\u200bwo\\u200drd'],
  ['byte order mark', '\ufeffname', '\\ufeffname'],
  ['soft hyphen', 'a\u00adb', 'a\\xadb'],
  ['tag characters', 'x\u{e0041}\u{e0042}', 'x\\u{e0041}\\u{e0042}'],
  ['variation selectors behind letters', 'a\ufe01b\u{e0101}', 'a\\ufe01b\\u{e0101}'],
  ['Hangul filler', '\u3164', '\\u3164'],
  ['line separator', 'a\u2028b', 'a\\u2028b'],
  ['NUL, backspace, DEL', '\0\b\x7f', '\\x00\\x08\\x7f'],
  ['lone surrogates', 'a\ud83d b\ude00', 'a\\ud83d b\\ude00'],
])('shows hidden characters as escapes: %s', (_, text, expected) => {
  expect(visibleText(text)).toBe(expected);
});

test.each([
  ['family', '👨‍👩‍👧‍👦'],
  ['skin tone with joiner', '👩🏽‍🚀'],
  ['heart with selector', '❤️'],
  ['keycap', '1️⃣'],
  ['flag of England', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
  ['flag of letters', '🇩🇪'],
  ['Persian with non-joiner', 'می\u200cخواهم'],
  ['Devanagari with joiner', 'क्\u200dष'],
  ['Hebrew', 'שלום'],
  ['combining accents', 'e\u0301 größe 名前'],
  ['ideograph variant', '葛\u{e0100}'],
  ['tabs and newlines', 'a\tb\nc'],
])('leaves ordinary writing alone: %s', (_, text) => {
  expect(visibleText(text)).toBe(text);
});

test('carriage returns become newlines', () => {
  expect(visibleText('a\r\nb\r50%\r100%')).toBe('a\nb\n50%\n100%');
});

test('a name on one line cannot forge another line', () => {
  expect(visibleLine('a.txt\nok · done\t!')).toBe('a.txt\\nok · done\\t!');
});

test('applying it twice changes nothing, and no control or lone surrogate is left', () => {
  const nasty = fc.array(
    fc.constantFrom(
      '\x1b',
      '[',
      ']',
      '0m',
      '\x07',
      '\x9b',
      '\u200d',
      '👩',
      'a',
      '\ud83d',
      '\ude00',
      '\r',
      '\n',
      '\u202e',
      '葛',
      '\u{e0100}',
      '\ufe0f',
      '\\',
      'P',
      ';',
    ),
  );
  fc.assert(
    fc.property(nasty, (parts) => {
      const once = visibleText(parts.join(''));
      expect(visibleText(once)).toBe(once);
      const codes = [...once].map((character) => character.codePointAt(0) ?? 0);
      const left = codes.filter(
        (code) => (code < 32 && code !== 9 && code !== 10) || (code >= 0x7f && code < 0xa0),
      );
      expect(left).toEqual([]);
      expect(once).not.toMatch(/\u202e|\p{Surrogate}/u);
    }),
    { numRuns: 500 },
  );
});

// Quadratic work would be 2 * 10 ** 11 steps.
test('hundreds of thousands of hostile sequences take linear time', () => {
  const n = 150_000;
  const text = `${'\x1b['.repeat(n) + '\x1b]0;aaaaaaaa'.repeat(n)}\x1b[${'1;'.repeat(n)}${'\u200d'.repeat(n)}`;
  expect(visibleText(text)).toBe(
    `${'\\x1b['.repeat(n) + '\\x1b]0;aaaaaaaa'.repeat(n)}\\x1b[${'1;'.repeat(n)}${'\\u200d'.repeat(n)}`,
  );
});
