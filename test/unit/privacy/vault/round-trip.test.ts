import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Vault } from '../../../../src/privacy/vault/vault.js';
import { CRM, openVault, restored } from './open-vaults.js';

/** ROUND_TRIPS=100000 for the figure of the benchmark; the seed stays. */
const RUNS = Number(process.env.ROUND_TRIPS ?? 3_000);

test('restoring a tokenised text gives the text back, byte for byte, whatever tokens it held before', async () => {
  const vault = await openVault();
  const known = Array.from({ length: 40 }, (_, n) =>
    vault.tokenOf('EMAIL', `known${n % 20}@${n < 20 ? 'x' : 'X'}.example`, CRM),
  );
  const numbers = Array.from({ length: 20 }, (_, n) => vault.numberTokenOf('PHONE', `${n}.50`, CRM));
  const token = fc.constantFrom(...known, ...numbers);
  const separator = fc.constantFrom('\\', '_', '-', '%5F', '\u200b', '\\u00ad', '&shy;', '&#8203;', '%');
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
    { weight: 3, arbitrary: token },
    { weight: 2, arbitrary: token.map((text) => text.toLowerCase()) },
    { weight: 3, arbitrary: fc.tuple(token, fc.nat(30)).map(([text, length]) => text.slice(0, length)) },
    { weight: 2, arbitrary: fc.tuple(token, fc.nat(20)).map(([text, from]) => text.slice(from)) },
    { weight: 2, arbitrary: fc.tuple(token, separator).map(([text, between]) => [...text].join(between)) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        'ann@example.com',
        'Ann@Example.com',
        'q@r.example',
        '1.50',
        '"',
        '.0',
        'e15',
        '8',
        '.',
        ' ',
      ),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom('PII', 'pii', 'PIIEMAIL', 'PIIPII', 'piiemail0', '8.', '-', '\\', '\ud800'),
    },
    { weight: 1, arbitrary: separator },
    { weight: 1, arbitrary: fc.stringMatching(/^PII[A-Z]{1,17}\d[0-9A-Z]{12}$/) },
    { weight: 1, arbitrary: fc.stringMatching(/^8\d{15}$/) },
  );
  const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, (input) => {
      expect(restored(vault, tokenised(vault, input))).toBe(input);
    }),
    { numRuns: RUNS, seed: 20_261_201 },
  );
}, 600_000);

/** E-mail addresses and tokens that were there before become tokens. */
function tokenised(vault: Vault, text: string): string {
  let result = '';
  let from = 0;
  for (const { start, end } of vault.tokensIn(text)) {
    result +=
      withoutEmails(vault, text.slice(from, start)) + vault.tokenOf('SECRET', text.slice(start, end), CRM);
    from = end;
  }
  return result + withoutEmails(vault, text.slice(from));
}

function withoutEmails(vault: Vault, text: string): string {
  return text.replace(/[a-z]{1,20}@[a-z]{1,20}\.(?:com|example)/gi, (value) =>
    vault.tokenOf('EMAIL', value, CRM),
  );
}
