#!/usr/bin/env node
// @ts-check
/** `npm run bench -- [NAME ...] [--set FILE] [--backend B] [--min N] [--json OUT]`: see USAGE. */
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.mjs';
import { ensureInstalled } from '../scripts/ensure-installed.mjs';

const FIRST_SET = [
  'start',
  'worker',
  'latency',
  'limits',
  'throughput',
  'memory',
  'cpu',
  'files',
  'tools',
  'skills',
  'skills-import',
  'privacy',
  'privacy-restore',
  'privacy-egress',
  'privacy-cost',
  'tokens',
];
const WITH_CASES = ['python', 'friction', 'search'];
/** Linux only, or long: not among those that run without a name. */
const BY_NAME = ['native', 'load'];
const USAGE = `usage: npm run bench -- [NAME ...] [--json OUT]
  names: ${FIRST_SET.join(', ')} (default: all of these); native, load (Linux, bubblewrap)
  npm run bench -- latency throughput memory files skills-import limits [--backend wasm|native]     default: wasm
  npm run bench -- load [--sessions 20,50,100] [--hostile 0,20,40] [--seconds N] [--think MS] [--fresh] [--kinds K,...] [--backend B]     hostile neighbours (Linux)
  npm run bench -- python --set FILE [--every N] [--backend B] [--json OUT]     programs with known answers, or each Nth
  npm run bench -- friction --set FILE [--backend B] [--min N] [--json OUT]     usual mistakes
  npm run bench -- search --set FILE [--rankings OUT] [--json OUT]     tools found for queries
  npm run bench -- privacy [--gold FILE[,FILE]] [--predictions OUT] [--speed] [--json OUT]     personal data found
Ends with code 1 if a bar was missed.`;

const { values, positionals } = parseCommandLine();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const names = positionals.length > 0 ? positionals : FIRST_SET;
const unknown = names.find((name) => ![...FIRST_SET, ...BY_NAME, ...WITH_CASES].includes(name));
if (unknown) usage(`there is no bench named ${unknown}`);
if (names.some((name) => WITH_CASES.includes(name)) && !values.set)
  usage(`${WITH_CASES.join(', ')} need --set FILE`);

await ensureInstalled();
if (!build()) process.exit(1);
const { table } = await import('./support/measure.mjs');

const machine = {
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cpus: os.cpus().length,
  cpu: os.cpus()[0]?.model ?? '',
  loadBefore: os.loadavg()[0],
};
/** @type {Record<string, import('./support/measure.mjs').Result>} */
const results = {};
for (const name of names) {
  console.error(`bench: ${name} ...`);
  /** @type {{ bench: (options: object) => Promise<import('./support/measure.mjs').Result> }} */
  const { bench } = await import(`./${name}.mjs`);
  const result = await bench({
    set: values.set,
    backend: values.backend,
    rankings: values.rankings,
    gold: values.gold,
    predictions: values.predictions,
    speed: values.speed,
    min: values.min ? Number(values.min) : undefined,
    every: values.every ? Number(values.every) : undefined,
    ...loadOptions(),
  });
  results[name] = result;
  console.log(table(result));
}
console.log(
  `\nmachine: ${machine.platform}, ${machine.cpus} CPUs (${machine.cpu}), Node ${machine.node}, load before ${machine.loadBefore?.toFixed(1)}`,
);
if (values.json) {
  writeFileSync(values.json, `${JSON.stringify({ machine, results }, null, 2)}\n`);
  console.log(`JSON: ${values.json}`);
}
const missed = Object.values(results).flatMap((result) => result.rows.filter((row) => row.held === false));
if (missed.length > 0) {
  console.error(`failed: ${missed.map((row) => `${row.name} (${row.bar})`).join('; ')}`);
  process.exitCode = 1;
}

function parseCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        set: { type: 'string' },
        backend: { type: 'string' },
        rankings: { type: 'string' },
        gold: { type: 'string' },
        predictions: { type: 'string' },
        speed: { type: 'boolean' },
        min: { type: 'string' },
        every: { type: 'string' },
        sessions: { type: 'string' },
        hostile: { type: 'string' },
        seconds: { type: 'string' },
        think: { type: 'string' },
        fresh: { type: 'boolean' },
        kinds: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error));
  }
}

/** Options of the bench `load` that were named. */
function loadOptions() {
  const { sessions, hostile, seconds, think, fresh, kinds } = values;
  return {
    ...(sessions ? { sessions: sessions.split(',').map(Number) } : {}),
    ...(hostile ? { hostile: hostile.split(',').map(Number) } : {}),
    ...(seconds ? { seconds: Number(seconds) } : {}),
    ...(think ? { thinkMs: Number(think) } : {}),
    ...(kinds ? { kinds: kinds.split(',') } : {}),
    fresh: fresh === true,
  };
}

/**
 * @param {string} problem
 * @returns {never}
 */
function usage(problem) {
  console.error(`failed: ${problem}\n${USAGE}`);
  process.exit(2);
}
