// @ts-check
/**
 * Do values leave? 10,000 programs made from a seed print them in every way that the filter promises to see, and as many
 * in further ways; and what the filter costs. With the product's own detector; every program's values came from a tool.
 */
import {
  customers,
  DETECTABLE,
  FURTHER,
  leaked,
  PROMISED,
  programs,
} from '../test/unit/privacy/egress/hostile-programs.mjs';
import { median } from './support/measure.mjs';

const PROGRAMS = 10_000;
const UNKNOWN_PROGRAMS = 2_000;
const SEED = 20_261_201;
const TABLE = customers(500, SEED);
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

/** @returns {Promise<import('./support/measure.mjs').Result>} */
export async function bench() {
  const open = await opener();
  const promised = await leaks(open, PROMISED);
  const further = await leaks(open, FURTHER);
  const unknown = await unknownLeaks(open);
  const [small, large] = [await cost(open, 200), await cost(open, 250_000)];
  return {
    title: 'Privacy: the filter before the model',
    notes: [
      `${PROGRAMS} generated programs each, seed ${SEED}, values of 500 customers that a tool returned`,
      ...leakNotes(promised),
      ...leakNotes(further),
      ...leakNotes(unknown),
    ],
    rows: [
      row('leaks in the promised forms', promised),
      row('leaks in further forms', further),
      row('leaks of values that nobody noted, in forms that a detector reads', unknown),
      costRow('filter and detector, answer of 200 characters', small, 1),
      costRow('filter and detector, answer of 250 kB', large, undefined),
      {
        name: 'of it the filter alone, 200 characters',
        value: small.alone,
        unit: 'ms CPU',
        bar: '< 0.5 ms',
        held: small.alone < 0.5,
      },
      {
        name: 'of it the filter alone, 250 kB',
        value: large.alone,
        unit: 'ms CPU',
        bar: '< 30 ms',
        held: large.alone < 30,
      },
    ],
    data: {
      promised: Object.fromEntries(promised),
      further: Object.fromEntries(further),
      unknown: Object.fromEntries(unknown),
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof opener>>} Open */

async function opener() {
  const { EgressFilter } = await import('../dist/privacy/egress/egress-filter.js');
  const { PrincipalVaults } = await import('../dist/privacy/vault/principal-vaults.js');
  const { PII_TYPES } = await import('../dist/core/pii.js');
  const { createDetector } = await import('../dist/privacy/detect/create-detector.js');
  const { createNameFinder } = await import('../dist/privacy/detect/names/create-name-finder.js');
  const { NameList } = await import('../dist/privacy/detect/names/name-list.js');
  const { MACHINE_RECORDS } = await import('../dist/privacy/detect/records/machine.js');
  const { NUMBER_RECORDS } = await import('../dist/privacy/detect/records/numbers.js');
  const { readPackageData } = await import('../dist/fs/package-data.js');
  const names = createNameFinder(new NameList(await readPackageData('names.bin')));
  const real = createDetector({ records: [...MACHINE_RECORDS, ...NUMBER_RECORDS], names });
  const blind = { begin: () => ({ inText: () => [], inValue: () => [], inNumber: () => undefined }) };
  return (/** @type {'real' | 'blind'} */ which) =>
    new EgressFilter({
      detector: which === 'real' ? real : blind,
      vaults: new PrincipalVaults({ folder: '', keyFolder: '', keep: false, logger: QUIET }),
      types: new Set(PII_TYPES),
      isAllowed: () => false,
    });
}

/**
 * @param {Open} open
 * @param {typeof PROMISED} forms
 * @returns {Promise<Map<string, { programs: number, leaks: string[] }>>} By the name of the form.
 */
async function leaks(open, forms) {
  const filter = open('real');
  filter.beginRun('local').add('crm', { value: TABLE });
  /** @type {Map<string, { programs: number, leaks: string[] }>} */
  const found = new Map();
  for (const program of programs(PROGRAMS, SEED, TABLE, forms)) {
    const entry = found.get(program.name) ?? { programs: 0, leaks: [] };
    found.set(program.name, entry);
    entry.programs++;
    if (leaked(program.facts, program).length === 0) throw new Error(`program ${program.seed} tells nothing`);
    const shown = await filter.filter(program.facts, 'local');
    for (const value of leaked(shown, program)) entry.leaks.push(`${program.seed}: ${value}`);
  }
  return found;
}

/**
 * Results too large to be noted: only values that the detector finds in clear count, each program in a vault of its own.
 * @param {Open} open
 */
async function unknownLeaks(open) {
  const forms = Object.fromEntries(
    Object.entries({ ...PROMISED, ...FURTHER }).filter(([name]) => DETECTABLE.includes(name)),
  );
  /** @type {Map<string, { programs: number, leaks: string[] }>} */
  const found = new Map();
  for (const program of programs(UNKNOWN_PROGRAMS, SEED, TABLE, forms)) {
    const filter = open('real');
    const clear = await filter.filter(
      program.values.map(({ value }) => value),
      'clear',
    );
    if (!clear.every((text) => /^PII[A-Z0-9]+$/.test(text))) continue;
    const entry = found.get(program.name) ?? { programs: 0, leaks: [] };
    found.set(program.name, entry);
    entry.programs++;
    const shown = await filter.filter(program.facts, 'local');
    for (const value of leaked(shown, program)) entry.leaks.push(`${program.seed}: ${value}`);
  }
  return found;
}

/** @param {Map<string, { programs: number, leaks: string[] }>} found */
function leakNotes(found) {
  return [...found]
    .filter(([, { leaks }]) => leaks.length > 0)
    .map(([name, { programs, leaks }]) => `${name}: ${leaks.length} of ${programs}, first ${leaks[0]}`);
}

/**
 * @param {string} name
 * @param {Map<string, { programs: number, leaks: string[] }>} found
 */
function row(name, found) {
  const value = [...found.values()].reduce((sum, { leaks }) => sum + leaks.length, 0);
  const all = [...found.values()].reduce((sum, { programs }) => sum + programs, 0);
  return { name, value, unit: `of ${all}`, bar: '0', held: value === 0 };
}

/**
 * @param {Open} open
 * @param {number} chars
 */
async function cost(open, chars) {
  let text = '';
  for (let i = 0; text.length < chars; i++)
    text += `order ${i}: shipped to depot ${i % 17}, 12.50 EUR, 3 items\n`;
  const facts = {
    report: { output: { head: text.slice(0, chars), tail: '' } },
    value: { type: 'int', value: 3 },
  };
  /** @type {Record<string, number>} */
  const times = {};
  for (const which of /** @type {const} */ (['real', 'blind'])) {
    const filter = open(which);
    filter.beginRun('local').add('crm', { value: TABLE });
    const samples = [];
    for (let i = 0; i < 60; i++) {
      const began = process.cpuUsage();
      await filter.filter(facts, 'local');
      const { user, system } = process.cpuUsage(began);
      if (i >= 10) samples.push((user + system) / 1000);
    }
    times[which] = median(samples);
  }
  return { whole: times.real ?? 0, alone: times.blind ?? 0 };
}

/**
 * @param {string} name
 * @param {{ whole: number }} measured
 * @param {number | undefined} bar
 */
function costRow(name, { whole }, bar) {
  return {
    name,
    value: whole,
    unit: 'ms CPU',
    ...(bar === undefined ? {} : { bar: `< ${bar} ms`, held: whole < bar }),
  };
}
