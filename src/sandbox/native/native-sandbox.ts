import { CodeExecutionError } from '../../core/errors.js';
import { MIB } from '../../core/limits.js';
import type { Logger } from '../../core/logger.js';
import type { ProvenSandbox } from '../auto-sandbox.js';
import type { PoolInfo, PostureRow, SandboxInfo } from '../sandbox.js';
import { findTools } from '../wasm/tools.js';
import { Watchdog } from '../watchdog.js';
import { takeUid } from '../worker-uid.js';
import { filtersForThisMachine } from './filters.js';
import { findPython } from './find-python.js';
import { Jail, type JailOptions, type JailUp } from './jail.js';
import { hiddenPlaces } from './jail-command.js';
import { JailPool } from './jail-pool.js';
import { describeNativeLayers } from './layers.js';
import { NativeWorker } from './native-worker.js';
import { namespaceAdvice } from './parts.js';
import { postureOf } from './posture.js';
import { ensureRuntimeCopy } from './runtime-copy.js';
import { requireWalls } from './self-test.js';

export interface NativeOptions {
  readonly cacheDir: string;
  /** Most that a run may have, in MiB. */
  readonly memoryMb: number;
  readonly workspaceMb: number;
  /** Jails to hold ready. */
  readonly pool: number;
  /** A program or a virtual environment; absent: the system's. */
  readonly python?: string;
  /** Modules to import once per jail. */
  readonly preload?: readonly string[];
  readonly logger: Logger;
}

/** Private memory of an idle jail. */
const IDLE_BYTES = 30 * MIB;

interface Setup {
  readonly options: Omit<JailOptions, 'user'>;
  readonly ownUid: boolean;
  readonly first: JailUp;
}

/** The native backend: the system's CPython, forked for each run inside jails made by bubblewrap. */
export class NativeSandbox implements ProvenSandbox {
  readonly #options: NativeOptions;
  readonly #pool: JailPool;
  readonly #watchdog = new Watchdog();
  #setup: Promise<Setup> | undefined;

  constructor(options: NativeOptions) {
    this.#options = options;
    this.#pool = new JailPool({
      open: async () => this.#open(await this.#ready()),
      size: options.pool,
      spareBytes: IDLE_BYTES,
      watchdog: this.#watchdog,
      log: options.logger,
    });
  }

  /** Resolves when jails can be made here and code in one has tried to get out and failed; 0.5 s, once. */
  async prove(): Promise<void> {
    await this.#ready();
  }

  async info(): Promise<SandboxInfo> {
    const { first, ownUid } = await this.#ready();
    return {
      name: 'native',
      python: first.python,
      isolation:
        "the system's Python, forked for each run inside a bubblewrap jail, behind two filters of system calls",
      layers: describeNativeLayers({ landlock: first.landlock, ownUid, memoryMb: this.#options.memoryMb }),
    };
  }

  async posture(): Promise<readonly PostureRow[]> {
    const worker = await this.#pool.acquire('posture');
    try {
      const pid = worker.pid;
      return pid === undefined ? [] : postureOf(pid);
    } finally {
      await worker.kill();
    }
  }

  pool(): PoolInfo {
    return this.#pool.info();
  }

  warm(): void {
    this.#pool.warm();
  }

  acquire(request: { principal: string; signal?: AbortSignal }): Promise<NativeWorker> {
    return this.#pool.acquire(request.principal, request.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.close();
  }

  /** What jails are made of, found once; a failure is tried again by the next caller. */
  #ready(): Promise<Setup> {
    this.#setup ??= this.#prepare().catch((error: unknown) => {
      this.#options.logger.error({ err: error }, 'the native sandbox could not be prepared');
      this.#setup = undefined;
      throw error;
    });
    return this.#setup;
  }

  async #prepare(): Promise<Setup> {
    const { cacheDir, memoryMb, workspaceMb, preload = [], logger } = this.#options;
    if (process.platform !== 'linux')
      throw unavailable('the native sandbox is for Linux', 'set sandbox.backend to "wasm"');
    const filters = filtersForThisMachine();
    const tools = await findTools();
    const bubblewrap = tools.bubblewrap;
    if (bubblewrap === undefined)
      throw unavailable(
        tools.bubblewrapProblem ?? 'bubblewrap is missing',
        namespaceAdvice(tools.bubblewrapProblem ?? ''),
      );
    const python = await findPython(this.#options.python);
    const [hidden] = hiddenPlaces(python);
    if (hidden !== undefined)
      throw unavailable(
        `Python lies in ${hidden}, where the jail has a folder of its own`,
        'use a Python elsewhere',
      );
    const runtime = await ensureRuntimeCopy(python, cacheDir);
    const options = { bubblewrap, python, runtime, filters, memoryMb, workspaceMb, preload };
    const trial = await this.#open({ options, ownUid: tools.ownUid });
    const first = await trial.up;
    try {
      await requireWalls(new NativeWorker(trial, await trial.fork(false), this.#watchdog), memoryMb);
    } finally {
      await trial.close();
    }
    for (const missing of first.notLoaded) logger.warn({}, `sandbox.preload: ${missing}`);
    return { options, ownUid: tools.ownUid, first };
  }

  async #open(setup: Pick<Setup, 'options' | 'ownUid'>): Promise<Jail> {
    const jail = await Jail.open({ ...setup.options, ...(setup.ownUid ? { user: takeUid() } : {}) });
    try {
      await jail.up;
      return jail;
    } catch {
      const said = jail.lastWords.split('\n').at(-1) ?? '';
      this.#options.logger.error({ said: jail.lastWords }, 'a jail did not start');
      const next = said.startsWith('bwrap') ? namespaceAdvice(said) : 'run: code-execution-mcp doctor';
      throw unavailable(`the jail did not start: ${said.slice(0, 200) || 'it said nothing'}`, next);
    }
  }
}

function unavailable(message: string, next: string): CodeExecutionError {
  return new CodeExecutionError('backend_unavailable', message, next);
}
