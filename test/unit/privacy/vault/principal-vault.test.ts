import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { MAX_VALUE_CHARS } from '../../../../src/privacy/vault/principal-vault.js';
import { AGENT, CRM, openVault, openVaults, reasons, restored } from './open-vaults.js';

const DAY = 24 * 60 * 60 * 1000;

test('a token is PII, the letters of the type, a digit, six characters of counter and six of tag', async () => {
  const vault = await openVault();
  expect(vault.tokenOf('NATIONAL_ID', '123', CRM)).toMatch(/^PIINATIONALID0000000[0-9A-HJKMNP-TV-Z]{6}$/);
  expect(vault.tokenOf('EMAIL', 'a@b.example', CRM)).toMatch(/^PIIEMAIL0000001[0-9A-HJKMNP-TV-Z]{6}$/);
});

test('one value has one token, and another type or value another', async () => {
  const vault = await openVault();
  const token = vault.tokenOf('EMAIL', 'ann@example.com', CRM);
  expect(vault.tokenOf('EMAIL', 'ann@example.com', AGENT)).toBe(token);
  expect(vault.tokenOf('USERNAME', 'ann@example.com', CRM)).not.toBe(token);
  expect(vault.tokenOf('EMAIL', 'bob@example.com', CRM)).not.toBe(token);
});

test.each([
  ['EMAIL', 'Ann@Example.com', 'ann@example.com'],
  ['PHONE', '+1 (555) 010-0199', '15550100199'],
  ['PERSON', 'Ann  Lee', 'ann\nlee'],
  ['IBAN', 'DE89 3704 0044 0532 0130 00', 'de89370400440532013000'],
  ['CREDIT_CARD', '4111-1111-1111-1111', '4111 1111 1111 1111'],
  ['EMAIL', 'ann@example.com', '\uff41nn@example.com'],
])(
  'spellings of a value of type %s differ in one character of their tokens and are restored exactly',
  async (type, one, other) => {
    const vault = await openVault();
    const first = vault.tokenOf(type, one, CRM);
    const second = vault.tokenOf(type, other, CRM);
    const differing = Array.from(first).filter((character, at) => character !== second[at]);
    expect(differing).toEqual(['0']);
    expect(second).toHaveLength(first.length);
    expect(restored(vault, `${first}|${second}`)).toBe(`${one}|${other}`);
    expect(vault.counts()).toEqual({ [type]: 1 });
  },
);

test.each([
  ['SECRET', 'Key-1', 'key-1'],
  ['PHONE', '1-800-FLOWERS', '1-800-PLUMBER'],
  ['PHONE', '555 0100 ext 1', '555 0100 ext 2'],
])('what only looks alike in type %s is two values', async (type, one, other) => {
  const vault = await openVault();
  vault.tokenOf(type, one, CRM);
  vault.tokenOf(type, other, CRM);
  expect(vault.counts()).toEqual({ [type]: 2 });
});

test('more spellings than one digit counts get tokens of another counter', async () => {
  const vault = await openVault();
  const spellings = Array.from({ length: 25 }, (_, blanks) => `Ann${' '.repeat(blanks + 1)}Lee`);
  const tokens = spellings.map((spelling) => vault.tokenOf('PERSON', spelling, CRM));
  expect(new Set(tokens).size).toBe(25);
  expect(restored(vault, tokens.join('|'))).toBe(spellings.join('|'));
});

test('a token of another principal is unknown and stays', async () => {
  const vaults = openVaults();
  const [ann, bob] = [await vaults.of('ann'), await vaults.of('bob')];
  const token = ann.tokenOf('EMAIL', 'ann@example.com', CRM);
  bob.tokenOf('EMAIL', 'bob@example.com', CRM);
  expect(bob.restore(token, () => true)).toEqual({
    text: token,
    restored: [],
    notRestored: [{ token, reason: 'unknown' }],
  });
});

