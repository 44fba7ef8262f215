import { expect, test } from 'vitest';
import { NumberCipher } from '../../../../src/privacy/vault/number-cipher.js';
import { CRM, openVault, openVaults, reasons, restored } from './open-vaults.js';

test('a number token is an integer of 16 digits that starts with 8 and that a double holds', async () => {
  const vault = await openVault();
  for (let n = 0; n < 200; n += 1) {
    const token = vault.numberTokenOf('PHONE', String(n), CRM);
    expect(token).toMatch(/^8\d{15}$/);
    expect(String(Number(token))).toBe(token);
    expect(Number.isSafeInteger(Number(token))).toBe(true);
  }
});

test.each(['1.50', '0078051120', '12345678901234567890', '6.02e23', '-4', '8000000000000000', '1E5'])(
  'the number %s comes back as it was written',
  async (lexeme) => {
    const vault = await openVault();
    const token = vault.numberTokenOf('SSN', lexeme, CRM);
    expect(restored(vault, `{"ssn":${token},"next":1}`)).toBe(`{"ssn":${lexeme},"next":1}`);
    expect(vault.numberTokenOf('SSN', lexeme, CRM)).toBe(token);
    expect(vault.tokenOf('SSN', lexeme, CRM)).not.toBe(token);
  },
);

test.each([
  ['as a string', (digits: string) => `"${digits}"`, '"42"'],
  ['as a float', (digits: string) => `${digits}.0`, '42'],
  ['with decimals', (digits: string) => `[${digits}.00]`, '[42]'],
  ['in scientific notation', (digits: string) => `8.${digits.slice(1)}e15`, '42'],
  ['in scientific notation of Python', (digits: string) => `8.${digits.slice(1)}e+15`, '42'],
  ['in scientific notation of C', (digits: string) => `8.${digits.slice(1)}E+15,`, '42,'],
  ['at the end of a sentence', (digits: string) => `is ${digits}. Next`, 'is 42. Next'],
  ['negated', (digits: string) => `-${digits}`, '-42'],
  ['in a word', (digits: string) => `id${digits}x`, 'id42x'],
])('a number token is known %s', async (_, spelt, expected) => {
  const vault = await openVault();
  expect(restored(vault, spelt(vault.numberTokenOf('SSN', '42', CRM)))).toBe(expected);
});

test('trailing zeros that scientific notation leaves out are no obstacle', async () => {
  const vault = await openVault();
  const tokens = Array.from({ length: 200 }, (_, n) => vault.numberTokenOf('SSN', `${n}`, CRM));
  const at = tokens.findIndex((token) => token.endsWith('0'));
  const digits = tokens[at]?.replace(/0+$/, '') ?? '';
  expect(restored(vault, `8.${digits.slice(1)}e15`)).toBe(`${at}`);
});

test.each([
  ['another digit before', (digits: string) => `1${digits}`],
  ['another digit behind', (digits: string) => `${digits}1`],
  ['a fraction', (digits: string) => `${digits}.5`],
  ['a fraction that begins with zeros', (digits: string) => `${digits}.001`],
  ['an exponent', (digits: string) => `${digits}e3`],
  ['a whole part before', (digits: string) => `1.${digits}`],
  ['another exponent', (digits: string) => `8.${digits.slice(1)}e16`],
])('a number with %s is another number', async (_, spelt) => {
  const vault = await openVault();
  const text = spelt(vault.numberTokenOf('SSN', '42', CRM));
  expect(vault.restore(text, () => true)).toEqual({ text, restored: [], notRestored: [] });
});

test('ordinary numbers and numbers of another principal stay and are not reported', async () => {
  const vaults = openVaults();
  const [ann, bob] = [await vaults.of('ann'), await vaults.of('bob')];
  ann.numberTokenOf('SSN', '41', CRM);
  const text = `[8000000000000001, 8123456789012345, ${bob.numberTokenOf('SSN', '42', CRM)}]`;
  expect(ann.restore(text, () => true)).toEqual({ text, restored: [], notRestored: [] });
});

test('a number token whose value expired is reported, for it would pass for a number', async () => {
  let now = 0;
  const vault = await openVault({ clock: () => now, ttlMs: 1000 });
  const token = vault.numberTokenOf('SSN', '42', CRM);
  now = 10_000;
  expect(restored(vault, token)).toBe(token);
  expect(reasons(vault, `${token} 8000000000000001`)).toEqual(['expired']);
});

test('the cipher maps counters one to one, and tells them from other numbers', () => {
  const cipher = new NumberCipher(new Uint8Array(32).fill(7));
  const counters = Array.from({ length: 5000 }, (_, n) => n * 211_000);
  const tokens = counters.map((counter) => cipher.tokenOf(counter));
  expect(new Set(tokens).size).toBe(5000);
  expect(cipher.countersOf(tokens.map(Number))).toEqual(counters);
  const others = cipher.countersOf(Array.from({ length: 5000 }, (_, n) => 8e15 + n));
  expect(others.filter((counter) => counter < 32 ** 6)).toEqual([]);
  expect(Math.max(...others)).toBeLessThan(1e15);
});
