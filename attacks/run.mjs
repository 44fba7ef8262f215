#!/usr/bin/env node
// @ts-check
/** `npm run attacks -- --cases FILE --backend wasm|native ...`: see USAGE and design/attack-cases.md. */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.mjs';
import { ensureInstalled } from '../scripts/ensure-installed.mjs';
import { readCases, unknownIn } from './case-format.mjs';
import { preparePlace, refusal, runInside } from './namespace.mjs';
import { detail, holds, tableByKind } from './table.mjs';

/** @typedef {import('./case-format.mjs').Case} Case */
/** @typedef {import('./table.mjs').Verdict} Verdict */

const USAGE = `usage: npm run attacks -- --cases FILE[,FILE] --backend wasm|native [--kind KIND,...] [--id ID] [--json OUT] [--unprotected] [--jobs N] [--as-built]
  Runs each case against the built server in a throw-away namespace of its own.
  --unprotected  the same against a server without walls: which of the cases can fail at all.
  --as-built     takes dist/ as it is instead of building it first.
Ends with code 1 if a case failed or was not run (with --unprotected: only if the control itself broke), with 2 if nothing could run.`;
const BACKENDS = ['wasm', 'native'];
/** Cases that measure need the machine for themselves. */
const ALONE = /^(load|parallel)$/;
const ALONE_UNPROTECTED = /memory|archive|disk/;
const WARM_MS = 120_000;
/** Beyond what a case itself expects: start, steps, checks that wait, the end. */
const SPARE_MS = 90_000;

const options = commandLine();
await ensureInstalled();
if (!options.asBuilt && !build()) process.exit(2);
const cases = readCases(options.cases)
  .filter(({ kind }) => !options.kind || options.kind.split(',').includes(kind))
  .filter(({ id }) => !options.id || id === options.id);
if (cases.length === 0) usage('no case is left to run');

const place = preparePlace();
process.on('exit', () => place.remove());
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => process.exit(2));
const problem = refusal(place);
if (problem !== undefined) stop(problem);
const { result, stderr, ended } = await runInside(
  place,
  { warm: options.backend },
  { timeoutMs: WARM_MS, writableCache: true },
);
const cold = /** @type {{ problem?: string } | undefined} */ (result);
if (!cold || cold.problem)
  stop(`the server runs no code in the namespace: ${cold?.problem ?? `${ended}\n${stderr}`}`);

const started = performance.now();
const verdicts = await runAll();
report(verdicts);

/** @returns {Promise<Verdict[]>} in the order of the file. */
async function runAll() {
  /** @type {Map<Case, Verdict>} */
  const done = new Map();
  const runnable = [];
  for (const each of cases) {
    const unknown = unknownIn(each);
    const base = { id: each.id, kind: each.kind, notes: [], ms: 0 };
    if (each.backends && !each.backends.includes(options.backend))
      done.set(each, { ...base, verdict: 'not applicable', failures: [] });
    else if (unknown.length > 0)
      done.set(each, { ...base, verdict: 'not run', failures: unknown.map((what) => `unknown ${what}`) });
    else runnable.push(each);
  }
  const isAlone = (/** @type {Case} */ { action, kind }) =>
    ALONE.test(action) || (options.unprotected && ALONE_UNPROTECTED.test(kind));
  const take = async (/** @type {Case[]} */ queue) => {
    for (let each = queue.shift(); each; each = queue.shift()) {
      const verdict = await runOne(each);
      done.set(each, verdict);
      if (verdict.verdict !== 'passed' || verdict.notes.length > 0) console.log(detail(verdict));
    }
  };
  const together = runnable.filter((each) => !isAlone(each));
  await Promise.all(Array.from({ length: options.jobs }, () => take(together)));
  await take(runnable.filter(isAlone));
  return cases.flatMap((each) => done.get(each) ?? []);
}

/** @param {Case} each @returns {Promise<Verdict>} */
async function runOne(each) {
  const { backend, unprotected } = options;
  const from = performance.now();
  const expected = (each.expect.withinSeconds ?? 15) + (each.input.seconds ?? each.input.cycles ?? 0);
  const { result, stderr, ended } = await runInside(
    place,
    { case: each, backend, unprotected },
    { timeoutMs: SPARE_MS + expected * 1000 },
  );
  const base = { id: each.id, kind: each.kind, ms: performance.now() - from };
  const got = /** @type {{ failures: string[], notes: string[] } | undefined} */ (result);
  if (!got)
    return {
      ...base,
      verdict: 'failed',
      notes: [],
      failures: [`the case ended with ${ended}: ${stderr.slice(-1_000)}`],
    };
  return { ...base, verdict: got.failures.length > 0 ? 'failed' : 'passed', ...got, ms: base.ms };
}

/** @param {readonly Verdict[]} verdicts */
function report(verdicts) {
  const { backend, unprotected } = options;
  console.log(`\n${tableByKind(verdicts)}\n`);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  for (const { id, verdict } of verdicts)
    if (verdict === 'not applicable') console.log(`not applicable to ${backend}: ${id}`);
  const neverFailed = verdicts.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id);
  if (unprotected) console.log(`without walls these cannot fail: ${neverFailed.join(', ') || 'none'}`);
  const what = unprotected ? `${backend}, without walls` : backend;
  const count = (/** @type {string} */ verdict) => verdicts.filter((each) => each.verdict === verdict).length;
  console.log(
    `attacks on ${what}: ${count('passed')} passed, ${count('failed')} failed, ${count('not run')} not run, ${count('not applicable')} not applicable, ${seconds} s`,
  );
  if (options.json) {
    writeFileSync(options.json, `${JSON.stringify({ backend, unprotected, cases: verdicts }, null, 2)}\n`);
    console.log(`JSON: ${options.json}`);
  }
  process.exitCode = unprotected ? Number(count('not run') > 0) : Number(!holds(verdicts));
}

function commandLine() {
  try {
    const { values } = parseArgs({
      options: {
        cases: { type: 'string' },
        backend: { type: 'string' },
        kind: { type: 'string' },
        id: { type: 'string' },
        json: { type: 'string' },
        unprotected: { type: 'boolean' },
        jobs: { type: 'string' },
        'as-built': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const { cases, backend = '', kind, id, json, unprotected = false } = values;
    const jobs = Number(values.jobs ?? availableParallelism() + 1);
    if (cases === undefined) return usage('--cases FILE is missing');
    if (!BACKENDS.includes(backend)) return usage(`--backend is one of ${BACKENDS.join(', ')}`);
    if (!Number.isInteger(jobs) || jobs < 1) return usage('--jobs is a number from 1 on');
    return { cases, backend, kind, id, json, unprotected, jobs, asBuilt: values['as-built'] === true };
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} reason @returns {never} */
function stop(reason) {
  console.error(`failed: ${reason}`);
  process.exit(2);
}

/** @param {string} reason @returns {never} */
function usage(reason) {
  return stop(`${reason}\n${USAGE}`);
}
