import type { Catalog } from './catalog/catalog.js';
import type { App, HttpServing, RunOnceAnswer, RunOnceOptions } from './cli/app-contract.js';
import { serverStates, toolReviews } from './cli/tool-states.js';
import type { Config } from './config/config.js';
import { packageVersion } from './config/version.js';
import { CodeExecutionError } from './core/errors.js';
import { matchesGlob } from './core/glob.js';
import type { Logger } from './core/logger.js';
import type { Engine } from './engine.js';
import type { Privacy } from './privacy/privacy.js';
import type { PrivacyEngine } from './privacy-engine.js';
import { callOnce } from './server/call-server-tool.js';
import { STDIO_PRINCIPAL, serveStdio } from './server/serve-stdio.js';
import type { ServerDeps } from './server/server-deps.js';
import type { SkillAccess } from './session/skill-access.js';
import { PrincipalStats } from './stats/principal-stats.js';

/** A client has sent `initialize` before we read: its answer is out by then, and starting processes did not delay it. */
const WARM_DELAY_MS = 25;

/**
 * Builds the program from its parts. Starts nothing, and loads the engine (which runs code and reaches tools) with the
 * first question to it, so that `initialize` does not wait for its modules.
 */
export async function createApp(config: Config, logger: Logger): Promise<App> {
  const engine = new LazyEngine(config, logger);
  const catalog = catalogOf(engine);
  const stats = new PrincipalStats();
  const { sandbox: limits } = config;
  const deps: ServerDeps & { readonly skills: SkillAccess } = {
    version: packageVersion(),
    runner: { run: async (principal, request) => (await engine.load()).runner.run(principal, request) },
    workspace: async (principal) => (await engine.load()).workspaces.of(principal),
    sandbox: {
      info: async () => (await engine.load()).sandbox.info(),
      pool: () => engine.loaded?.sandbox.pool() ?? { ready: 0, starting: 0, active: 0, target: limits.pool },
    },
    statsOf: (principal) => stats.of(principal),
    catalog,
    hasTools: config.servers.length > 0 || config.registry.length > 0,
    decide: (entry) => engine.present().tools.access.decide(entry),
    limits: {
      timeoutSeconds: limits.timeoutSeconds,
      maxTimeoutSeconds: limits.maxTimeoutSeconds,
      memoryMb: limits.memoryMb,
      maxMemoryMb: limits.memoryMb,
      maxOutputChars: config.output.maxChars,
    },
    skills: skillsOf(engine),
    matchesGlob,
    log: logger,
    ...(config.privacy.mode === 'off' ? {} : { privacy: privacyOf(engine) }),
  };
  const warm = (): void => {
    engine.load().then(
      ({ sandbox }) => sandbox.warm(),
      // Whoever calls a tool gets the reason as well.
      (err: unknown) => logger.error({ err }, 'the engine could not be loaded'),
    );
  };
  const listening: (HttpServing & { close(): Promise<void> })[] = [];
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await Promise.all(listening.map((http) => http.close()));
    await engine.close();
  };
  return {
    async serveStdio() {
      const connection = serveStdio(deps, process.stdin, process.stdout);
      setTimeout(warm, WARM_DELAY_MS).unref();
      await connection.closed;
    },
    async serveHttp(address = {}) {
      const { openHttp } = await import('./http-serving.js');
      const http = await openHttp(deps, config, { ...address, log: logger });
      listening.push(http);
      warm();
      return http;
    },
    runOnce: (code, options) => runOnce(deps, code, options),
    searchTools: (args) => answerOnce(deps, 'search_tools', args),
    servers: async () => serverStates(config.servers, (await engine.load()).tools),
    toolReviews: async () => toolReviews((await engine.load()).tools),
    acceptTool: (id) => catalog.accept(id),
    restoreText: async (text) =>
      (await (await privacyEngine(engine)).vaults.of(STDIO_PRINCIPAL)).restore(text, () => true),
    forgetValues: async () => (await privacyEngine(engine)).vaults.forget(STDIO_PRINCIPAL),
    skills: async () => (await engine.load()).skills.stores.of(STDIO_PRINCIPAL),
    testSkill: (name, version) => deps.skills.test(STDIO_PRINCIPAL, name, version, {}),
    sandboxInfo: () => deps.sandbox.info(),
    sandboxParts: async () => (await import('./engine.js')).sandboxParts(config),
    posture: async () => (await (await engine.load()).sandbox.posture?.()) ?? [],
    close() {
      closing ??= close();
      return closing;
    },
  };
}

class LazyEngine {
  readonly #config: Config;
  readonly #logger: Logger;
  #loading: Promise<Engine> | undefined;
  loaded: Engine | undefined;
  readonly #waiting: ((engine: Engine) => void)[] = [];

