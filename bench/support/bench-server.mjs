// @ts-check
import { startServer } from '../../scripts/support/server-process.mjs';

/** @typedef {import('../../scripts/support/server-process.mjs').ServerProcess} ServerProcess */
/** @typedef {import('../../scripts/support/server-process.mjs').Answer} Answer */

const POOL_POLL_MS = 20;
const POOL_TIMEOUT_MS = 60_000;

/**
 * A server for a bench: started, used by the task, ended. Not `auto`, so that a figure is of the same backend everywhere.
 * @template T
 * @param {{ sandbox?: Record<string, unknown>, backend?: string | undefined }} options
 * @param {(server: ServerProcess) => Promise<T>} task
 * @returns {Promise<T>}
 */
export async function withServer({ sandbox = {}, backend = 'wasm' }, task) {
  const server = await startServer({
    config: { sandbox, logLevel: 'warn' },
    args: ['--backend', backend],
  });
  try {
    return await task(server);
  } finally {
    await server.close();
  }
}

/**
 * Runs code and gives the answer; a failing run ends the bench.
 * @param {ServerProcess} server
 * @param {string} code
 * @param {Record<string, unknown>} [args]
 * @returns {Promise<Answer>}
 */
export async function run(server, code, args = {}) {
  const answer = await server.call('execute_code', { code, ...args });
  if (answer.isError) throw new Error(`a run of the bench failed:\n${answer.text}`);
  return answer;
}

/**
 * Waits until the pool is full and nothing is being started, so that a measured run has a spare and the machine to itself.
 * @param {ServerProcess} server
 */
export async function poolFull(server) {
  const deadline = Date.now() + POOL_TIMEOUT_MS;
  for (;;) {
    const { data } = await server.call('get_execution_stats');
    const pool = /** @type {{ ready: number, starting: number, target: number }} */ (data.pool);
    if (pool.ready >= pool.target && pool.starting === 0) return;
    if (Date.now() > deadline) throw new Error(`the pool did not fill: ${JSON.stringify(pool)}`);
    await new Promise((resolve) => setTimeout(resolve, POOL_POLL_MS));
  }
}
