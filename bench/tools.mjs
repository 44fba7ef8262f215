// @ts-check
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { manyServers } from './support/many-servers.mjs';
import { latencyRows, median } from './support/measure.mjs';
import { inProcessStub, stdioStub, withToolRunner } from './support/tool-runner.mjs';

/** @typedef {import('./support/measure.mjs').Row} Row */

const CALLS = 1_000;
const CALL_BAR_MS = 0.5;
const SLOW_MS = 300;
const PARALLEL = 8;
const PARALLEL_BAR = 1.3;
const SIZES_MB = [9, 40];
const LARGE_ROUNDS = 3;
const LARGE_BAR = 6;
const BLOCKED_BAR_MS = 50;

/** Calls of downstream tools from Python. @returns {Promise<import('./support/measure.mjs').Result>} */
export async function bench() {
  const stub = await roundTrips('stub in this process', CALL_BAR_MS);
  const stdio = await stdioCalls();
  const many = await manyServers();
  return {
    title: 'downstream tools',
    notes: [
      `Round trip: from one call's arrival at the stub to the next one's, ${CALLS} calls in one run; Python, sandbox, gate, catalogue and back.`,
      `Blocked: longest delay of the event loop that serves everything (the processor's other work included), against an idle one.`,
    ],
    rows: [...stub.rows, ...stdio.rows, ...many.rows],
    data: { stub: stub.data, stdio: stdio.data, many: many.data },
  };
}

/**
 * @param {string} name
 * @param {number} bar
 * @returns {Promise<{ rows: Row[], data: object }>}
 */
async function roundTrips(name, bar) {
  /** @type {number[]} */
  const arrivals = [];
  const connect = () => inProcessStub(() => arrivals.push(performance.now()), SLOW_MS);
  return withToolRunner(connect, async (run) => {
    await run('for i in range(200): tools.stub.echo(n=i)');
    arrivals.length = 0;
    await run(`for i in range(${CALLS + 1}): tools.stub.echo(n=i)`);
    const calls = gaps(arrivals);
    const [one, all] = /** @type {[number, number]} */ (
      await run(`
import time
started = time.perf_counter()
tools.stub.slow(n=0)
one = time.perf_counter() - started
started = time.perf_counter()
tools.gather([tools.stub.slow.later(n=i) for i in range(${PARALLEL})])
[one * 1000, (time.perf_counter() - started) * 1000]`)
    );
    return {
      rows: [
        ...latencyRows(`call, ${name}`, calls, bar),
        {
          name: `${PARALLEL} calls of ${SLOW_MS} ms in parallel`,
          value: all,
          unit: 'ms',
          baseline: one,
          against: 'one',
          bar: `<= ${PARALLEL_BAR} x`,
          held: all <= PARALLEL_BAR * one,
        },
      ],
      data: { calls, one, all },
    };
  });
}

/** @returns {Promise<{ rows: Row[], data: object }>} */
async function stdioCalls() {
  return withToolRunner(stdioStub, async (run) => {
    await run('for i in range(50): tools.stub.echo(n=i)');
    const calls = /** @type {number[]} */ (
      await run(`
import time
times = []
for i in range(${CALLS}):
    started = time.perf_counter()
    tools.stub.echo(n=i)
    times.append((time.perf_counter() - started) * 1000)
times`)
    );
    const idle = await blockedBy(() => new Promise((resolve) => setTimeout(resolve, 2_000)));
    /** @type {Map<number, { ms: number[], blocked: number[] }>} */
    const large = new Map();
    for (const mb of SIZES_MB) {
      const code = `rows = tools.stub.rows(n=${mb})["rows"]\nlen(rows)`;
      await run(code);
      const samples = { ms: /** @type {number[]} */ ([]), blocked: /** @type {number[]} */ ([]) };
      for (let round = 0; round < LARGE_ROUNDS; round++) {
        const started = performance.now();
        samples.blocked.push(await blockedBy(() => run(code)));
        samples.ms.push(performance.now() - started);
      }
      large.set(mb, samples);
    }
    const [small, big] = SIZES_MB.map((mb) => large.get(mb) ?? { ms: [], blocked: [] });
    if (!small || !big) throw new Error('two sizes are needed');
    const blocked = Math.min(...big.blocked);
    return {
      rows: [
        ...latencyRows('call, server over stdio', calls),
        { name: `${SIZES_MB[0]} MB result over stdio into Python`, value: median(small.ms), unit: 'ms' },
        {
          name: `${SIZES_MB[1]} MB result over stdio into Python`,
          value: median(big.ms),
          unit: 'ms',
          baseline: median(small.ms),
          against: `${SIZES_MB[0]} MB`,
          bar: `<= ${LARGE_BAR} x`,
          held: median(big.ms) <= LARGE_BAR * median(small.ms),
        },
        {
          name: `event loop blocked by ${SIZES_MB[1]} MB, least of ${LARGE_ROUNDS}`,
          value: blocked,
          unit: 'ms',
          baseline: idle,
          against: 'idle',
          bar: `<= ${BLOCKED_BAR_MS} ms`,
          held: blocked <= BLOCKED_BAR_MS,
        },
      ],
      data: { calls, idle, large: Object.fromEntries(large) },
    };
  });
}

/** @param {number[]} times */
function gaps(times) {
  return times.slice(1).map((time, index) => time - (times[index] ?? time));
}

/**
 * The longest delay of this process's event loop during a task.
 * @param {() => Promise<unknown>} task
 * @returns {Promise<number>} Milliseconds.
 */
async function blockedBy(task) {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  await task();
  histogram.disable();
  return histogram.max / 1e6;
}
