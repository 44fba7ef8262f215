// @ts-check
/**
 * What Python programs print that want to show personal data to the model, or do so by chance: made from a seed, so that a
 * leak can be looked at again. Nothing is run; each program is the answer that it would leave.
 */
import { deflateSync, gzipSync } from 'node:zlib';

/**
 * @typedef {{ type: string, value: string }} Value
 * @typedef {{ output?: string, value?: unknown, error?: string, files?: string[], preview?: string, tells?: string }} Shown `tells`: what
 *   tells the value, where a search for its usual encodings would not see it.
 * @typedef {{ name: string, seed: number, values: Value[], tells: string | undefined, facts: object }} Program
 * @typedef {() => number} Random
 */

/**
 * @param {number} seed
 * @returns {Random} Numbers from 0 to 1.
 */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Customers with values of the usual kinds: cards pass Luhn, IBANs pass mod 97, e-mails are at reserved domains.
 * @param {number} count
 * @param {number} seed
 */
export function customers(count, seed) {
  const random = randomFrom(seed);
  const digits = (/** @type {number} */ n) =>
    Array.from({ length: n }, () => Math.floor(random() * 10)).join('');
  const pick = (/** @type {readonly string[]} */ list) => list[Math.floor(random() * list.length)] ?? '';
  return Array.from({ length: count }, () => {
    const [first, last] = [pick(FIRST), pick(LAST)];
    return {
      name: `${first} ${last}`,
      email:
        `${first}.${last}${digits(2)}@${pick(['example.org', 'mail.example.com', 'corp.test'])}`.toLowerCase(),
      phone: `+1 555 ${digits(3)} ${digits(4)}`,
      card: luhn(`4${digits(14)}`),
      iban: iban(digits(18)),
      ssn: `${100 + Math.floor(random() * 565)}-${10 + Math.floor(random() * 89)}-${1000 + Math.floor(random() * 8999)}`,
      key: `sk_live_${Array.from({ length: 24 }, () => ALPHANUMERIC[Math.floor(random() * 62)]).join('')}`,
    };
  });
}

const FIRST = ['Jane', 'Robert', 'Amelia', 'Kofi', 'Yuki', 'Ingrid', 'Pablo', 'Fatima', 'Liam', 'Svetlana'];
const LAST = [
  'Abernathy',
  'Okonkwo',
  'Lindqvist',
  'Castellanos',
  'Haverford',
  'Nakamura',
  'Petrovic',
  'Dubois',
];
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const TYPES = {
  email: 'EMAIL',
  phone: 'PHONE',
  card: 'CREDIT_CARD',
  iban: 'IBAN',
  ssn: 'SSN',
  key: 'SECRET',
};

