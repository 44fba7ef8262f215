import { describe, expect, test } from 'vitest';
import { decodeLong, encodeLong, encodeUtf8 } from '../../../../src/privacy/rewrite/long-string.js';
import { Turns } from '../../../../src/privacy/rewrite/turns.js';

const UNITS = ['\\', '"', '\n', '\u0001', '\u{1f600}', '\ud800', 'ab', '\\u0041', 'u'];

describe('a long string of JSON', () => {
  test.each(UNITS)(
    'is decoded and encoded as JSON does it, wherever its chunks are cut: %j',
    async (unit) => {
      for (const shift of [0, 1, 4]) {
        const text = 'x'.repeat(shift) + unit.repeat(150_000);
        const lexeme = JSON.stringify(text);
        expect((await decodeLong(lexeme, new Turns())) === text).toBe(true);
        expect(JSON.parse(await encodeLong(text, new Turns())) === text).toBe(true);
      }
    },
  );

  test('with escapes for all its characters is decoded the same', async () => {
    const lexeme = `"x${'\\u00e9'.repeat(200_000)}"`;
    expect((await decodeLong(lexeme, new Turns())) === `x${'\u00e9'.repeat(200_000)}`).toBe(true);
  });

  test('is encoded as UTF-8 without cutting a character', async () => {
    const text = `x${'\u{1f600}'.repeat(200_000)}`;
    const pieces: Uint8Array[] = [];
    for await (const piece of encodeUtf8(text, new Turns())) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect(Buffer.concat(pieces).equals(Buffer.from(text))).toBe(true);
  });
});
