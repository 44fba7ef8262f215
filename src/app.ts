import type { App, RunOnceAnswer, RunOnceOptions, SandboxPart } from './cli/app-contract.js';
import type { Config } from './config/config.js';
import { packageVersion } from './config/version.js';
import { CodeExecutionError } from './core/errors.js';
import { matchesGlob } from './core/glob.js';
import type { Logger } from './core/logger.js';
import { findParts } from './sandbox/wasm/parts.js';
import { preparedFolder } from './sandbox/wasm/runtime-folder.js';
import { WasmSandbox } from './sandbox/wasm/wasm-sandbox.js';
import { executeOnce } from './server/call-server-tool.js';
import { STDIO_PRINCIPAL, serveStdio } from './server/serve-stdio.js';
import type { ServerDeps } from './server/server-deps.js';
import { Sessions } from './session/sessions.js';
import { Stats } from './stats/stats.js';
import { Workspaces } from './workspace/workspaces.js';

/** Builds the program from its parts: the only place where implementations are chosen and joined. Starts nothing. */
export async function createApp(config: Config, logger: Logger): Promise<App> {
  const { sandbox: limits } = config;
  const sandbox = new WasmSandbox({ ...limits, cacheDir: config.cacheDir, logger });
  const workspaces = new Workspaces({
    dataDir: config.dataDir,
    limitBytes: limits.workspaceMb * 1024 * 1024,
    limitFiles: limits.workspaceFiles,
  });
  const workspace = async (principal: string) => workspaces.of(principal);
  const runner = new Sessions({
    sandbox,
    workspace,
    builtins: limits.builtins,
    maxSessions: limits.maxSessions,
    sessionIdleMs: limits.sessionIdleSeconds * 1000,
  });
  const deps: ServerDeps = {
    version: packageVersion(),
    runner,
    workspace,
    sandbox,
    stats: new Stats(),
    limits: {
      timeoutSeconds: limits.timeoutSeconds,
      maxTimeoutSeconds: limits.maxTimeoutSeconds,
      memoryMb: limits.memoryMb,
      maxMemoryMb: limits.memoryMb,
      maxOutputChars: config.output.maxChars,
    },
    matchesGlob,
    log: logger,
  };
  let closing: Promise<void> | undefined;
  return {
    async serveStdio() {
      const connection = serveStdio(deps, process.stdin, process.stdout);
      // After the answer to `initialize` is on its way: starting processes must not delay it.
      setImmediate(() => sandbox.warm());
      await connection.closed;
    },
    runOnce: (code, options) => runOnce(deps, code, options),
    sandboxInfo: () => sandbox.info(),
    sandboxParts: () => wasmParts(config.cacheDir),
    close() {
      closing ??= (async () => {
        await runner[Symbol.asyncDispose]();
        await sandbox[Symbol.asyncDispose]();
      })();
      return closing;
    },
  };
}

async function runOnce(deps: ServerDeps, code: string, options: RunOnceOptions): Promise<RunOnceAnswer> {
  const args = {
    code,
    ...(options.timeoutMs === undefined ? {} : { timeout_seconds: options.timeoutMs / 1000 }),
    ...(options.memoryMb === undefined ? {} : { memory_mb: options.memoryMb }),
  };
  const signal = options.signal ?? new AbortController().signal;
  const result = await executeOnce(deps, STDIO_PRINCIPAL, args, signal);
  const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return { text: text.trim(), structured: result.structuredContent, exit: result.isError ? 'failed' : 'ok' };
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
