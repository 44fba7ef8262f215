// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ToolCatalog } from '../../dist/catalog/tool-catalog.js';
import { hostEnvironment, loadConfig } from '../../dist/config/load.js';
import { NO_SERVER_PRIVACY } from '../../dist/core/pii.js';
import { NO_RULES } from '../../dist/core/policy.js';
import { DownstreamServers } from '../../dist/downstream/downstream-servers.js';
import { WasmSandbox } from '../../dist/sandbox/wasm/wasm-sandbox.js';
import { DownstreamAccess } from '../../dist/session/downstream-access.js';
import { Sessions } from '../../dist/session/sessions.js';
import { Workspaces } from '../../dist/workspace/workspaces.js';

/** @typedef {import('../../dist/downstream/downstream.js').Downstream} Downstream */

export const STUB_SERVER = fileURLToPath(new URL('./stub-server.mjs', import.meta.url));
const MIB = 1024 * 1024;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Downstream servers without a protocol: the tools `echo` and `slow` answer in this process.
 * @param {(tool: string) => void} onCall
 * @param {number} slowMs
 * @returns {Downstream}
 */
export function inProcessStub(onCall, slowMs) {
  const source = { server: 'stub', kind: /** @type {const} */ ('server'), category: 'stub' };
  const inputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const tools = ['echo', 'slow'].map((name) => ({ name, inputSchema }));
  return {
    servers: ['stub'],
    discover: async () => [],
    onTools: (listener) => listener({ source, tools }),
    async call(_server, tool, args) {
      onCall(tool);
      if (tool === 'slow') await new Promise((resolve) => setTimeout(resolve, slowMs));
      return { isError: false, structured: { n: args.n }, content: [] };
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/**
 * The stub server over stdio, as the product connects to it.
 * @param {string} folder For the cache of definitions.
 * @returns {Downstream}
 */
export function stdioStub(folder) {
  const launch = {
    kind: /** @type {const} */ ('stdio'),
    command: process.execPath,
    args: [STUB_SERVER],
    env: {},
    cwd: tmpdir(),
    protocol: /** @type {const} */ ('legacy'),
  };
  const server = {
    name: 'stub',
    category: 'stub',
    launch,
    timeoutMs: 60_000,
    rules: NO_RULES,
    privacy: NO_SERVER_PRIVACY,
  };
  return new DownstreamServers({
    servers: [{ ...server, fingerprint: '', secrets: [] }],
    cacheFolder: path.join(folder, 'definitions'),
    log: silent,
    version: '0.0.0',
  });
}

/**
 * Runs code in this process with the product's sandbox, sessions, catalogue and policy, over the given servers: what lies
 * between the agent's client and us is left out, what lies below can be a stub. Budgets allow a bench's many calls.
 * @template T
 * @param {(folder: string) => Downstream} connect Gets a folder that is removed at the end.
 * @param {(run: (code: string) => Promise<unknown>) => Promise<T>} task
 * @returns {Promise<T>}
 */
export async function withToolRunner(connect, task) {
  const folder = mkdtempSync(path.join(tmpdir(), 'code-execution-mcp-bench-'));
  const downstream = connect(folder);
  const { config } = await loadConfig({}, hostEnvironment());
  const { cacheDir } = config;
  const sandbox = new WasmSandbox({ cacheDir, memoryMb: 1024, workspaceMb: 64, pool: 0, logger: silent });
  const workspaces = new Workspaces({ dataDir: folder, limitBytes: 64 * MIB, limitFiles: 100 });
  const catalog = new ToolCatalog({
    listings: downstream,
    registry: [],
    lock: { read: async () => undefined, write: async () => undefined },
    log: silent,
    discoverMs: 10_000,
  });
  const access = new DownstreamAccess({
    catalog,
    downstream,
    rulesOf: () => NO_RULES,
    record: () => undefined,
  });
  const budget = { calls: 1e6, parallel: 8, resultBytes: 64 * MIB, totalBytes: 4096 * MIB };
  const sessions = new Sessions({
    sandbox,
    workspace: async (principal) => workspaces.of(principal),
    builtins: 'restricted',
    memoryMb: 512,
    maxSessions: 2,
    sessionIdleMs: 600_000,
    tools: { access, budget },
  });
  const run = async (/** @type {string} */ code) => {
    const request = { code, context: {}, timeoutMs: 300_000, memoryMb: 1024, session: 'bench' };
    const { outcome } = await sessions.run('bench', request);
    if (outcome.kind !== 'value') throw new Error(`a run of the bench failed: ${outcome.error.message}`);
    return outcome.value === undefined ? undefined : JSON.parse(outcome.value.json);
  };
  try {
    return await task(run);
  } finally {
    await sessions[Symbol.asyncDispose]();
    await downstream[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}
