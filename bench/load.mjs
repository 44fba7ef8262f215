// @ts-check
import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import { descendants, isAlive } from '../scripts/support/processes.mjs';
import { startServer } from '../scripts/support/server-process.mjs';
import { openSessions, runLoad } from './support/load-run.mjs';
import { percentile } from './support/measure.mjs';
import { residentBytes, usageOf } from './support/server-usage.mjs';

/** @typedef {import('./support/measure.mjs').Row} Row */
/** @typedef {import('./support/load-run.mjs').LoadResult} LoadResult */

const DEFAULT = { sessions: [20], hostile: [0, 40], seconds: 20, thinkMs: 100 };
/** After the end of a load everything that does not belong to an open session or to the pool has to be gone by then. */
const SETTLE_MS = 2_000;
const SAMPLE_MS = 1_000;
const MIB = 1024 * 1024;
const P95_BAR = 3;

/**
 * @typedef {object} LoadBenchOptions
 * @property {string} [backend]
 * @property {number[]} [sessions] At the same time.
 * @property {number[]} [hostile] Percent of the sessions.
 * @property {number} [seconds] Of each load.
 * @property {number} [thinkMs] Mean pause of a benign session between an answer and its next call.
 * @property {boolean} [fresh] Without session names: each call in a fresh interpreter.
 * @property {string[]} [kinds] Of hostile programs.
 */

/**
 * Benign sessions beside hostile ones, against the same number of sessions without hostile ones. Each load has a server of its own.
 * @param {LoadBenchOptions} options
 * @returns {Promise<import('./support/measure.mjs').Result>}
 */
export async function bench(options) {
  if (process.platform !== 'linux') throw new Error('processes are read from /proc: run this bench on Linux');
  const { sessions = DEFAULT.sessions, hostile = DEFAULT.hostile } = options;
  /** @type {Row[]} */
  const rows = [];
  const data = [];
  for (const count of sessions) {
    /** @type {number | undefined} */
    let baseline;
    // First without: the others are told by it.
    for (const percent of [...new Set([0, ...hostile])].sort((a, b) => a - b)) {
      const load = await measure(count, percent, options);
      console.error(`bench: ${count} sessions, ${percent} % hostile: ${JSON.stringify(summary(load))}`);
      const p95 = percentile(load.result.benignMs, 0.95);
      baseline ??= p95;
      rows.push(...rowsOf(count, percent, load, baseline));
      data.push({ sessions: count, hostilePercent: percent, ...summary(load) });
    }
  }
  const { seconds = DEFAULT.seconds, thinkMs = DEFAULT.thinkMs, backend = 'auto' } = options;
  return {
    title: `load with hostile neighbours, backend ${backend}, ${options.fresh ? 'fresh runs' : 'named sessions'}`,
    notes: [
      `${seconds} s each, after all sessions are open. A benign session waits ${thinkMs} ms on average between an answer and its next call, a hostile one 20 ms.`,
      'Benign: arithmetic, JSON, a file, state. Hostile, in turn: endless loops (limit 30 s), memory, output, crashes, processes.',
    ],
    rows,
    data,
  };
}

/** @typedef {Awaited<ReturnType<typeof measure>>} Measured */

/**
 * @param {number} sessions
 * @param {number} hostilePercent
 * @param {LoadBenchOptions} options
 */