  constructor(config: Config, logger: Logger) {
    this.#config = config;
    this.#logger = logger;
  }

  /** Calls `listener` once the engine is there, or at once. Loads nothing. */
  onLoaded(listener: (engine: Engine) => void): void {
    if (this.loaded) listener(this.loaded);
    else this.#waiting.push(listener);
  }

  load(): Promise<Engine> {
    this.#loading ??= import('./engine.js').then(async ({ createEngine }) => {
      this.loaded = await createEngine(this.#config, this.#logger);
      for (const listener of this.#waiting.splice(0)) listener(this.loaded);
      return this.loaded;
    });
    return this.#loading;
  }

  /** For questions about what only a loaded engine can have given out. */
  present(): Engine {
    if (!this.loaded) throw new Error('the engine is not loaded');
    return this.loaded;
  }

  async close(): Promise<void> {
    await (await this.#loading)?.[Symbol.asyncDispose]();
  }
}

/** The catalogue of an engine that may not be loaded yet. An entry to describe or bind was found by a loaded one. */
function catalogOf(engine: LazyEngine): Catalog {
  const catalog = async () => (await engine.load()).tools.catalog;
  const present = () => engine.present().tools.catalog;
  return {
    search: async (query, options) => (await catalog()).search(query, options),
    categories: async () => (await catalog()).categories(),
    problems: async () => (await catalog()).problems(),
    resolve: async (name, category) => (await catalog()).resolve(name, category),
    nearest: async (name) => (await catalog()).nearest(name),
    names: async (server) => (await catalog()).names(server),
    describe: (entry, level) => present().describe(entry, level),
    details: (entry) => present().details(entry),
    bind: (entry, positional, keyword) => present().bind(entry, positional, keyword),
    learnResult: (id, value) => present().learnResult(id, value),
    counts: async () => (await catalog()).counts(),
    reviews: async () => (await catalog()).reviews(),
    accept: async (id) => (await catalog()).accept(id),
  };
}

/** Privacy of an engine that may not be loaded yet. */
function privacyOf(engine: LazyEngine): Privacy {
  const guard = async () => (await privacyEngine(engine)).guard;
  return {
    filter: async (principal, facts) => (await guard()).filter(principal, facts),
    noteSent: async (principal, args) => (await guard()).noteSent(principal, args),
    hiddenIn: async (principal, text) => (await guard()).hiddenIn(principal, text),
    sanitise: async (principal, text) => (await guard()).sanitise(principal, text),
    restore: async (principal, text, ask) => (await guard()).restore(principal, text, ask),
    findPersonal: async (text) => (await guard()).findPersonal(text),
    counts: async (principal) => (await guard()).counts(principal),
  };
}

/** Skills of an engine that may not be loaded yet. Listeners are added when it is. */
function skillsOf(engine: LazyEngine): SkillAccess {
  const access = async () => (await engine.load()).skills.access;
  return {
    save: async (...args) => (await access()).save(...args),
    load: async (...args) => (await access()).load(...args),
    source: async (...args) => (await access()).source(...args),
    readFile: async (...args) => (await access()).readFile(...args),
    find: async (...args) => (await access()).find(...args),
    fitting: async (...args) => (await access()).fitting(...args),
    missing: async (...args) => (await access()).missing(...args),
    test: async (...args) => (await access()).test(...args),
    recordUse: (...args) => engine.present().skills.access.recordUse(...args),
    onChange(principal, listener) {
      let stop: () => void = () => undefined;
      let isStopped = false;
      engine.onLoaded(({ skills }) => {
        if (!isStopped) stop = skills.access.onChange(principal, listener);
      });
      return () => {
        isStopped = true;
        stop();
      };
    },
  };
}

/** @throws CodeExecutionError `config_error`: privacy is off. */
async function privacyEngine(engine: LazyEngine): Promise<PrivacyEngine> {
  const { privacy } = await engine.load();
  if (privacy) return privacy;
  throw new CodeExecutionError('config_error', 'privacy is off in the configuration (privacy.mode)');
}

async function runOnce(deps: ServerDeps, code: string, options: RunOnceOptions): Promise<RunOnceAnswer> {
  const args = {
    code,
    ...(options.timeoutMs === undefined ? {} : { timeout_seconds: options.timeoutMs / 1000 }),
    ...(options.memoryMb === undefined ? {} : { memory_mb: options.memoryMb }),
  };
  return answerOnce(deps, 'execute_code', args, options.signal);
}

async function answerOnce(
  deps: ServerDeps,
  tool: string,
  args: object,
  signal = new AbortController().signal,
): Promise<RunOnceAnswer> {
  const result = await callOnce(deps, STDIO_PRINCIPAL, tool, args, signal);
  const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return { text: text.trim(), structured: result.structuredContent, exit: result.isError ? 'failed' : 'ok' };
}
