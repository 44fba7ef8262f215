// @ts-check
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SearchIndex } from '../dist/catalog/search/search-index.js';
import { FolderSkillStore } from '../dist/skills/folder-skill-store.js';
import { median, percentile } from './support/measure.mjs';
import { skillRequest } from './support/skill-request.mjs';

const SAVER = fileURLToPath(new URL('./support/skill-saver.mjs', import.meta.url));
const SKILLS = 1_000;
const CALLS = 300;
const PROCESSES = 4;
const SAVES = 200;
const BAR_MS = 5;
const VERBS = ['sum', 'filter', 'export', 'compare', 'forecast'];
const THINGS = ['invoices', 'customers', 'regions', 'orders', 'employees', 'contracts', 'sensors', 'papers'];

/**
 * List, search and load among a thousand skills; saves of four server processes in one folder.
 * @returns {Promise<import('./support/measure.mjs').Result>}
 */
export async function bench() {
  const folder = mkdtempSync(path.join(tmpdir(), 'code-execution-skills-'));
  try {
    return await measure(path.join(folder, 'many'), path.join(folder, 'shared'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} many
 * @param {string} shared
 * @returns {Promise<import('./support/measure.mjs').Result>}
 */
async function measure(many, shared) {
  const save = await timesOf(SKILLS, saveOne(storeIn(many)));
  const store = storeIn(many);
  const cold = await timesOf(1, () => store.find('forecast of orders', page(10)));
  const list = await timesOf(CALLS, (at) => store.find(undefined, page(20, 20 * (at % 50))));
  const search = await timesOf(CALLS, (at) =>
    store.find(`${VERBS[at % 5]} the ${THINGS[at % 8]} by month`, page(10)),
  );
  const load = await timesOf(CALLS, (at) => store.load(nameOf(at)));
  const started = performance.now();
  const together = (
    await Promise.all(Array.from({ length: PROCESSES }, (_, id) => savesOf(shared, id)))
  ).flat();
  const seconds = (performance.now() - started) / 1_000;
  const versions = readdirSync(path.join(shared, '.history'))
    .filter((name) => /^(?:shared|own)-/.test(name))
    .flatMap((name) => readdirSync(path.join(shared, '.history', name)));
  const row = (/** @type {string} */ name, /** @type {number} */ value, /** @type {number} */ bar = 0) => ({
    name,
    value,
    unit: 'ms',
    ...(bar === 0 ? {} : { bar: `<= ${bar} ms`, held: value <= bar }),
  });
  return {
    title: `skills: ${SKILLS} of them, and ${SAVES} saves by ${PROCESSES} processes in one folder`,
    notes: ['Half of the saves are of names that all processes save; the processes are started anew.'],
    rows: [
      row(`list at ${SKILLS}, p50`, median(list), BAR_MS),
      row(`search at ${SKILLS}, p50`, median(search), BAR_MS),
      row(`search at ${SKILLS}, p95`, percentile(search, 0.95)),
      row(`first search of a process at ${SKILLS}`, median(cold)),
      row(`load at ${SKILLS}, p50`, median(load)),
      row('save, one process, p50', median(save)),
      row(`save, ${PROCESSES} processes, p50`, median(together)),
      { name: `${SAVES} saves, ${PROCESSES} processes, with their start`, value: seconds, unit: 's' },
      {
        name: 'saves that are versions now',
        value: versions.length,
        unit: 'versions',
        bar: `= ${SAVES} versions`,
        held: versions.length === SAVES,
      },
    ],
  };
}

/** @param {string} root */
function storeIn(root) {
  return new FolderSkillStore({
    principal: 'bench',
    root,
    readOnlyRoots: [],
    search: new SearchIndex(),
    log: { warn: (_fields, message) => console.error(message) },
    record: () => {},
  });
}

/** @param {FolderSkillStore} store */
function saveOne(store) {
  return (/** @type {number} */ at) =>
    store.save(
      skillRequest(
        nameOf(at),
        `# ${at}`,
        `Can ${VERBS[at % 5]} the ${THINGS[at % 8]} of group ${at} for a month.`,
      ),
    );
}

/** @param {number} at */
function nameOf(at) {
  return `${VERBS[at % 5]}_${THINGS[at % 8]}_${at}`;
}

/**
 * @param {number} limit
 * @param {number} [offset]
 */
function page(limit, offset = 0) {
  return { limit, offset };
}

/**
 * @param {number} count
 * @param {(at: number) => Promise<unknown>} work
 */
async function timesOf(count, work) {
  const ms = [];
  for (let at = 0; at < count; at += 1) {
    const started = performance.now();
    await work(at);
    ms.push(performance.now() - started);
  }
  return ms;
}

/**
 * @param {string} root
 * @param {number} id
 * @returns {Promise<number[]>}
 */
function savesOf(root, id) {
  const child = spawn(process.execPath, [SAVER, root, String(id), String(SAVES / PROCESSES)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(out)) : reject(new Error(`a saver ended with ${code}`)),
    );
  });
}
