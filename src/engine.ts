import path from 'node:path';
import { auditLog } from './audit-log.js';
import type { Catalog } from './catalog/catalog.js';
import { ToolCatalog } from './catalog/tool-catalog.js';
import type { SandboxPart } from './cli/app-contract.js';
import type { Config } from './config/config.js';
import { readRegistry } from './config/registry.js';
import { packageVersion } from './config/version.js';
import { CodeExecutionError } from './core/errors.js';
import { MIB } from './core/limits.js';
import type { Logger } from './core/logger.js';
import { NO_RULES } from './core/policy.js';
import { LazyDownstream } from './downstream/lazy-downstream.js';
import { TextStore } from './fs/text-store.js';
import { createPrivacy, type PrivacyEngine } from './privacy-engine.js';
import { AutoSandbox } from './sandbox/auto-sandbox.js';
import { NativeSandbox } from './sandbox/native/native-sandbox.js';
import { nativeParts } from './sandbox/native/parts.js';
import type { Sandbox } from './sandbox/sandbox.js';
import { findParts } from './sandbox/wasm/parts.js';
import { preparedFolder } from './sandbox/wasm/runtime-folder.js';
import { WasmSandbox } from './sandbox/wasm/wasm-sandbox.js';
import { DownstreamAccess } from './session/downstream-access.js';
import { Sessions } from './session/sessions.js';
import type { CallBudget } from './session/tool-calls.js';
import { createSkills, type SkillsEngine } from './skills-engine.js';
import { Workspaces } from './workspace/workspaces.js';

/** What runs code and reaches tools: the half of the program that `initialize` does not need. */
export interface Engine extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly workspaces: Workspaces;
  readonly runner: Sessions;
  readonly tools: Tools;
  readonly skills: SkillsEngine;
  /** Absent: privacy is off. */
  readonly privacy?: PrivacyEngine;
}

/** Joins the parts of the engine. Starts nothing. */
export async function createEngine(config: Config, logger: Logger): Promise<Engine> {
  const { sandbox: limits } = config;
  const sandbox = createSandbox(config, logger);
  const workspaces = new Workspaces({
    dataDir: config.dataDir,
    limitBytes: limits.workspaceMb * MIB,
    limitFiles: limits.workspaceFiles,
  });
  const tools = await createTools(config, logger);
  const privacy = await createPrivacy(config, logger);
  // Code can save skills, and saving one runs code.
  const skills = createSkills(config, logger, {
    runner: { run: (principal, request) => runner.run(principal, request) },
    catalog: tools.catalog,
    privacy,
  });
  const runner: Sessions = new Sessions({
    sandbox,
    workspace: async (principal) => workspaces.of(principal),
    builtins: limits.builtins,
    memoryMb: limits.memoryMb,
    maxSessions: limits.maxSessions,
    sessionIdleMs: limits.sessionIdleSeconds * 1000,
    skills: skills.access,
    ...(privacy ? { privacy: privacy.calls } : {}),
    ...(tools.configured ? { tools: { access: tools.access, budget: CALL_BUDGET } } : {}),
  });
  return {
    sandbox,
    workspaces,
    runner,
    tools,
    skills,
    ...(privacy ? { privacy } : {}),
    async [Symbol.asyncDispose]() {
      await runner[Symbol.asyncDispose]();
      await tools.close();
      await sandbox[Symbol.asyncDispose]();
      await skills.close();
      await privacy?.close();
    },
  };
}

/** The backend of the configuration. One that is asked for by name never gives way to another. */
function createSandbox(config: Config, logger: Logger): Sandbox {
  const { backend, python, preload, ...limits } = config.sandbox;
  const common = { ...limits, cacheDir: config.cacheDir, logger };
  const native = () => new NativeSandbox({ ...common, preload, ...(python === undefined ? {} : { python }) });
  const wasm = () => new WasmSandbox(common);
  if (backend === 'native') return native();
  if (backend === 'wasm') return wasm();
  return new AutoSandbox({ preferred: native(), otherwise: wasm(), log: logger });
}

/** Budgets of one run: a loop that calls a tool for ever ends, an ordinary one never notices. */
const CALL_BUDGET: CallBudget = { calls: 100, parallel: 8, resultBytes: 64 * MIB, totalBytes: 256 * MIB };
/** Longest wait for servers whose tools are not known yet, in milliseconds. */
const DISCOVER_MS = 9_500;

export interface Tools {
  readonly catalog: Catalog;
  readonly access: DownstreamAccess;
  readonly downstream: LazyDownstream;
  /** False when there is nothing to find: no servers, no registry. */
  readonly configured: boolean;
  close(): Promise<void>;
}

/** Everything between code and the downstream servers. Nothing is started before the first question. */
async function createTools(config: Config, logger: Logger): Promise<Tools> {
  const registry = await readRegistry(config.registry);
  for (const warning of registry.warnings) logger.warn({}, warning);
  const downstream = new LazyDownstream({
    servers: config.servers,
    cacheFolder: path.join(config.dataDir, 'definitions'),
    log: logger,
    version: packageVersion(),
  });
  const catalog = new ToolCatalog({
    listings: downstream,
    registry: registry.tools,
    lock: new TextStore(path.join(config.dataDir, 'tool-definitions.lock.json')),
    log: logger,
    discoverMs: DISCOVER_MS,
  });
  const audit = auditLog(config.dataDir, 'tool-calls', logger);
  const rules = new Map(config.servers.map((server) => [server.name, server.rules]));
  const access = new DownstreamAccess({
    catalog,
    downstream,
    rulesOf: (server) => rules.get(server) ?? NO_RULES,
    record: (line) => audit.add({ time: new Date().toISOString(), ...line }),
  });
  return {
    catalog,
    access,
    downstream,
    configured: config.servers.length > 0 || registry.tools.length > 0,
    async close() {
      await downstream[Symbol.asyncDispose]();
      await audit.flush();
    },
  };
}

/** What the sandbox is made of on this machine, for `doctor`: of both backends where either may be used. */
export async function sandboxParts(config: Config): Promise<SandboxPart[]> {
  const { backend, python } = config.sandbox;
  const native =
    backend === 'wasm'
      ? []
      : await nativeParts({
          workspaceMb: config.sandbox.workspaceMb,
          ...(python === undefined ? {} : { python }),
        });
  const wasm = backend === 'native' ? [] : await wasmParts(config.cacheDir);
  return [...native.map((part) => ({ ...part, optional: part.optional ?? backend === 'auto' })), ...wasm];
}

async function wasmParts(cacheDir: string): Promise<SandboxPart[]> {
  try {
    const parts = findParts();
    const runtime = await preparedFolder(parts, cacheDir);
    return [
      { name: 'deno', ok: true, detail: `${parts.denoVersion}, ${parts.deno}` },
      { name: 'pyodide', ok: true, detail: `${parts.pyodideVersion}, ${parts.pyodideFolder}` },
      { name: 'runtime', ok: true, detail: runtime ?? 'not prepared yet', pending: runtime === undefined },
    ];
  } catch (error) {
    if (!(error instanceof CodeExecutionError)) throw error;
    const next = error.hint === undefined ? {} : { next: error.hint };
    return [{ name: 'wasm', ok: false, detail: error.message, ...next }];
  }
}
