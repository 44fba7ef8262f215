// @ts-check
import { startBarePyodide, stockSnapshot } from './support/bare-pyodide.mjs';
import { run, withServer } from './support/bench-server.mjs';
import { interleave, percentile } from './support/measure.mjs';

const ROUNDS = 9;
const INITIALIZE_BAR_MS = 400;
const FIRST_RUN_EXTRA_MS = 350;

/** How long from the start of the server's process to its first answers. @returns {Promise<import('./support/measure.mjs').Result>} */
export async function bench() {
  const snapshot = stockSnapshot();
  /** @type {number[]} */
  const initialize = [];
  const server = () =>
    withServer({}, async (process) => {
      initialize.push(process.startMs);
      const started = performance.now();
      await run(process, '1+1');
      return process.startMs + performance.now() - started;
    });
  const stock = async () => {
    const bare = await startBarePyodide({ snapshot });
    await bare.close();
    return bare.readyMs;
  };
  const workerAlone = () =>
    withServer({ sandbox: { pool: 0 } }, async (process) => (await run(process, '1+1')).ms);
  await server(); // fills the caches: prepared interpreter, compiled code
  await stock();
  initialize.length = 0;
  const samples = await interleave(ROUNDS, { server, workerAlone, stock });
  const first = percentile(samples.server, 0.5);
  const worker = percentile(samples.workerAlone, 0.5);
  const initializeP50 = percentile(initialize, 0.5);
  return {
    title: 'start',
    notes: [
      `${ROUNDS} starts of each kind in turn, after one of each that is not counted; p50. Start to first answer includes Node.`,
    ],
    rows: [
      {
        name: 'process start to initialize answered',
        value: initializeP50,
        unit: 'ms',
        bar: `<= ${INITIALIZE_BAR_MS} ms`,
        held: initializeP50 <= INITIALIZE_BAR_MS,
      },
      {
        name: 'process start to first execute_code answered',
        value: first,
        unit: 'ms',
        baseline: percentile(samples.stock, 0.5),
        against: 'stock Pyodide ready',
        bar: `<= a worker (${worker.toFixed(0)} ms) + ${FIRST_RUN_EXTRA_MS} ms`,
        held: first <= worker + FIRST_RUN_EXTRA_MS,
      },
    ],
    data: { initialize, ...samples },
  };
}