/** @param {string} body */
function luhn(body) {
  let sum = 0;
  for (let i = 0; i < body.length; i++) {
    const digit = Number(body[body.length - 1 - i]) * (i % 2 === 0 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return body + ((10 - (sum % 10)) % 10);
}

/** @param {string} account */
function iban(account) {
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${account}`;
}

const base64 = (/** @type {string | Uint8Array} */ data) => Buffer.from(data).toString('base64');
const hex = (/** @type {string} */ text) => Buffer.from(text).toString('hex');
const codes = (/** @type {string} */ text) => Array.from(text, (c) => c.charCodeAt(0));
const utf16 = (/** @type {string} */ text) => Buffer.from(text, 'utf16le');
const percent = (/** @type {string} */ text) =>
  codes(text)
    .map((code) => `%${code.toString(16).toUpperCase()}`)
    .join('');
const lines = (/** @type {string[]} */ parts) => `${parts.join('\n')}\n`;
const wrap = (/** @type {string} */ text, /** @type {number} */ width) =>
  text.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];

/**
 * @param {string} text
 * @param {Random} random
 * @returns {string[]} Two to five pieces.
 */
function cut(text, random) {
  const places = Array.from(
    { length: 1 + Math.floor(random() * 4) },
    () => 1 + Math.floor(random() * (text.length - 1)),
  );
  const sorted = [...new Set(places)].sort((a, b) => a - b);
  return [0, ...sorted].map((from, i) => text.slice(from, sorted[i] ?? text.length));
}

/**
 * The promised forms: clear, base64, hex, URL-encoded, split over prints. `shown` is for one value, with others around it.
 * @type {Record<string, (value: string, random: Random, all: string[]) => Shown>}
 */
export const PROMISED = {
  clear: (v) => ({ output: `customer: ${v}\n` }),
  'f-string': (v) => ({ output: `Dear ${v}, you owe 12.50 (since 2024-01-02).\n` }),
  'upper case': (v) => ({ output: `${v.toUpperCase()}\n` }),
  'result in JSON': (v, _r, all) => ({
    value: { rows: all.map((one, i) => ({ id: i, note: `about ${one}` })), v },
  }),
  'JSON in JSON': (v) => ({
    output: `${JSON.stringify({ body: JSON.stringify({ inner: JSON.stringify({ v }) }) })}\n`,
  }),
  'list and repr': (_v, _r, all) => ({ output: `[${all.map((one) => `'${one}'`).join(', ')}]\n` }),
  'csv table': (_v, _r, all) => ({ output: lines(['id,contact', ...all.map((one, i) => `${i},"${one}"`)]) }),
  'dict key': (v) => ({ value: { [v]: 3, total: 3 } }),
  exception: (v) => ({ error: `no account for ${v}` }),
  'key error': (v) => ({ error: `'${v}'` }),
  preview: (v) => ({ preview: `[{'contact': '${v}', 'id': 7}]` }),
  'file name': (v) => ({ files: [`out/${v.replaceAll('/', '_')}.txt`] }),
  base64: (v) => ({ output: `${base64(v)}\n` }),
  'base64 value': (v) => ({ value: { data: base64(`id=7;contact=${v};x`) } }),
  'base64 of bytes repr': (v) => ({ output: `b'${base64(v)}'\n` }),
  'base64 url-safe': (v) => ({ output: `${Buffer.from(`??>>${v}`).toString('base64url')}\n` }),
  'base64 at an alignment': (v, r) => ({
    output: `t=${base64(`${'xyz'.slice(0, Math.floor(r() * 3))}${v}`)}\n`,
  }),
  'base64 behind letters': (v, r) => ({ output: `data${'abc'.slice(0, Math.floor(r() * 4))}${base64(v)}\n` }),
  'base64 of a table, wrapped': (_v, _r, all) => ({ output: lines(wrap(base64(all.join('\n')), 76)) }),
  'base64 split over prints': (v, r) => ({ output: lines(cut(base64(v), r)) }),
  'base64 of parts': (v, r) => ({ output: lines(cut(v, r).map(base64)) }),
  'base64 list': (v, r) => ({ value: cut(base64(v), r) }),
  'base64 twice': (v) => ({ output: `${base64(base64(v))}\n` }),
  hex: (v) => ({ output: `${hex(v)}\n` }),
  'hex in text': (v) => ({ output: `id ${hex(`id: ${v};`)} ok\n` }),
  'hex upper, colons': (v) => ({ output: `${(hex(v).toUpperCase().match(/../g) ?? []).join(':')}\n` }),
  'hex groups': (v) => ({ output: `${(hex(v).match(/.{1,8}/g) ?? []).join(' ')}\n` }),
  'hex list': (v) => ({
    output: `[${codes(v)
      .map((code) => `'0x${code.toString(16)}'`)
      .join(', ')}]\n`,
  }),
  'hex split over prints': (v, r) => ({ output: lines(cut(v, r).map(hex)) }),
  'bytes repr': (v) => ({
    output: `b'${codes(v)
      .map((code) => `\\x${code.toString(16)}`)
      .join('')}'\n`,
  }),
  'url-quoted': (v) => ({ output: `https://example.org/?q=${encodeURIComponent(v)}&n=1\n` }),
  'percent-encoded': (v) => ({ output: `${percent(v)}\n` }),
  'url-quoted twice': (v) => ({ output: `u=${encodeURIComponent(percent(v))}\n` }),
  'split over prints': (v, r) => ({ output: lines(cut(v, r)) }),
  'split over list items': (v, r) => ({ value: cut(v, r) }),
  'split over dict items': (v, r) => {
    const value = Object.fromEntries(cut(v, r).map((part, i) => [`p${i}`, part]));
    return { value, tells: Object.entries(value).flat().join('') };
  },
  'split, with labels': (v, r) => ({
    output: lines(cut(v, r).map((part, i) => `part ${i + 1}: ${part.trim()}`)),
  }),
};