async function measure(sessions, hostilePercent, options) {
  const { seconds = DEFAULT.seconds, thinkMs = DEFAULT.thinkMs, fresh = false, backend, kinds } = options;
  const server = await startServer({
    config: { sandbox: { maxSessions: Math.max(1, sessions) }, logLevel: 'error' },
    args: backend ? ['--backend', backend] : [],
  });
  try {
    await openSessions(server, fresh ? 1 : sessions);
    const before = usageOf(server);
    let worst = before.residentBytes;
    const sampler = setInterval(() => {
      if (existsSync(`/proc/${server.pid}`)) worst = Math.max(worst, residentBytes(server.pid));
    }, SAMPLE_MS);
    const result = await runLoad(server, {
      sessions,
      hostilePercent,
      seconds,
      thinkMs,
      fresh,
      ...(kinds ? { kinds } : {}),
    }).finally(() => clearInterval(sampler));
    const loadAverage = loadavg()[0] ?? 0;
    await sleep(SETTLE_MS);
    // Answers only if it is the same process: this transport starts none a second time.
    const { data } = await server.call('get_execution_stats');
    const pool = /** @type {{ ready: number, starting: number, active: number }} */ (data.pool);
    const after = usageOf(server);
    const workers = pool.ready + pool.starting + pool.active;
    const unexpected = Math.max(0, after.processes - workers * processesOfWorker(server.pid));
    const all = descendants(server.pid).map(({ pid }) => pid);
    await server.close();
    await sleep(SETTLE_MS);
    const left = all.filter(isAlive).length;
    return { result, before, after, worst, loadAverage, leftOvers: unexpected + left };
  } catch (error) {
    // What is left to do when the server is gone is to say so: its calls reject.
    await server.close().catch(() => {});
    throw new Error(`the server was lost under load: ${error}\nits standard error:\n${server.stderr()}`);
  }
}

/**
 * bubblewrap and what runs inside: Deno; or the parent and its one child.
 * @param {number} server
 */
function processesOfWorker(server) {
  const commands = descendants(server).map(({ command }) => command);
  return commands.some((command) => command.startsWith('deno')) ? 2 : 3;
}

/**
 * @param {number} sessions
 * @param {number} percent
 * @param {Measured} load
 * @param {number} baseline p95 without hostile sessions.
 * @returns {Row[]}
 */
function rowsOf(sessions, percent, load, baseline) {
  const name = `${sessions} sessions, ${percent} % hostile`;
  const { result, before, after, worst, leftOvers, loadAverage } = load;
  const share = (100 * result.right) / result.benignMs.length;
  const p95 = percentile(result.benignMs, 0.95);
  const against = percent === 0 ? {} : { baseline, against: 'without hostile' };
  const p95Bar = percent === 0 ? {} : { bar: `<= ${P95_BAR} x`, held: p95 <= P95_BAR * baseline };
  /** @type {(label: string, value: number, unit: string) => Row} */
  const row = (label, value, unit) => ({ name: `${name}: ${label}`, value, unit });
  return [
    {
      ...row(`benign right, of ${result.benignMs.length}`, share, '%'),
      bar: '100 %',
      held: result.right === result.benignMs.length,
    },
    row('p50', percentile(result.benignMs, 0.5), 'ms'),
    { ...row('p95', p95, 'ms'), ...against, ...p95Bar },
    row('p99', percentile(result.benignMs, 0.99), 'ms'),
    row('benign answers', result.benignMs.length / result.seconds, '/s'),
    row('answered busy', result.busy, ''),
    { ...row('left-over processes', leftOvers, ''), bar: '0', held: leftOvers === 0 },
    row('open files, change', after.openFiles - before.openFiles, ''),
    row('disk, change', (after.diskBytes - before.diskBytes) / MIB, 'MiB'),
    row('server memory, change', (after.residentBytes - before.residentBytes) / MIB, 'MiB'),
    row('server memory, worst', worst / MIB, 'MiB'),
    row('load of the machine', loadAverage, ''),
  ];
}

/** @param {Measured} load */
function summary({ result, before, after, worst, leftOvers, loadAverage }) {
  const { benignMs, right, busy, hostile, wrong, seconds } = result;
  const at = (/** @type {number} */ share) => Math.round(percentile(benignMs, share));
  return {
    benign: benignMs.length,
    right,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    worst: at(1),
    seconds,
    busy,
    hostile,
    wrong,
    leftOvers,
    before,
    after,
    worstResidentBytes: worst,
    loadAverage,
  };
}

/** @param {number} ms */
function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
