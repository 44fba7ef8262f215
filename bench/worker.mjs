// @ts-check
import { startBarePyodide, stockSnapshot } from './support/bare-pyodide.mjs';
import { run, withServer } from './support/bench-server.mjs';
import { interleave, percentile } from './support/measure.mjs';

const PAIRS = 11;
const RATIO_BAR = 0.65;

/**
 * A worker from nothing to its first answer, against the stock Pyodide loader with its own snapshot in the same Deno.
 * Without a pool every fresh run starts its worker, so a run's time through MCP is the worker's start, the run and the
 * way there and back: more than the start alone, never less.
 * @returns {Promise<import('./support/measure.mjs').Result>}
 */
export async function bench() {
  const snapshot = stockSnapshot();
  return withServer({ sandbox: { pool: 0 } }, async (server) => {
    const ours = async () => (await run(server, '1+1')).ms;
    const stock = async () => {
      const bare = await startBarePyodide({ snapshot });
      await bare.close();
      return bare.readyMs;
    };
    await ours();
    await stock();
    const samples = await interleave(PAIRS, { ours, stock });
    const value = percentile(samples.ours, 0.5);
    const baseline = percentile(samples.stock, 0.5);
    return {
      title: 'worker',
      notes: [`${PAIRS} pairs in turn after one that is not counted; p50; time to the answer of 1+1.`],
      rows: [
        {
          name: 'worker started, 1+1 answered',
          value,
          unit: 'ms',
          baseline,
          against: 'stock Pyodide, its snapshot',
          bar: `<= ${RATIO_BAR} x`,
          held: value <= RATIO_BAR * baseline,
        },
      ],
      data: samples,
    };
  });
}
