// @ts-check
/** What a server is made of when only its readers are under test: one downstream tool, no sandbox, a log that must stay empty. */
import { ToolCatalog } from '../../dist/catalog/tool-catalog.js';
import { Stats } from '../../dist/stats/stats.js';
import { insist } from './oracle.mjs';

const FIND = { name: 'find', inputSchema: { type: 'object', properties: { id: { type: 'integer' } } } };

/** A catalogue with the tool `crm.find`. */
export function oneTool() {
  return new ToolCatalog({
    listings: {
      servers: ['crm'],
      discover: async () => [],
      onTools: (listener) =>
        listener({ source: { server: 'crm', kind: 'server', category: 'crm' }, tools: [FIND] }),
    },
    registry: [],
    lock: { read: async () => undefined, write: async () => undefined },
    log: { warn: () => undefined },
    discoverMs: 0,
  });
}

/**
 * @param {import('../../dist/session/runner.js').Runner} runner
 * @param {import('../../dist/workspace/workspace.js').Workspace} workspace
 */
export function serverDeps(runner, workspace) {
  /** @type {string[]} */
  const faults = [];
  const stats = new Stats();
  /** @type {import('../../dist/server/server-deps.js').ServerDeps} */
  const deps = {
    version: '0',
    runner,
    workspace: async () => workspace,
    sandbox: {
      info: async () => ({ name: 'wasm', python: '3', isolation: 'none', layers: [] }),
      pool: () => ({ ready: 1, starting: 0, active: 0, target: 1 }),
    },
    statsOf: () => stats,
    catalog: oneTool(),
    hasTools: true,
    decide: () => ({ verdict: 'allow', reason: '', howToAllow: '' }),
    limits: {
      timeoutSeconds: 30,
      maxTimeoutSeconds: 600,
      memoryMb: 512,
      maxMemoryMb: 2048,
      maxOutputChars: 8_000,
    },
    matchesGlob: () => true,
    log: {
      warn: () => undefined,
      error: (fields, message) => void faults.push(`${message}: ${reasonOf(fields)}`),
    },
  };
  return {
    deps,
    insistNoFault: () =>
      insist(faults.length === 0, () => `a fault of the server: ${faults.splice(0).join('; ')}`),
  };
}

/** @param {object} fields */
function reasonOf(fields) {
  const { err } = /** @type {{ err?: unknown }} */ (fields);
  return err instanceof Error ? err.stack : JSON.stringify(fields);
}
