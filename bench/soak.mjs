#!/usr/bin/env node
// @ts-check
/** `npm run soak -- --minutes N [--backend B] [--sessions N] [--hostile PERCENT] [--json OUT]`: see USAGE. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.mjs';
import { ensureInstalled } from '../scripts/ensure-installed.mjs';

const USAGE = `usage: npm run soak -- --minutes N [--backend wasm|native] [--sessions 20] [--hostile 30] [--json OUT]
  Sessions that come and go, some of them hostile, for N minutes; Linux. Ends with code 1 if after a warm-up (a sixth of the
  time) of at least 30 minutes memory grows by 5 MB/h or more, or if processes or open files are left when all sessions are gone.`;
const BAR_MB_PER_HOUR = 5;
const MIN_MINUTES_FOR_SLOPE = 30;
const SAMPLE_MS = 5_000;
/** A session is closed when nobody used it for 10 s, the least there is; it is looked for as often. */
const IDLE_SECONDS = 10;
/** Jails of the native backend stay for up to two minutes after their last run. */
const DRAIN_MS = 180_000;
const MIN_MINUTES = 5;
const TURNS_OF_A_SESSION = { benign: 20, hostile: 4 };
const THINK_MS = 500;
const STRETCH_HOURS = 1 / 60;
/** Sockets that Node keeps a moment after their end. */
const SPARE_FILES = 4;
const MB = 1e6;

const values = parseCommandLine();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const minutes = positive('minutes', values.minutes);
if (minutes < MIN_MINUTES) usage(`--minutes: at least ${MIN_MINUTES}, or there is no slope`);
const sessions = positive('sessions', values.sessions ?? '20');
const hostilePercent = positive('hostile', values.hostile ?? '30');
if (process.platform !== 'linux') usage('processes are read from /proc: Linux only');
await ensureInstalled();
if (!build()) process.exit(1);
const { startServer } = await import('../scripts/support/server-process.mjs');
const { runLoad } = await import('./support/load-run.mjs');
const { usageOf } = await import('./support/server-usage.mjs');
const { leastOf, slopeOf } = await import('./support/slope.mjs');
const { percentile } = await import('./support/measure.mjs');

const scratch = mkdtempSync(path.join(tmpdir(), 'code-execution-mcp-soak-'));
const report = path.join(scratch, 'heap');
const preload = new URL('./support/heap-reporter.mjs', import.meta.url).href;
const server = await startServer({
  config: { sandbox: { maxSessions: 100, sessionIdleSeconds: IDLE_SECONDS }, logLevel: 'error' },
  args: values.backend ? ['--backend', values.backend] : [],
  env: { NODE_OPTIONS: `--import=${preload}`, HEAP_REPORT: report },
});
try {
  process.exitCode = (await soak()) ? 0 : 1;
} finally {
  await server.close();
  rmSync(scratch, { recursive: true, force: true });
}

