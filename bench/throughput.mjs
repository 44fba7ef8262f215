// @ts-check
import { run, withServer } from './support/bench-server.mjs';

const SECONDS = 12;
const LANES = 4;

/**
 * Runs per second over a while, refilling the pool included.
 * @param {{ backend?: string | undefined }} options
 * @returns {Promise<import('./support/measure.mjs').Result>}
 */
export async function bench({ backend }) {
  return withServer({ backend }, async (server) => {
    const fresh = () => run(server, '1+1');
    await rate(1, 2, fresh);
    const one = await rate(1, SECONDS, fresh);
    const four = await rate(LANES, SECONDS, fresh);
    const session = await rate(1, SECONDS / 4, () => run(server, '1+1', { session: 'bench' }));
    return {
      title: 'throughput of 1+1 through MCP stdio',
      notes: [
        `Back to back for ${SECONDS} s (sessions ${SECONDS / 4} s) after 2 s of warm-up; a fresh run uses up a worker.`,
      ],
      rows: [
        { name: 'fresh runs, one after the other', value: one, unit: 'runs/s' },
        {
          name: `fresh runs, ${LANES} at a time`,
          value: four,
          unit: 'runs/s',
          baseline: one,
          against: 'one at a time',
        },
        { name: 'session runs, one after the other', value: session, unit: 'runs/s' },
      ],
    };
  });
}

/**
 * @param {number} lanes
 * @param {number} seconds
 * @param {() => Promise<unknown>} task
 */
async function rate(lanes, seconds, task) {
  const started = performance.now();
  const end = started + seconds * 1000;
  let count = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (performance.now() < end) {
        await task();
        count += 1;
      }
    }),
  );
  return (count * 1000) / (performance.now() - started);
}
