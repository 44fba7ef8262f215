// @ts-check
import { poolFull, run, withServer } from './support/bench-server.mjs';
import { latencyRows } from './support/measure.mjs';

const FRESH_RUNS = 60;
const SESSION_RUNS = 1_000;
const WARM_UP = 20;

/**
 * `1+1` through MCP stdio.
 * @param {{ backend?: string | undefined }} options
 * @returns {Promise<import('./support/measure.mjs').Result>}
 */
export async function bench({ backend }) {
  return withServer({ backend }, async (server) => {
    const fresh = await samples(FRESH_RUNS, async () => {
      await poolFull(server);
      return (await run(server, '1+1')).ms;
    });
    await poolFull(server);
    const session = await samples(
      SESSION_RUNS,
      async () => (await run(server, '1+1', { session: 'bench' })).ms,
    );
    return {
      title: 'latency of 1+1 through MCP stdio',
      notes: [
        `Warm-up: ${WARM_UP} runs of each kind. A fresh run is measured when the pool is full and nothing is starting.`,
      ],
      rows: [...latencyRows('fresh run, spare ready', fresh, 15), ...latencyRows('session run', session, 5)],
      data: { fresh, session },
    };
  });
}

/**
 * @param {number} count
 * @param {() => Promise<number>} task
 */
async function samples(count, task) {
  for (let i = 0; i < WARM_UP; i++) await task();
  const list = [];
  for (let i = 0; i < count; i++) list.push(await task());
  return list;
}
