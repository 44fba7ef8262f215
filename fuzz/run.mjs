#!/usr/bin/env node
// @ts-check
/** `npm run fuzz -- [--minutes N] [--target NAME] [--runs N] [--seed S]`: see USAGE. */
import os from 'node:os';
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.mjs';
import { ensureInstalled } from '../scripts/ensure-installed.mjs';
import { workAll } from './support/crew.mjs';
import { TARGETS } from './targets.mjs';

const USAGE = `usage: npm run fuzz -- [--minutes N] [--target NAME[,NAME]] [--runs N] [--seed S] [--jobs N]
  --minutes  of all targets together (default 5, unless --runs is given)
  --target   ${Object.keys(TARGETS).join(', ')} (default: all)
  --runs     inputs for each target, in place of a time
  --seed     a number; the same seed gives the same inputs (default: from the clock). A crash names its own.
  --jobs     processes at a time (default: one for each core)
Ends with code 1 if anything crashed, hung, or broke a promise.`;

const options = commandLine();
await ensureInstalled();
if (!build()) process.exit(1);

console.log(`fuzz: ${options.targets.join(', ')}; seed ${options.seed}, ${options.jobs} processes`);
/** @type {Map<string, import('./support/crew.mjs').Tally>} */
const totals = new Map();
await workAll(jobsOf(options), options.jobs, (job, tally) => {
  const total = totals.get(job.target) ?? { cases: 0, examined: 0, ms: 0, crashes: [] };
  totals.set(job.target, {
    cases: total.cases + tally.cases,
    examined: total.examined + tally.examined,
    ms: total.ms + tally.ms,
    crashes: [...total.crashes, ...tally.crashes],
  });
  console.log(
    `${job.target}: ${tally.examined.toLocaleString('en')} examined, ${tally.crashes.length} crashes`,
  );
  for (const crash of tally.crashes) console.log(crashText(job.target, crash));
});
console.log(table(totals));
const crashes = [...totals.values()].reduce((sum, { crashes: found }) => sum + found.length, 0);
console.log(crashes === 0 ? 'no crash' : `failed: ${crashes} crashes; each becomes a test with its input`);
process.exitCode = crashes === 0 ? 0 : 1;

/** Each target once for each process, with seeds far apart. @param {ReturnType<typeof commandLine>} options */
function jobsOf({ targets, seed, runs, minutes, jobs }) {
  const seconds = runs === 0 ? Math.max(1, (minutes * 60) / targets.length) : 0;
  const width = runs > 0 && runs < 2_000 ? 1 : jobs;
  return targets.flatMap((target) =>
    Array.from({ length: width }, (_, at) => ({
      target,
      seed: (seed + at * 0x3c6ef372) | 0,
      runs: Math.ceil(runs / width),
      seconds,
    })),
  );
}

/** @param {string} target @param {import('./support/campaign.mjs').Crash} crash */
function crashText(target, { seed, error, input }) {
  return [
    `\nCRASH ${target}`,
    error.replace(/^/gm, '  '),
    `  input: ${input.length > 2_000 ? `${input.slice(0, 2_000)} ... (${input.length} characters)` : input}`,
    `  again: npm run fuzz -- --target ${target} --seed ${seed} --jobs 1\n`,
  ].join('\n');
}

/** @param {ReadonlyMap<string, import('./support/crew.mjs').Tally>} totals */
function table(totals) {
  const rows = [...totals].map(([name, { cases, examined, ms, crashes }]) => [
    name,
    cases.toLocaleString('en'),
    examined.toLocaleString('en'),
    Math.round(examined / (ms / 1_000)).toLocaleString('en'),
    String(crashes.length),
  ]);
  const all = [['target', 'inputs', 'examined', '/s a process', 'crashes'], ...rows];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}

function commandLine() {
  const { values } = parsed();
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const targets = values.target?.split(',') ?? Object.keys(TARGETS);
  const unknown = targets.find((name) => !Object.hasOwn(TARGETS, name));
  if (unknown !== undefined) usage(`there is no target ${unknown}`);
  return {
    targets,
    minutes: number('minutes', values.minutes, 5),
    runs: number('runs', values.runs, 0),
    seed: number('seed', values.seed, Date.now() | 0),
    jobs: Math.max(1, number('jobs', values.jobs, os.availableParallelism())),
  };
}

function parsed() {
  try {
    const string = /** @type {const} */ ({ type: 'string' });
    return parseArgs({
      options: {
        minutes: string,
        target: string,
        runs: string,
        seed: string,
        jobs: string,
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} name @param {string | undefined} text @param {number} fallback */
function number(name, text, fallback) {
  const value = text === undefined ? fallback : Number(text);
  if (!Number.isFinite(value) || (name !== 'seed' && value < 0))
    usage(`--${name} needs a number, not ${text}`);
  return value;
}

/**
 * @param {string} problem
 * @returns {never}
 */
function usage(problem) {
  console.error(`failed: ${problem}\n${USAGE}`);
  process.exit(2);
}