test('a token with a changed type, spelling, counter or tag stays', async () => {
  const vault = await openVault();
  const token = vault.tokenOf('EMAIL', 'ann@example.com', CRM);
  vault.tokenOf('EMAIL', 'bob@example.com', CRM);
  const forged = Array.from(token, (character, at) => {
    const other = at < 3 ? character : character === '0' ? '1' : at < 8 ? 'X' : '0';
    return token.slice(0, at) + other + token.slice(at + 1);
  }).slice(3);
  expect(restored(vault, forged.join('\n'))).toBe(forged.join('\n'));
  // Which spellings were given out is not in the tag.
  expect(reasons(vault, forged.join('\n'))).toEqual(
    forged.map((_, at) => (at === 5 ? 'expired' : 'unknown')),
  );
});

test('of 20,000 guessed tags for counters that exist none is taken', async () => {
  const vault = await openVault();
  for (let n = 0; n < 32; n += 1) vault.tokenOf('EMAIL', `a${n}@example.com`, CRM);
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const guess = (n: number) =>
    Array.from({ length: 6 }, (_, at) => digits.charAt(Math.floor((n * 7919) / 32 ** at) % 32)).join('');
  const text = Array.from(
    { length: 20_000 },
    (_, n) => `PIIEMAIL000000${digits.charAt(n % 32)}${guess(n)}`,
  ).join(' ');
  const result = vault.restore(text, () => true);
  expect(result.restored).toEqual([]);
  expect(result.text).toBe(text);
  expect(result.notRestored).toHaveLength(1000);
});

test('restoring tells the type and where the value came from, and asks once for each token', async () => {
  const vault = await openVault();
  const token = vault.tokenOf('EMAIL', 'ann@example.com', CRM);
  vault.tokenOf('EMAIL', 'ann@example.com', AGENT);
  vault.tokenOf('EMAIL', 'ann@example.com', { kind: 'tool', server: 'crm' });
  const asked: unknown[] = [];
  const result = vault.restore(`${token} ${token}`, (use) => asked.push(use) > 0);
  expect(asked).toEqual([{ token, type: 'EMAIL', origins: [CRM, AGENT] }]);
  expect(result).toEqual({ text: 'ann@example.com ann@example.com', restored: asked, notRestored: [] });
});

test('a refused token stays and is listed', async () => {
  const vault = await openVault();
  const secret = vault.tokenOf('SECRET', 'hunter2', CRM);
  const mail = vault.tokenOf('EMAIL', 'ann@example.com', CRM);
  const result = vault.restore(`${secret} ${mail}`, ({ type }) => type === 'EMAIL');
  expect(result.text).toBe(`${secret} ann@example.com`);
  expect(result.notRestored).toEqual([{ token: secret, reason: 'refused' }]);
});

test('a restored value is not looked at again, even when it is a token', async () => {
  const vault = await openVault();
  const inner = vault.tokenOf('EMAIL', 'ann@example.com', CRM);
  const outer = vault.tokenOf('SECRET', inner, CRM);
  expect(restored(vault, outer)).toBe(inner);
});

test('a token that was found is reported with its place', async () => {
  const vault = await openVault();
  const token = vault.tokenOf('EMAIL', 'ann@example.com', CRM);
  const spelt = token.toLowerCase().replace('pii', 'p\\i_i');
  expect(vault.tokensIn(`x${spelt}y PIIEMAIL0000000AAAAAA`)).toEqual([
    { use: { token, type: 'EMAIL', origins: [CRM] }, start: 1, end: 1 + spelt.length },
  ]);
});

test('a token of a value that nobody used for its time to live is expired, and the value gets a new one', async () => {
  let now = Date.UTC(2026, 0, 1);
  const vault = await openVault({ clock: () => now, ttlMs: 7 * DAY });
  const used = vault.tokenOf('EMAIL', 'ann@example.com', CRM);
  const unused = vault.tokenOf('EMAIL', 'bob@example.com', CRM);
  now += 6 * DAY;
  expect(restored(vault, used)).toBe('ann@example.com');
  now += 6 * DAY;
  expect(restored(vault, `${used} ${unused}`)).toBe(`ann@example.com ${unused}`);
  expect(reasons(vault, unused)).toEqual(['expired']);
  expect(vault.tokenOf('EMAIL', 'bob@example.com', CRM)).not.toBe(unused);
});

