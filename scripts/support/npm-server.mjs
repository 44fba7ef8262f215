// @ts-check
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/**
 * The entry of `mcpServers` that starts an installed package's MCP server with the Node that runs this: nothing is downloaded.
 * @param {string} name Name of the package; it must have one bin.
 * @param {string[]} [args]
 * @param {Record<string, string>} [env]
 * @returns {{ command: string, args: string[], env: Record<string, string> }}
 */
export function npmServer(name, args = [], env = {}) {
  const manifest = require.resolve(`${name}/package.json`);
  const [file] = Object.values(/** @type {{ bin: Record<string, string> }} */ (require(manifest)).bin);
  if (file === undefined) throw new Error(`the package ${name} has no bin`);
  return { command: process.execPath, args: [path.join(path.dirname(manifest), file), ...args], env };
}
