import { CodeExecutionError } from '../../core/errors.js';
import { MIB } from '../../core/limits.js';
import type { Logger } from '../../core/logger.js';
import type { ProvenSandbox } from '../auto-sandbox.js';
import type { PoolInfo, PostureRow, SandboxInfo } from '../sandbox.js';
import { Watchdog } from '../watchdog.js';
import { takeUid } from '../worker-uid.js';
import { findBubblewrap, jailAdvice, type MachinePlaces } from './bubblewrap.js';
import { ControlGroups, findControlGroup } from './control-group.js';
import { filtersForThisMachine } from './filters.js';
import { findPython } from './find-python.js';
import { hasFontList, learnFontList } from './font-list.js';
import { Jail, type JailOptions, type JailUp } from './jail.js';
import { hiddenPlaces } from './jail-command.js';
import { JailPool } from './jail-pool.js';
import { describeNativeLayers } from './layers.js';
import { removeLeftOvers } from './left-overs.js';
import { NativeWorker } from './native-worker.js';
import { postureOf } from './posture.js';
import { requireRoom } from './room.js';
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
  /** Absent: this machine. */
  readonly machine?: MachinePlaces;
}

/** Private memory of an idle jail. */
const IDLE_BYTES = 30 * MIB;
/** What a control group may hold beside a run and its files: the interpreter, /dev/shm, tables of the kernel. */
const GROUP_BYTES = 96 * MIB;
/** The threads of a run, the jail's own processes, and room. */
const GROUP_TASKS = 80;

interface Setup {
  readonly options: Omit<JailOptions, 'user'>;
  readonly ownUid: boolean;
  readonly groups: ControlGroups | undefined;
  /** Why there are no control groups. */
  readonly noGroups: string;
}

/** The native backend: the system's CPython, forked for each run inside jails made by bubblewrap. */
export class NativeSandbox implements ProvenSandbox {
  readonly #options: NativeOptions;
  readonly #pool: JailPool;
  readonly #watchdog = new Watchdog();
  /** All of them, those that start as well. */
  readonly #jails = new Set<Jail>();
  #closed = false;
  #setup: Promise<Setup & { readonly first: JailUp }> | undefined;

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
    const { first, ownUid, groups, noGroups } = await this.#ready();
    return {
      name: 'native',
      python: first.python,
      isolation:
        "the system's Python, forked for each run inside a bubblewrap jail, behind two filters of system calls",
      layers: describeNativeLayers({
        landlock: first.landlock,
        ownUid,
        memoryMb: this.#options.memoryMb,
        ...(groups ? {} : { noGroups }),
      }),
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
    this.#closed = true;
    await this.#pool.close();
    await Promise.all([...this.#jails].map((jail) => jail.close()));
  }

  /** What jails are made of, found once; a failure is tried again by the next caller. */
  #ready(): Promise<Setup & { readonly first: JailUp }> {
    this.#setup ??= this.#prepare().catch((error: unknown) => {
      if (!this.#closed)
        this.#options.logger.error({ err: error }, 'the native sandbox could not be prepared');
      this.#setup = undefined;
      throw error;
    });
    return this.#setup;
  }

  async #prepare(): Promise<Setup & { readonly first: JailUp }> {
    const { cacheDir, memoryMb, workspaceMb, preload = [], logger, machine } = this.#options;
    if (process.platform !== 'linux')
      throw unavailable('the native sandbox is for Linux', 'set sandbox.backend to "wasm"');
    const filters = filtersForThisMachine();
    await removeLeftOvers();
    requireRoom(workspaceMb);
    const { path: bubblewrap, ownUid } = await findBubblewrap(machine);
    const python = await findPython(this.#options.python);
    const [hidden] = hiddenPlaces(python);
    if (hidden !== undefined)
      throw unavailable(
        `Python lies in ${hidden}, where the jail has a folder of its own`,
        'use a Python elsewhere',
      );
    const runtime = await ensureRuntimeCopy(python, cacheDir);
    const options = { bubblewrap, python, runtime, filters, memoryMb, workspaceMb, preload };
    const setup = { options, ownUid, ...this.#findGroups() };
    const trial = await this.#open(setup);
    const first = await trial.up;
    try {
      const worker = new NativeWorker(trial, await trial.fork(false), this.#watchdog);
      await requireWalls(worker, memoryMb);
      await worker.kill();
    } catch (error) {
      await trial.close();
      throw error;
    }
    void this.#learnFonts(trial, runtime);
    for (const missing of first.notLoaded) logger.warn({}, `sandbox.preload: ${missing}`);
    return { ...setup, first };
  }

  /** In the background: the first run that draws is slow without, and nothing else. Closes the jail. */
  async #learnFonts(trial: Jail, runtime: string): Promise<void> {
    try {
      if (hasFontList(runtime)) return;
      const worker = new NativeWorker(trial, await trial.fork(false), this.#watchdog);
      await learnFontList(worker, runtime, this.#options.memoryMb);
    } catch (err) {
      if (!this.#closed) this.#options.logger.info({ err }, 'the list of fonts could not be made');
    } finally {
      await trial.close();
    }
  }

  /** A layer more where the system gives us a part of the tree; everything holds without. */
  #findGroups(): Pick<Setup, 'groups' | 'noGroups'> {
    const found = findControlGroup();
    if ('problem' in found) return { groups: undefined, noGroups: `${found.problem}; ${found.next}` };
    try {
      return { groups: ControlGroups.open(found), noGroups: '' };
    } catch (err) {
      this.#options.logger.warn({ err }, 'control groups cannot be used');
      return { groups: undefined, noGroups: err instanceof Error ? err.message : String(err) };
    }
  }

  async #open({ options, ownUid, groups }: Setup): Promise<Jail> {
    const jail = await Jail.open({ ...options, ...(ownUid ? { user: takeUid() } : {}) });
    this.#jails.add(jail);
    void jail.gone.then(() => this.#jails.delete(jail));
    try {
      if (this.#closed) await jail.close();
      await jail.up;
    } catch {
      if (this.#closed) throw unavailable('the server is shutting down', 'start it again');
      const said = jail.lastWords.split('\n').at(-1) ?? '';
      this.#options.logger.error({ said: jail.lastWords }, 'a jail did not start');
      const next = said.startsWith('bwrap')
        ? jailAdvice(said, this.#options.machine)
        : 'run: code-execution-mcp doctor';
      throw unavailable(`the jail did not start: ${said.slice(0, 200) || 'it said nothing'}`, next);
    }
    const { memoryMb, workspaceMb } = options;
    try {
      if (groups)
        jail.confine(groups, {
          memoryBytes: (memoryMb + 2 * workspaceMb) * MIB + GROUP_BYTES,
          tasks: GROUP_TASKS,
        });
    } catch (err) {
      this.#options.logger.warn({ err }, 'a jail runs without a control group');
    }
    return jail;
  }
}

function unavailable(message: string, next: string): CodeExecutionError {
  return new CodeExecutionError('backend_unavailable', message, next);
}
