import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { needs } from '../../../support/capabilities.js';
import { CRM, openVault, restored } from './open-vaults.js';
import { TRANSFORMATIONS } from './transformations.js';

const VALUE = 'ann@example.com';

test('there are 22 transformations', () => {
  expect(TRANSFORMATIONS).toHaveLength(22);
});

test.each(TRANSFORMATIONS)('a token survives %s', async (_, transform) => {
  const vault = await openVault();
  const token = vault.tokenOf('EMAIL', VALUE, CRM);
  expect(restored(vault, transform(`Mail (${token}) & go!`)).toLowerCase()).toContain(VALUE);
  expect(restored(vault, transform(token))).toBe(transform(token).replace(/piiemail[0-9a-z]{13}/i, VALUE));
});

needs('python3').test('a token survives the same transformations in Python', async () => {
  const vault = await openVault();
  const token = vault.tokenOf('EMAIL', VALUE, CRM);
  const list = TRANSFORMATIONS.map(([, , expression]) => expression).join(',\n');
  const program = `import json, html, string, re, unicodedata, urllib.parse, xml.sax.saxutils\ns = ${JSON.stringify(`Mail (${token}) & go!`)}\nprint(json.dumps([\n${list}\n]))`;
  const texts: string[] = JSON.parse(execFileSync('python3', ['-c', program], { encoding: 'utf8' }));
  const survived = texts.map((text) => restored(vault, text).includes(VALUE));
  expect(survived).toEqual(TRANSFORMATIONS.map(() => true));
});

test.each([
  ['letters on both sides', (token: string) => `x${token}y`, `x${VALUE}y`],
  ['a scheme before it', (token: string) => `mailto:${token}`, `mailto:${VALUE}`],
  ['a plural', (token: string) => `${token}s`, `${VALUE}s`],
  ['its own first letters before it', (token: string) => `PIIP${token}`, `PIIP${VALUE}`],
  ['its first half before it', (token: string) => token.slice(0, 12) + token, '<12>'],
  ['another token behind it', (token: string) => token + token, VALUE + VALUE],
  ['backslashes between its characters', (token: string) => [...token].join('\\'), VALUE],
  ['four backslashes in it', (token: string) => token.replace('PII', 'PII\\\\\\\\'), VALUE],
  ['underscores', (token: string) => [...token].join('_'), VALUE],
  ['URL-quoted underscores', (token: string) => [...token].join('%5F'), VALUE],
  ['a soft hyphen', (token: string) => token.replace('EM', 'E\u00adM'), VALUE],
  ['zero-width spaces', (token: string) => [...token].join('\u200b'), VALUE],
  ['a zero-width space as JSON writes it', (token: string) => token.replace('EM', 'E\\u200bM'), VALUE],
  ['a zero-width space in JSON in JSON', (token: string) => token.replace('EM', 'E\\\\u200BM'), VALUE],
  ['a soft hyphen as repr writes it', (token: string) => token.replace('EM', 'E\\xadM'), VALUE],
  ['a soft hyphen URL-quoted', (token: string) => token.replace('EM', 'E%C2%ADM'), VALUE],
  ['a zero-width space URL-quoted', (token: string) => token.replace('EM', 'E%e2%80%8bM'), VALUE],
  ['a soft hyphen as entity', (token: string) => token.replace('EM', 'E&shy;M'), VALUE],
  ['zero-width spaces as entities', (token: string) => token.replace('EM', 'E&#8203;&#x200B;M'), VALUE],
])('a token is known with %s', async (_, spelt, expected) => {
  const vault = await openVault();
  const token = vault.tokenOf('EMAIL', VALUE, CRM);
  expect(restored(vault, spelt(token))).toBe(expected.replace('<12>', token.slice(0, 12) + VALUE));
});

test.each([
  ['a blank in it', (token: string) => token.replace('EM', 'E M')],
  ['a percent sign that quotes no separator', (token: string) => token.replace('EM', 'E%41M')],
  ['an entity of a letter', (token: string) => token.replace('EM', 'E&#65;M')],
  ['its last character missing', (token: string) => token.slice(0, -1)],
  ['a letter that base 32 does not have', (token: string) => `${token.slice(0, -1)}U`],
])('a token with %s is none', async (_, spelt) => {
  const vault = await openVault();
  const text = spelt(vault.tokenOf('EMAIL', VALUE, CRM));
  expect(restored(vault, text)).toBe(text);
});

test('a token with something before it that looks like one is restored, and only what is left is reported', async () => {
  const vault = await openVault();
  const token = vault.tokenOf('EMAIL', VALUE, CRM);
  expect(vault.restore(`PII${token}`, () => true)).toMatchObject({ text: `PII${VALUE}`, notRestored: [] });
});

test('no tag ends with P, so half a token never becomes whole by a token that is put behind it', async () => {
  const vault = await openVault();
  const ends = Array.from({ length: 4000 }, (_, n) =>
    vault.tokenOf('EMAIL', `${n}@x.example`, CRM).slice(-1),
  );
  expect([...new Set(ends)].sort().join('')).toBe('0123456789ABCDEFGHJKMNQRSTVWXYZ');
});

test('own types have tokens of the letters of their names', async () => {
  const vault = await openVault();
  const tokens = ['EMPLOYEE_ID', '___', 'A_VERY_LONG_TYPE_OF_VALUES'].map((type) =>
    vault.tokenOf(type, '1', CRM),
  );
  expect(tokens.map((token) => token.slice(0, -13))).toEqual([
    'PIIEMPLOYEEID',
    'PIIVALUE',
    'PIIAVERYLONGTYPEOFV',
  ]);
  expect(restored(vault, tokens.join(' ').toLowerCase())).toBe('1 1 1');
});

test.each([
  ['PIIEMAIL0000007K7Q2XD', true],
  ['apii-email-0000007-k7q2xd', true],
  ['{"id":8123456789012345}', true],
  ['the pipeline hit 812345678901234 rows', false],
  ['PIIEMAIL and pii', false],
])('a first look at %j says %s', async (text, expected) => {
  expect((await openVault()).mayHoldToken(text)).toBe(expected);
});

test('a value with every kind of character comes back as it was', async () => {
  const vault = await openVault();
  const value = '\ud800 a\u0000"\\\n\u{1f600} \udc00 $& $1';
  expect(restored(vault, `[${vault.tokenOf('SECRET', value, CRM)}]`)).toBe(`[${value}]`);
});
