// @ts-check
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { percentile } from './support/measure.mjs';
import { piiDetector } from './support/pii-detector.mjs';
import { scorePii } from './support/pii-score.mjs';

/** @typedef {import('./support/measure.mjs').Row} Row */
/** @typedef {import('./support/pii-score.mjs').GoldRecord} GoldRecord */
/** @typedef {Awaited<ReturnType<typeof piiDetector>>} Detect */

const DEV_SET = fileURLToPath(new URL('../../shared/bench/pii/dev.jsonl', import.meta.url));
/** What has a shape or a checksum of its own. */
const SURE = ['EMAIL', 'CREDIT_CARD', 'IBAN', 'MAC', 'IP', 'CRYPTO_WALLET', 'URL_CREDENTIALS'];
const MB = 1_000_000;
const ROUNDS = 12;
const SMALL = 10_000;
/** Texts that make a careless scanner slow, repeated to 1 MB. */
const WORST = {
  'a@': 'a@',
  digits: '7',
  'pairs of digits': '12 ',
  quotes: '"',
  brackets: '[',
  backslashes: '\\',
  'keys without a value': 'a: ',
  'separators without a key': '=:',
  'beginnings of keys': '-----BEGIN PRIVATE KEY-----',
  'escaped quotes in a string': '{"a":"\\"',
};

/**
 * Finds personal data in a labelled set, and times it.
 * @param {{ gold?: string | undefined, predictions?: string | undefined, speed?: boolean | undefined }} options
 * `gold`: files of the set, separated by commas; without it the development set, where that is. `speed`: time only.
 * @returns {Promise<import('./support/measure.mjs').Result>}
 */
export async function bench({ gold, predictions, speed = false }) {
  const files = gold?.split(',') ?? (existsSync(DEV_SET) ? [DEV_SET] : []);
  const set = files.flatMap(readSet);
  const detect = await piiDetector();
  const quality = speed || set.length === 0 ? [] : qualityRows(set, detect, predictions);
  return {
    title: `personal data in ${set.length} texts`,
    notes: [
      'Overlap: the spans touch and the types are of one group. Leak: values that are not wholly covered.',
      'Speed: finding all types, one core, the best of some rounds after warming up.',
      ...(set.length === 0 ? ['No set: give one with --gold FILE[,FILE].'] : []),
      ...(predictions === undefined ? [] : [`Predictions: ${predictions}`]),
    ],
    rows: [...quality, ...speedRows(set, detect)],
  };
}

/**
 * @param {string} file
 * @returns {GoldRecord[]}
 */
