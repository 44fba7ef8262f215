// @ts-check
import { startServer } from '../../scripts/support/server-process.mjs';

/** @typedef {import('../../scripts/support/server-process.mjs').Answer} Answer */
/** @typedef {Awaited<ReturnType<typeof startLane>>} Lane */

const MAX_READ_BYTES = 100_000;
/** Run limit of the server, and how much later an answer counts as none. */
const DEFAULT_SECONDS = 30;
const GRACE_SECONDS = 30;
const EMPTY_WORKSPACE = `
import os, shutil
for name in os.listdir("."):
    shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
os.listdir(".")
`;

/**
 * A server with a workspace of its own, emptied between cases. A call rejects if the server does not answer it.
 * @param {string} [backend]
 */
export async function startLane(backend) {
  const start = () => startServer({ config: { logLevel: 'error' }, args: ['--backend', backend ?? 'wasm'] });
  let server = await start();
  let clean = true;
  return {
    /** A new server, after one that died or went out of step. */
    async restart() {
      await server.close().catch(() => {});
      server = await start();
      clean = true;
    },
    /**
     * Puts files into the empty workspace.
     * @param {Record<string, string>} files Text, or base64 with `encoding`.
     * @param {'utf-8' | 'base64'} encoding
     */
    async write(files, encoding) {
      for (const [filename, content] of Object.entries(files)) {
        clean = false;
        const answer = await server.call('write_workspace_file', { filename, content, encoding });
        if (answer.isError) throw new Error(`writing ${filename}: ${answer.text}`);
      }
    },
    /**
     * @param {Record<string, unknown>} args
     * @returns {Promise<Answer>}
     */
    async execute(args) {
      const timeout = (Number(args.timeout_seconds ?? DEFAULT_SECONDS) + GRACE_SECONDS) * 1000;
      const answer = await server.call('execute_code', args, { timeout });
      const changed = answer.data.files_changed;
      if (answer.isError || answer.data.truncated || (Array.isArray(changed) && changed.length > 0))
        clean = false;
      return answer;
    },
    /**
     * The whole text of a workspace file, read as bytes.
     * @param {string} filename
     */
    async read(filename) {
      /** @type {Buffer[]} */
      const parts = [];
      for (let offset = /** @type {number | undefined} */ (0); offset !== undefined; ) {
        const args = { filename, offset, limit: MAX_READ_BYTES, encoding: 'base64' };
        const part = await server.call('read_workspace_file', args);
        if (part.isError) throw new Error(`reading ${filename}: ${part.text}`);
        parts.push(Buffer.from(String(part.data.content), 'base64'));
        offset = /** @type {number | undefined} */ (part.data.next_offset);
      }
      return Buffer.concat(parts).toString('utf8');
    },
    async empty() {
      if (clean) return;
      const answer = await server.call('execute_code', { code: EMPTY_WORKSPACE, session: 'cleaner' });
      if (JSON.stringify(answer.data.result) !== '[]')
        throw new Error(`the workspace was not emptied: ${answer.text}`);
      clean = true;
    },
    close: () => server.close(),
  };
}
