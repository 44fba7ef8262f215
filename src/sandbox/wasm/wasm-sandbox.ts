import { CodeExecutionError } from '../../core/errors.js';
import { MIB } from '../../core/limits.js';
import type { Logger } from '../../core/logger.js';
import type { WorkerFrame } from '../../wire/frames.js';
import { WorkerPool } from '../pool.js';
import { ProcessWorker } from '../process-worker.js';
import { CAN_READ_RESIDENT } from '../resident-memory.js';
import type { PoolInfo, Sandbox, SandboxInfo, Worker } from '../sandbox.js';
import { Watchdog } from '../watchdog.js';
import { outputOf } from './guest-program.js';
import { launch } from './launch.js';
import { findParts } from './parts.js';
import { ensureRuntime, type RuntimeFolder } from './runtime-folder.js';
import { describeLayers, findTools, type Tools } from './tools.js';

export interface WasmOptions {
  readonly cacheDir: string;
  /** Most that a run may have, in MiB. */
  readonly memoryMb: number;
  readonly workspaceMb: number;
  /** Spares to hold ready. */
  readonly pool: number;
  readonly logger: Logger;
}

/** Resident memory of a worker that has run nothing. */
const IDLE_BYTES = 160 * MIB;
/** What the engine may take beyond the interpreter's memory and the files: compiled code, JavaScript heap. */
const ENGINE_BYTES = 250 * MIB;
const START_DEADLINE_MS = 30_000;

/** The embedded backend: CPython compiled to WebAssembly (Pyodide) in Deno processes without permissions. */
export class WasmSandbox implements Sandbox {
  readonly #options: WasmOptions;
  readonly #pool: WorkerPool;
  readonly #watchdog = new Watchdog();
  #setup: Promise<{ tools: Tools; runtime: RuntimeFolder }> | undefined;

  constructor(options: WasmOptions) {
    this.#options = options;
    this.#pool = new WorkerPool({
      start: (wanted) => this.#start(!wanted),
      size: options.pool,
      spareBytes: IDLE_BYTES,
    });
  }

  async info(): Promise<SandboxInfo> {
    const { tools, runtime } = await this.#ready();
    const walls = tools.bubblewrap ? 'a bubblewrap jail' : 'a process of its own';
    return {
      name: 'wasm',
      python: runtime.python,
      isolation: `Python compiled to WebAssembly inside a Deno process without permissions, in ${walls}`,
      layers: describeLayers(tools, { memoryMb: this.#options.memoryMb, watchdog: CAN_READ_RESIDENT }),
    };
  }

  pool(): PoolInfo {
    return this.#pool.info();
  }

  warm(): void {
    this.#pool.warm();
  }

  acquire(request: { principal: string; signal?: AbortSignal }): Promise<Worker> {
    return this.#pool.acquire(request.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.close();
  }

  /** Tools and prepared runtime, found once; a failure is tried again by the next caller. */
  #ready(): Promise<{ tools: Tools; runtime: RuntimeFolder }> {
    this.#setup ??= this.#prepare().catch((error: unknown) => {
      this.#options.logger.error({ err: error }, 'the sandbox runtime could not be prepared');
      this.#setup = undefined;
      throw error;
    });
    return this.#setup;
  }

  async #prepare(): Promise<{ tools: Tools; runtime: RuntimeFolder }> {
    const parts = findParts();
    const tools = await findTools();
    const runtime = await ensureRuntime(parts, this.#options.cacheDir, (folder, program) => {
      if (program === 'make-snapshot.js')
        this.#options.logger.warn(
          { folder: folder.folder },
          'preparing the sandbox runtime (once per version, a few seconds)',
        );
      return outputOf(launch(folder, program, tools, { ...this.#options, writableDenoDir: true }));
    });
    return { tools, runtime };
  }

  async #start(practise: boolean): Promise<Worker> {
    const { tools, runtime } = await this.#ready();
    const { memoryMb, workspaceMb } = this.#options;
    const worker = new ProcessWorker(launch(runtime, 'main.js', tools, { memoryMb, workspaceMb, practise }), {
      watchdog: this.#watchdog,
      residentLimit: (limitMb) => limitMb * MIB + workspaceMb * MIB + IDLE_BYTES + ENGINE_BYTES,
    });
    const deadline = setTimeout(() => void worker.kill(), START_DEADLINE_MS);
    const ready = new Promise<WorkerFrame>((resolve) => worker.onFrame(resolve));
    const first = await Promise.race([ready, worker.exited]);
    clearTimeout(deadline);
    if ('message' in first && first.message.type === 'ready') {
      worker.onFrame(() => undefined);
      return worker;
    }
    await worker.kill();
    this.#options.logger.error({ exit: first }, 'a worker did not start');
    throw new CodeExecutionError(
      'backend_unavailable',
      'the sandbox did not start',
      'run: code-execution-mcp doctor',
    );
  }
}