async function soak() {
  await server.call('execute_code', { code: '1 + 1' });
  await poolIsIdle();
  const before = sample();
  /** @type {ReturnType<typeof sample>[]} */
  const samples = [];
  const started = Date.now();
  console.log('minutes  resident MB  open files  processes  disk MB  files  workspaces');
  const timer = setInterval(() => {
    const one = sample();
    samples.push(one);
    if (samples.length % Math.max(1, Math.round((minutes * 60_000) / SAMPLE_MS / 40)) === 0)
      print(one, started);
  }, SAMPLE_MS);
  const result = await runLoad(server, {
    sessions,
    hostilePercent,
    seconds: minutes * 60,
    thinkMs: THINK_MS,
    fresh: false,
    sessionName: (lane, turn, isHostile) =>
      `${lane}-${Math.floor(turn / (isHostile ? TURNS_OF_A_SESSION.hostile : TURNS_OF_A_SESSION.benign))}`,
  }).finally(() => clearInterval(timer));
  const after = await drained(before);
  print(after, started);

  const warm = started + (minutes * 60_000) / 6;
  const hours = (/** @type {number} */ at) => (at - started) / 3_600_000;
  const resident = samples
    .filter(({ at }) => at >= warm)
    .map(({ at, residentBytes }) => ({ hours: hours(at), value: residentBytes / MB }));
  const live = heapReport()
    .filter(({ at }) => at >= warm && at <= started + minutes * 60_000)
    .map(({ at, bytes }) => ({ hours: hours(at), value: bytes / MB }));
  const slopes = {
    resident: slopeOf(leastOf(resident, STRETCH_HOURS)),
    live: slopeOf(leastOf(live, STRETCH_HOURS)),
  };
  const at = (/** @type {number} */ share) => Math.round(percentile(result.benignMs, share));
  console.log(
    `\nbenign answers: ${result.right} of ${result.benignMs.length} right, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms; busy: ${result.busy}`,
  );
  for (const wrong of result.wrong) console.log(`wrong: ${wrong}`);
  console.log(`hostile answers: ${JSON.stringify(result.hostile)}`);
  console.log(`load of the machine at the end: ${loadavg()[0]?.toFixed(1)}`);
  for (const [name, { perHour, error }] of Object.entries(slopes))
    console.log(
      `${name} memory, least of each minute after ${(minutes / 6).toFixed(0)} min: ${perHour.toFixed(1)} MB/h (standard error ${error.toFixed(1)})`,
    );
  const failures = [
    ...(result.right === result.benignMs.length ? [] : ['benign answers were wrong']),
    ...(after.processes <= before.processes
      ? []
      : [`${after.processes - before.processes} processes are left`]),
    ...(after.openFiles <= before.openFiles + SPARE_FILES
      ? []
      : [`${after.openFiles - before.openFiles} files are still open`]),
    ...(minutes < MIN_MINUTES_FOR_SLOPE
      ? []
      : Object.entries(slopes)
          // Resident memory jumps by pages that the allocator keeps: what the error explains is no slope.
          .filter(([, { perHour, error }]) => perHour - 2 * error >= BAR_MB_PER_HOUR)
          .map(([name, { perHour }]) => `${name} memory grows by ${perHour.toFixed(1)} MB/h`)),
  ];
  if (minutes < MIN_MINUTES_FOR_SLOPE)
    console.log(`slopes are not judged: that takes ${MIN_MINUTES_FOR_SLOPE} minutes`);
  if (values.json)
    writeFileSync(
      values.json,
      `${JSON.stringify({ minutes, sessions, hostilePercent, slopes, before, after, samples, live, hostile: result.hostile }, null, 2)}\n`,
    );
  console.log(failures.length === 0 ? 'held' : `failed: ${failures.join('; ')}`);
  return failures.length === 0;
}

/**
 * The state when no more is there than before, or when it has had its time.
 * @param {ReturnType<typeof sample>} before
 */
async function drained(before) {
  const deadline = Date.now() + DRAIN_MS;
  for (;;) {
    const now = sample();
    const isDrained = now.processes <= before.processes && now.openFiles <= before.openFiles + SPARE_FILES;
    if (isDrained || Date.now() > deadline) return now;
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
}

function sample() {
  const workspaces = path.join(server.dataDir, 'workspaces');
  return { at: Date.now(), ...usageOf(server), workspaces: countOf(workspaces) };
}

/** @param {string} folder */
function countOf(folder) {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

/**
 * @param {ReturnType<typeof sample>} one
 * @param {number} started
 */
function print(one, started) {
  const cells = [
    ((one.at - started) / 60_000).toFixed(1).padStart(7),
    (one.residentBytes / MB).toFixed(1).padStart(11),
    String(one.openFiles).padStart(10),
    String(one.processes).padStart(9),
    (one.diskBytes / MB).toFixed(1).padStart(7),
    String(one.files).padStart(5),
    String(one.workspaces).padStart(10),
  ];
  console.log(cells.join('  '));
}

/** @returns {{ at: number, bytes: number }[]} */
function heapReport() {
  return readFileSync(report, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Waits until spares are ready and nothing else is there. */
async function poolIsIdle() {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { data } = await server.call('get_execution_stats');
    const { ready, starting, active, target } =
      /** @type {{ ready: number, starting: number, active: number, target: number }} */ (data.pool);
    if (ready >= target && starting === 0 && active === 0) return;
    if (Date.now() > deadline) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function parseCommandLine() {
  try {
    return parseArgs({
      options: {
        minutes: { type: 'string' },
        backend: { type: 'string' },
        sessions: { type: 'string' },
        hostile: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {string} name
 * @param {string | undefined} text
 */
function positive(name, text) {
  const number = Number(text);
  return text !== undefined && number > 0 ? number : usage(`--${name} needs a number above 0`);
}

/**
 * @param {string} problem
 * @returns {never}
 */
function usage(problem) {
  console.error(`failed: ${problem}\n${USAGE}`);
  process.exit(2);
}