test('beyond the limit the values that were not used for longest expire, and none is restored wrongly', async () => {
  let now = Date.UTC(2026, 0, 1);
  const vault = await openVault({ clock: () => (now += 1000), maxValues: 100 });
  const tokens = Array.from({ length: 100 }, (_, n) => vault.tokenOf('USERNAME', `user${n}`, CRM));
  expect(restored(vault, tokens.slice(0, 5).join(' '))).toBe('user0 user1 user2 user3 user4');
  tokens.push(vault.tokenOf('USERNAME', 'user100', CRM));
  expect(vault.counts()).toEqual({ USERNAME: 90 });
  const now90 = tokens.map((token) => restored(vault, token));
  expect(now90.slice(0, 5)).toEqual(['user0', 'user1', 'user2', 'user3', 'user4']);
  expect(now90.slice(16)).toEqual(Array.from({ length: 85 }, (_, n) => `user${n + 16}`));
  expect(tokens.slice(5, 16).flatMap((token) => reasons(vault, token))).toEqual(Array(11).fill('expired'));
});

test('what the agent sent is known by its exact text, and with the type in any spelling', async () => {
  const vault = await openVault();
  expect(vault.wasSent('ann@example.com')).toBe(false);
  vault.addSent('EMAIL', 'Ann@example.com');
  expect(vault.wasSent('Ann@example.com')).toBe(true);
  expect(vault.wasSent('ann@example.com')).toBe(false);
  expect(vault.wasSent('ann@example.com', 'EMAIL')).toBe(true);
  expect(vault.wasSent('ann@example.com', 'USERNAME')).toBe(false);
  expect(vault.wasSent('\ud800', 'SECRET')).toBe(false);
  vault.addSent('SECRET', '\ud801');
  expect(vault.wasSent('\ud800')).toBe(false);
});

test('whoever looks for known values is told of those here and of each new one', async () => {
  const vault = await openVault();
  vault.tokenOf('EMAIL', 'ann@example.com', CRM);
  const told: string[] = [];
  vault.onValue((type, value) => told.push(`${type} ${value}`));
  vault.numberTokenOf('SSN', '078051120', CRM);
  vault.tokenOf('EMAIL', 'ann@example.com', CRM);
  expect(told).toEqual(['EMAIL ann@example.com', 'SSN 078051120']);
});

test('a forgotten principal has no values, its tokens are unknown, and listeners are told', async () => {
  const vaults = openVaults();
  const vault = await vaults.of('anna');
  const token = vault.tokenOf('EMAIL', 'ann@example.com', CRM);
  const number = vault.numberTokenOf('SSN', '078051120', CRM);
  vault.addSent('SECRET', 'hunter2');
  let erased = 0;
  vault.onErased(() => {
    erased += 1;
  });
  await vaults.forget('anna');
  expect(erased).toBe(1);
  expect(vault.counts()).toEqual({});
  expect(vault.wasSent('hunter2')).toBe(false);
  expect(vault.restore(`${token} ${number}`, () => true)).toEqual({
    text: `${token} ${number}`,
    restored: [],
    notRestored: [{ token, reason: 'unknown' }],
  });
  expect(vault.tokenOf('EMAIL', 'ann@example.com', CRM)).not.toBe(token);
});

test('a value shows in no error, no inspection and no JSON of the vault', async () => {
  const vault = await openVault();
  vault.tokenOf('SECRET', 'hunter2', CRM);
  const shown = [inspect(vault, { depth: 9, showHidden: true }), JSON.stringify(vault), String(vault)];
  expect(shown).toEqual(['PrincipalVault {"SECRET":1}', '{}', '[object Object]']);
  const long = 'x'.repeat(MAX_VALUE_CHARS + 1);
  expect(() => vault.tokenOf('SECRET', long, CRM)).toThrow(
    'A value of type SECRET has 1000001 characters; a token stands for at most 1000000.',
  );
});

test('a closed vault gives and restores nothing', async () => {
  const vaults = openVaults();
  const vault = await vaults.of('anna');
  const token = vault.tokenOf('EMAIL', 'ann@example.com', CRM);
  await vaults[Symbol.asyncDispose]();
  expect(() => vault.tokenOf('EMAIL', 'ann@example.com', CRM)).toThrow('The vault is closed.');
  expect(() => restored(vault, token)).toThrow('The vault is closed.');
});
