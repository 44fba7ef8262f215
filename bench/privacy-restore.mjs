// @ts-check
import { randomBytes, randomInt } from 'node:crypto';
import { PrincipalVaults } from '../dist/privacy/vault/principal-vaults.js';

/** @typedef {import('../dist/privacy/vault/vault.js').Vault} Vault */
/** @typedef {import('./support/measure.mjs').Row} Row */

const MB = 1_000_000;
const ROUNDS = 25;
const FORGED = 1_000_000;
const RESTORE_BAR = 100;
const WORST_BAR = 3;
const ORIGIN = /** @type {const} */ ({ kind: 'tool', server: 'crm' });
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Tokens back into values: speed, worst inputs against the normal one, forged tokens.
 * @returns {Promise<import('./support/measure.mjs').Result>}
 */
export async function bench() {
  let now = Date.now();
  const vaults = new PrincipalVaults({
    folder: '',
    keyFolder: '',
    keep: false,
    maxValues: 1_000_000,
    clock: () => now,
    logger: SILENT,
  });
  const vault = await vaults.of('bench');
  const normal = customers(vault);
  const tokens = vault.tokensIn(normal).length;
  const none = JSON.stringify(normal.replace(/PII[A-Z]+[0-9A-Z]{13}/g, 'someone'));
  // Twice: the first ones warm the code up.
  const normalMs = Math.min(restoreMs(vault, normal), restoreMs(vault, normal));
  const speed = (/** @type {string} */ name, /** @type {string} */ text, bar = 0) => {
    const value = text.length / MB / (restoreMs(vault, text) / 1000);
    return { name, value, unit: 'MB/s', ...(bar ? { bar: `>= ${bar} MB/s`, held: value >= bar } : {}) };
  };
  const worst = Object.entries(worstInputs(vault)).map(([name, piece]) => {
    const text = piece.repeat(Math.ceil(MB / piece.length)).slice(0, MB);
    const value = restoreMs(vault, text) / text.length / (normalMs / normal.length);
    return { name: `1 MB of ${name}`, value, unit: 'x', bar: `<= ${WORST_BAR} x`, held: value <= WORST_BAR };
  });
  const speeds = [
    speed('restore, 1 MB of JSON with tokens', normal, RESTORE_BAR),
    speed('restore, 1 MB of JSON without', none),
  ];
  const tokenise = tokeniseRows(await vaults.of('new'));
  const foreign = await vaults.of('foreign');
  let forged = forgedRestored(vault) + restoredOf(vault, customers(foreign)) + restoredOf(foreign, normal);
  now += 8 * 24 * 60 * 60 * 1000;
  forged += restoredOf(vault, normal);
  await vaults[Symbol.asyncDispose]();
  return {
    title: 'restoring tokens',
    notes: [
      `JSON of customers, ${(normal.length / MB).toFixed(2)} MB with ${tokens} tokens; the best of ${ROUNDS} rounds counts.`,
    ],
    rows: [
      ...speeds,
      ...worst,
      {
        name: `restored of ${FORGED.toLocaleString('en')} forged, foreign and expired tokens`,
        value: forged,
        unit: '',
        bar: '0',
        held: forged === 0,
      },
      ...tokenise,
    ],
  };
}

/** @param {Vault} vault */
function customers(vault) {
  const rows = [];
  for (let n = 0, length = 0; length < MB; n += 1) {
    const row = JSON.stringify({
      id: 1_000_000 + n,
      name: vault.tokenOf('PERSON', `Person ${n}`, ORIGIN),
      email: vault.tokenOf('EMAIL', `person${n}@example.com`, ORIGIN),
      phone: vault.tokenOf('PHONE', `+1 555 ${n}`, ORIGIN),
      plan: n % 3 === 0 ? 'premium' : 'basic',
      since: '2024-03-01T08:15:00Z',
      balance: n * 1.25,
      note: 'Shipped in two parts; the pipeline reported a problem with zip_code, paid on time.',
    });
    length += row.length + 1;
    rows.push(row);
  }
  return `[${rows.join(',')}]`;
}

/** @param {Vault} vault @returns {Record<string, string>} */
function worstInputs(vault) {
  const token = vault.tokenOf('EMAIL', 'worst@example.com', ORIGIN);
  const batch = Array.from({ length: 2000 }, () => forgedToken()).join(' ');
  return {
    'half tokens': `${token.slice(0, -4)} `,
    'heads of tokens': 'pii',
    'heads of tokens with separators': 'p-i-i-',
    'type letters without end': 'PIIEMAIL',
    'almost tokens without gaps': token.slice(0, -1),
    backslashes: 'p\\\\\\\\',
    'percent escapes': 'p%C2%AD',
    entities: 'p&#8203;i',
    'forged tokens': `${batch} `,
    'numbers that might be tokens': `${Array.from({ length: 2000 }, () => 8e15 + randomInt(2 ** 48 - 1)).join(' ')} `,
    eights: '8888888888 ',
    'valid tokens': `${token} `,
    'valid tokens with separators': `${[...token].join('\\_')} `,
  };
}

function forgedToken() {
  return `PIIEMAIL0000${Array.from(randomBytes(9), (byte) => CROCKFORD[byte & 31]).join('')}`;
}

/** Random tags on counters that exist. @param {Vault} vault */
function forgedRestored(vault) {
  const count = Object.values(vault.counts()).reduce((sum, values) => sum + values, 0);
  let restored = 0;
  for (let done = 0; done < FORGED; done += 1000) {
    const tokens = Array.from({ length: 1000 }, () => {
      const tag = Array.from(randomBytes(6), (byte) => CROCKFORD[byte & 31]).join('');
      let counter = '';
      for (let rest = randomInt(count); counter.length < 6; rest = Math.floor(rest / 32))
        counter = CROCKFORD[rest % 32] + counter;
      return `PIIEMAIL0${counter}${tag}`;
    });
    restored += restoredOf(vault, tokens.join('\n'));
  }
  return restored;
}

/** @param {Vault} vault @param {string} text */
function restoredOf(vault, text) {
  return vault.restore(text, () => true).restored.length;
}

/** @param {Vault} vault @param {string} input */
function restoreMs(vault, input) {
  // As it comes from a socket: in one piece.
  const text = Buffer.from(input).toString();
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    // The search makes the pieces one string, as whoever takes the text would.
    vault.restore(text, () => true).text.indexOf('\u0000');
    times.push(performance.now() - started);
  }
  return Math.min(...times);
}

/** @param {Vault} vault @returns {Row[]} */
function tokeniseRows(vault) {
  const values = Array.from({ length: 100_000 }, (_, n) => `customer${n}@example.com`);
  const pass = () => {
    const started = performance.now();
    for (const value of values) vault.tokenOf('EMAIL', value, ORIGIN);
    return ((performance.now() - started) * 1000) / values.length;
  };
  return [
    { name: 'token of a new value', value: pass(), unit: 'us' },
    { name: 'token of a known value', value: pass(), unit: 'us' },
  ];
}
