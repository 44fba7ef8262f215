import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokeniseText } from '../../../../src/privacy/rewrite/tokenise-text.js';
import { replacing, restored } from './open-vault.js';

describe('a tokenised text', () => {
  test('has tokens where values were and comes back byte for byte', async () => {
    const using = await replacing();
    const text = 'Mail jane.doe@example.org, card 4111 1111 1111 1111; again JANE.DOE@example.org.';
    const tokens = tokeniseText(text, using);
    expect(tokens).toMatch(/^Mail PII\w+, card PII\w+; again PII\w+\.$/);
    expect(restored(using, tokens)).toBe(text);
    expect(Object.fromEntries(using.counts)).toEqual({ EMAIL: 2, CREDIT_CARD: 1 });
  });

  test('stays JSON: strings in place, whole numbers as numbers, also in JSON inside a string', async () => {
    const using = await replacing();
    const inner = JSON.stringify({ ssn: 123456789, list: [1.5, 'bob@example.org'] });
    const text = `{ "ssn": 987654321, "amount": 1.50, "inner": ${JSON.stringify(inner)}, "big": 123456789012345678901234567890}`;
    const tokens = tokeniseText(text, using);
    const parsed = JSON.parse(tokens);
    expect(typeof parsed.ssn).toBe('number');
    expect(String(parsed.ssn)).toMatch(/^8\d{15}$/);
    expect(JSON.parse(parsed.inner).ssn).not.toBe(123456789);
    expect(typeof JSON.parse(parsed.inner).ssn).toBe('number');
    expect(tokens).toContain('"amount": 1.50');
    expect(tokens).toContain('"big": 123456789012345678901234567890');
    expect(tokens).not.toContain('bob@example.org');
    expect(restored(using, tokens)).toBe(text);
  });

  test('keeps the lexeme of a number, with its sign, fraction and exponent', async () => {
    const using = await replacing();
    for (const lexeme of ['-123456789', '123456789.50', '12345678901234567890', '1e9']) {
      const text = `[{"ssn": ${lexeme}}, {"account":${lexeme} }]`;
      const tokens = tokeniseText(text, using);
      expect(tokens).not.toContain(lexeme);
      expect(() => JSON.parse(tokens)).not.toThrow();
      expect(restored(using, tokens)).toBe(text);
    }
  });

  test('keeps escapes as they were written', async () => {
    const using = await replacing();
    const text = '{"mail":"jos\u00e9@example.org","path":"a\\/b","q":"say \\"bob@example.org\\""}';
    const tokens = tokeniseText(text, using);
    expect(tokens).not.toContain('example.org');
    expect(restored(using, tokens)).toBe(text);
  });

  test('escapes valid tokens that it already holds, so that they come back and not their values', async () => {
    const using = await replacing();
    const token = tokeniseText('jane@example.org', using);
    const text = `the token ${token} and ${token.toLowerCase()} of bob@example.org`;
    const tokens = tokeniseText(text, using);
    expect(tokens).not.toContain(token);
    expect(restored(using, tokens)).toBe(text);
  });

  test('is the same text when there is nothing in it', async () => {
    const using = await replacing();
    expect(tokeniseText('nothing here', using)).toBe('nothing here');
    expect(using.counts.size).toBe(0);
  });

  test('leaves what is spared', async () => {
    const using = await replacing({ isSpared: (_type, value) => value.endsWith('@allowed.test') });
    expect(tokeniseText('me@allowed.test', using)).toBe('me@allowed.test');
  });

  test('comes back byte for byte whatever stood in it, with junk that looks like tokens and lone surrogates', async () => {
    const using = await replacing();
    const valid = tokeniseText('x@example.org', using);
    const number = using.vault.numberTokenOf('SSN', '123456789', using.origin);
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'PII',
        'pii',
        'PIIEMAIL',
        valid,
        valid.slice(0, -1),
        valid.slice(3),
        valid.toLowerCase(),
        [...valid].join('\\'),
        number,
        `${number}1`,
        '8123456789012345',
        'PIIEMAIL0007K7Q2XD',
        '\ud800',
        '\u0000',
        'jane@example.org',
        '4111-1111-1111-1111',
        '{"ssn": 123456789}',
        '{"ssn":',
        '123-45-6789',
        '\\',
        '"',
        ',',
        '[',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(restored(using, tokeniseText(text, using))).toBe(text);
      }),
      { numRuns: 1_000, seed: 4 },
    );
  });
});