/** Forms beyond the promise, found for known values. @type {typeof PROMISED} */
export const FURTHER = {
  reversed: (v) => ({ output: `${[...v].reverse().join('')}\n` }),
  'joined with dashes': (v) => ({ output: `${[...v].join('-')}\n` }),
  spaced: (v) => ({ output: `${[...v].join(' ')}\n` }),
  'one character a line': (v) => ({ output: lines([...v]) }),
  'list of characters': (v) => ({ value: [...v] }),
  'repr of characters': (v) => ({ output: `[${Array.from(v, (c) => `'${c}'`).join(', ')}]\n` }),
  enumerated: (v) => ({ output: lines(Array.from(v, (c, i) => `${i} ${c}`)) }),
  'character codes': (v) => ({ output: `[${codes(v).join(', ')}]\n` }),
  'character codes as result': (v) => ({ value: codes(v) }),
  'character codes a line each': (v) => ({ output: lines(codes(v).map(String)) }),
  binary: (v) => ({
    output: `${codes(v)
      .map((code) => code.toString(2).padStart(8, '0'))
      .join(' ')}\n`,
  }),
  rot13: (v) => ({
    output: `${v.replace(/[a-z]/gi, (c) => String.fromCharCode(c.charCodeAt(0) + (/[a-m]/i.test(c) ? 13 : -13)))}\n`,
  }),
  'swapped case': (v) => ({
    output: `${v.replace(/[a-z]/gi, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))}\n`,
  }),
  'unicode escapes': (v) => ({
    output: `"${codes(v)
      .map((code) => `\\u${code.toString(16).padStart(4, '0')}`)
      .join('')}"\n`,
  }),
  'html entities': (v) => ({
    output: `${codes(v)
      .map((code) => `&#${code};`)
      .join('')}\n`,
  }),
  'html escaped': (v) => ({ output: `<p>${v.replaceAll('@', '&#64;').replaceAll('.', '&period;')}</p>\n` }),
  'gzip in base64': (v) => ({ output: `${base64(gzipSync(`contact ${v}`))}\n` }),
  'zlib in base64': (v) => ({ output: `${base64(deflateSync(`contact ${v}`))}\n` }),
  'utf-16 in base64': (v) => ({ output: `${base64(utf16(v))}\n` }),
  'utf-16 in hex': (v) => ({ output: `${utf16(v).toString('hex')}\n` }),
  'hex of base64': (v) => ({ output: `${hex(base64(v))}\n` }),
  'full-width': (v) => ({
    output: `${v.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))}\n`,
  }),
  'zero-width between': (v) => ({ output: `${[...v].join('\u200b')}\n` }),
};

/** Forms in which a detector finds a value once the text is decoded; nothing has to be known. */
export const DETECTABLE = [
  'clear',
  'f-string',
  'result in JSON',
  'JSON in JSON',
  'list and repr',
  'csv table',
  'dict key',
  'exception',
  'key error',
  'preview',
  'base64',
  'base64 value',
  'base64 of bytes repr',
  'base64 of a table, wrapped',
  'base64 split over prints',
  'base64 list',
  'base64 twice',
  'hex',
  'hex in text',
  'hex upper, colons',
  'hex groups',
  'hex list',
  'bytes repr',
  'url-quoted',
  'percent-encoded',
  'url-quoted twice',
  'unicode escapes',
  'html entities',
  'gzip in base64',
  'zlib in base64',
  'utf-16 in base64',
  'utf-16 in hex',
  'hex of base64',
];

/** Forms whose whole output is the value in a form that {@link leaked} does not look for by itself. */
const ENCODED = new Set([
  'base64 of parts',
  'base64 twice',
  'hex list',
  'bytes repr',
  'url-quoted',
  'url-quoted twice',
  'percent-encoded',
  'enumerated',
  'split, with labels',
  'binary',
  'rot13',
  'unicode escapes',
  'html entities',
  'html escaped',
  'gzip in base64',
  'zlib in base64',
  'utf-16 in base64',
  'hex of base64',
]);

/**
 * @param {number} count
 * @param {number} seed
 * @param {ReturnType<typeof customers>} table
 * @param {typeof PROMISED} forms
 * @returns {Generator<Program>}
 */
export function* programs(count, seed, table, forms) {
  const names = Object.keys(forms);
  for (let i = 0; i < count; i++) {
    const random = randomFrom(seed + i);
    const name = names[i % names.length] ?? '';
    const field = /** @type {keyof typeof TYPES} */ (Object.keys(TYPES)[Math.floor(random() * 6)]);
    const rows = Array.from(
      { length: 1 + Math.floor(random() * 5) },
      () => table[Math.floor(random() * table.length)],
    );
    const all = rows.map((row) => row?.[field] ?? '');
    const values = all.map((value) => ({ type: TYPES[field], value }));
    const shown = forms[name]?.(all[0] ?? '', random, all) ?? {};
    const tells = shown.tells ?? (ENCODED.has(name) ? shown.output : undefined);
    yield { name, seed: seed + i, values, tells, facts: factsOf(shown) };
  }
}

/** The facts of an answer as the server hands them to the filter. @param {Shown} shown */
function factsOf({ output = '', value, error, files = [], preview }) {
  const outcome =
    error === undefined
      ? {
          kind: 'value',
          ...(value === undefined ? {} : { value: { type: 'dict', json: '', truncated: false } }),
        }
      : {
          kind: 'raised',
          error: {
            code: 'python_error',
            type: 'KeyError',
            message: error,
            line: 3,
            traceback: `Traceback:\n  line 3\nKeyError: ${error}`,
          },
        };
  return {
    report: {
      runId: 'a1b2c3',
      outcome,
      output: { head: output, tail: '', bytes: output.length, lines: 1 },
      durationMs: 12.5,
      filesChanged: files.map((path) => ({ path, change: 'created', size: 12 })),
      notes: [],
      variables: preview === undefined ? [] : [{ name: 'rows', type: 'list', size: 1, preview }],
    },
    ...(value === undefined ? {} : { value: { type: 'dict', value } }),
  };
}

/**
 * The values that the shown facts still tell, by an own search: letters and digits of everything in a row, forwards and
 * backwards, in clear and in the encodings that the programs use.
 * @param {unknown} facts
 * @param {Pick<Program, 'values' | 'tells'>} program
 * @returns {string[]} The values.
 */
export function leaked(facts, { values, tells }) {
  const text = textOf(facts);
  const plain = folded(text);
  const lastWords = folded(
    text
      .split('\n')
      .map((line) => line.trim().split(/\s+/).at(-1))
      .join(''),
  );
  const found = values.filter(({ value }) => {
    const bare = folded(value);
    const forms = [
      bare,
      [...bare].reverse().join(''),
      hex(value),
      utf16(value).toString('hex'),
      codes(value).join(''),
    ];
    for (let shift = 0; shift < 3; shift++) {
      const inner = base64(`${' '.repeat(shift)}${value}`).replace(/=+$/, '');
      forms.push(inner.slice([0, 2, 3][shift], -2));
    }
    return forms.some((form) => plain.includes(folded(form)) || lastWords.includes(folded(form)));
  });
  const isTold = tells !== undefined && plain.includes(folded(tells));
  return [...found.map(({ value }) => value), ...(isTold ? [`${values[0]?.value} as ${tells}`] : [])];
}

/** @param {string} text */
function folded(text) {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

/** @param {unknown} facts @returns {string} */
function textOf(facts) {
  if (typeof facts !== 'object' || facts === null) return `${String(facts)}\n`;
  return Object.entries(facts)
    .map(([key, item]) => (Array.isArray(facts) ? '' : `${key}\n`) + textOf(item))
    .join('');
}
