// @ts-check
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('./mock-server.mjs', import.meta.url));
/** A tool that never answers must not take a case longer than its run may take. */
const TOOL_TIMEOUT_MS = 4_000;

/** @typedef {{ server: string, tool: string, args: unknown }} ReachedCall */

/**
 * The tools of a case as entries of the product's configuration, one real MCP server each.
 * @param {Record<string, any>[]} tools
 * @param {string} folder for their files.
 * @param {string} session for whom they are.
 * @returns {Record<string, unknown>}
 */
export function serverEntries(tools, folder, session) {
  return Object.fromEntries(
    serversOf(tools).map((server, index) => {
      const own = tools.filter((tool) => tool.server === server);
      const file = path.join(folder, `tools-${index}.json`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, JSON.stringify(own));
      const named = (/** @type {(tool: Record<string, any>) => boolean} */ is) =>
        own.filter(is).map((tool) => tool.name);
      const entry = {
        command: process.execPath,
        args: [SERVER, file, logOf(folder, index), session],
        timeout: TOOL_TIMEOUT_MS,
        tools: {
          deny: named((tool) => tool.allowed === false),
          ask: named((tool) => tool.needsApproval === true),
        },
        privacy: {
          ...(own.some((tool) => tool.pii === true) ? { mode: 'strict' } : {}),
          restore: {
            allow: named((tool) => tool.mayReceivePii === true),
            deny: named((tool) => tool.mayReceivePii === false),
          },
        },
      };
      return [server, entry];
    }),
  );
}

/**
 * Every call that reached a tool.
 * @param {Record<string, any>[]} tools
 * @param {string} folder
 * @returns {ReachedCall[]}
 */
export function reachedCalls(tools, folder) {
  return serversOf(tools).flatMap((server, index) => {
    const file = logOf(folder, index);
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ server, ...JSON.parse(line) }));
  });
}

/** @param {Record<string, any>[]} tools @returns {string[]} */
function serversOf(tools) {
  return [...new Set(tools.map((tool) => String(tool.server)))];
}

/** @param {string} folder @param {number} index */
function logOf(folder, index) {
  return path.join(folder, `calls-${index}.jsonl`);
}