function readSet(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

/**
 * @param {GoldRecord[]} set
 * @param {Detect} detect
 * @param {string | undefined} output
 * @returns {Row[]}
 */
function qualityRows(set, detect, output) {
  const found = new Map(set.map(({ id, text }) => [id, detect(text)]));
  if (output !== undefined) {
    const lines = [...found].map(([id, entities]) => JSON.stringify({ id, entities }));
    writeFileSync(output, `${lines.join('\n')}\n`);
  }
  const { micro, byType, negatives, falsePositives } = scorePii(set, found);
  const per1000 = negatives === 0 ? 0 : (1000 * falsePositives) / negatives;
  return [
    percentRow('all types, overlap F1', micro.f1, 0.9),
    percentRow('all types, precision', micro.precision),
    percentRow('all types, recall', micro.recall),
    { name: 'leak', value: 100 * micro.leak, unit: '%', bar: '<= 15 %', held: micro.leak <= 0.15 },
    {
      name: `false positives per 1,000 of ${negatives} negatives`,
      value: per1000,
      unit: '',
      bar: '<= 5',
      held: per1000 <= 5,
    },
    ...[...byType]
      .sort(([, a], [, b]) => b.gold - a.gold)
      .map(([type, { f1, gold }]) => percentRow(`${type} (${gold}), F1`, f1, SURE.includes(type) ? 0.98 : 0)),
  ];
}

/**
 * @param {string} name
 * @param {number} share
 * @param {number} [bar]
 * @returns {Row}
 */
function percentRow(name, share, bar = 0) {
  const held = share >= bar;
  return { name, value: 100 * share, unit: '%', ...(bar === 0 ? {} : { bar: `>= ${100 * bar} %`, held }) };
}

/**
 * @param {GoldRecord[]} set
 * @param {Detect} detect
 * @returns {Row[]}
 */
function speedRows(set, detect) {
  const normal = customers(MB);
  const normalMs = bestMs(detect, normal, ROUNDS);
  const rows = [speedRow('1 MB of JSON, customers', normal, normalMs, 20)];
  if (set.length > 0) {
    const text = documentOf(set, MB);
    rows.push(speedRow('1 MB of JSON, texts of the set', text, bestMs(detect, text, ROUNDS)));
  }
  const small = Array.from({ length: 400 }, (_, index) => customers(SMALL, index * 40));
  const times = small.map((text) => bestMs(detect, text, 1));
  const p99 = percentile(times, 0.99);
  rows.push({ name: '10 kB of JSON, p99 of 400', value: p99, unit: 'ms', bar: '< 1 ms', held: p99 < 1 });
  for (const [name, piece] of Object.entries(WORST)) {
    const text = piece.repeat(Math.ceil(MB / piece.length)).slice(0, MB);
    const value = bestMs(detect, text, 3) / text.length / (normalMs / normal.length);
    rows.push({ name: `1 MB of ${name}`, value, unit: 'x', bar: '<= 3 x', held: value <= 3 });
  }
  return rows;
}

/**
 * @param {string} name
 * @param {string} text
 * @param {number} ms
 * @param {number} [bar]
 * @returns {Row}
 */
function speedRow(name, text, ms, bar = 0) {
  const value = text.length / MB / (ms / 1000);
  return { name, value, unit: 'MB/s', ...(bar === 0 ? {} : { bar: `>= ${bar} MB/s`, held: value >= bar }) };
}

/**
 * @param {Detect} detect
 * @param {string} text
 * @param {number} rounds
 */
function bestMs(detect, text, rounds) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    detect(text);
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

/**
 * The texts of a set as strings of a JSON document.
 * @param {GoldRecord[]} set
 * @param {number} length
 */
function documentOf(set, length) {
  const parts = [];
  for (let index = 0, sum = 0; sum < length; index++) {
    const record = /** @type {GoldRecord} */ (set[index % set.length]);
    const part = JSON.stringify({ id: record.id, source: record.src, note: record.text });
    parts.push(part);
    sum += part.length + 1;
  }
  return `[${parts.join(',')}]`;
}

/**
 * What a customer database returns: no two rows alike.
 * @param {number} length
 * @param {number} [from] the first row
 */
function customers(length, from = 0) {
  const parts = [];
  for (let row = from, sum = 0; sum < length; row++) {
    const name = `${pick(GIVEN, row)} ${pick(FAMILY, row * 7)}`;
    const part = JSON.stringify({
      id: 100_000 + row * 37,
      uuid: uuid(row),
      name,
      email: `${name.toLowerCase().replace(' ', '.')}${row}@example.com`,
      phone: `+1 212 555 ${String(100 + (row % 99)).padStart(4, '0')}`,
      address: {
        street: `${1 + (row % 400)} ${pick(STREETS, row)}`,
        city: pick(CITIES, row * 3),
        country: 'US',
      },
      status: pick(['active', 'closed', 'open'], row),
      plan: pick(['free', 'team', 'enterprise'], row * 5),
      balance: ((row * 7919) % 100_000) / 100,
      created_at: `202${row % 6}-0${1 + (row % 9)}-1${row % 9}T0${row % 9}:15:4${row % 9}Z`,
      tags: [pick(['vip', 'new', 'risk'], row), pick(['north', 'south'], row)],
      note: `${pick(NOTES, row)} ${row}`,
    });
    parts.push(part);
    sum += part.length + 1;
  }
  return `[${parts.join(',')}]`;
}

/**
 * @param {readonly string[]} list
 * @param {number} index
 */
function pick(list, index) {
  return /** @type {string} */ (list[index % list.length]);
}

/** @param {number} row */
function uuid(row) {
  const hex = (Math.imul(row + 1, 2_654_435_761) >>> 0).toString(16).padStart(8, '0');
  return `${hex}-${hex.slice(0, 4)}-4${hex.slice(1, 4)}-a${hex.slice(2, 5)}-${hex}${hex.slice(0, 4)}`;
}

const GIVEN = ['Anna', 'Mark', 'Julia', 'Pedro', 'Fatima', 'Olga', 'Thomas', 'Ines', 'Karl', 'Priya', 'Omar'];
const FAMILY = ['Smith', 'Meyer', 'Garcia', 'Novak', 'Khan', 'Rossi', 'Dubois', 'Jansen', 'Silva', 'Larsen'];
const STREETS = ['Main Street', 'Oak Avenue', 'Church Lane', 'Station Road', 'Hill Drive'];
const CITIES = ['Springfield', 'Riverton', 'Fairview', 'Georgetown', 'Salem', 'Madison'];
const NOTES = [
  'called back about the invoice of last month, wants a copy by',
  'shipment is late; promised a refund of',
  'prefers mornings. Asked twice for the manual, see ticket',
  'no answer, try again in week',
];
