// @ts-check
/** Processes of a campaign, watched from outside: one that hangs or dies has found something as well. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./campaign.mjs').Batch} Batch */
/** @typedef {import('./campaign.mjs').Crash} Crash */
/** @typedef {{ target: string, seed: number, runs: number, seconds: number }} Job */
/** @typedef {{ cases: number, examined: number, ms: number, crashes: Crash[] }} Tally */

const WORKER = fileURLToPath(new URL('../worker.mjs', import.meta.url));
/** A batch takes 2 s, and the search for a smaller input 45. */
const HANG_MS = 120_000;
/** Until its first word: loading may take long on a busy machine. */
const START_MS = 120_000;
const HEAP_MB = 768;
const LAST_WORDS = 4_000;

/**
 * Runs one job to its end. A worker that says nothing for two minutes is killed; how it ends is a crash unless it said so.
 *
 * @param {Job} job
 * @param {{ worker?: string, hangMs?: number, onBatch?: (batch: Batch) => void }} [options]
 * @returns {Promise<Tally>}
 */
export function work({ target, seed, runs, seconds }, { worker = WORKER, hangMs = HANG_MS, onBatch } = {}) {
  const started = performance.now();
  const tally = { cases: 0, examined: 0, ms: 0, crashes: /** @type {Crash[]} */ ([]) };
  const child = fork(worker, [target, String(seed), String(runs), String(seconds)], {
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  let words = '';
  child.stderr?.on('data', (chunk) => {
    words = (words + chunk).slice(-LAST_WORDS);
  });
  let at = { seed, runs: 0 };
  let hangs = false;
  const kill = () => {
    hangs = true;
    child.kill('SIGKILL');
  };
  let watch = setTimeout(kill, Math.max(hangMs, START_MS));
  child.on('message', (/** @type {{ begin?: typeof at, end?: Batch }} */ { begin, end }) => {
    clearTimeout(watch);
    watch = setTimeout(kill, hangMs);
    if (begin) at = begin;
    if (!end) return;
    tally.cases += end.cases;
    tally.examined += end.examined;
    if (end.crash) tally.crashes.push(end.crash);
    onBatch?.(end);
  });
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(watch);
      tally.ms = performance.now() - started;
      const how = hangs
        ? `hangs: it said nothing for ${hangMs / 1_000} s`
        : `ended with ${signal ?? `code ${code}`}`;
      if (hangs || code !== 0)
        tally.crashes.push({
          seed: at.seed,
          error: `the process ${how}\n${words}`,
          input: `among the first ${at.runs} of the seed`,
        });
      resolve(tally);
    });
  });
}

/**
 * Does all jobs, so many at a time.
 *
 * @param {readonly Job[]} jobs
 * @param {number} width
 * @param {(job: Job, tally: Tally) => void} onEnd
 */
export async function workAll(jobs, width, onEnd) {
  const waiting = [...jobs];
  const one = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) onEnd(job, await work(job));
  };
  await Promise.all(Array.from({ length: width }, one));
}
