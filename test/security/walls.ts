import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ProcessWorker } from '../../src/sandbox/process-worker.js';
import type { Sandbox, Worker } from '../../src/sandbox/sandbox.js';
import { outputOf } from '../../src/sandbox/wasm/guest-program.js';
import { guestCommand, launch } from '../../src/sandbox/wasm/launch.js';
import { findParts } from '../../src/sandbox/wasm/parts.js';
import { ensureRuntime, type RuntimeFolder } from '../../src/sandbox/wasm/runtime-folder.js';
import { findTools, type Tools } from '../../src/sandbox/wasm/tools.js';
import { Watchdog } from '../../src/sandbox/watchdog.js';
import { cacheFolder } from '../support/cache-folder.js';

const LIMITS = { memoryMb: 256, workspaceMb: 64 };
/** A uid that workers get (launch.ts). */
const WORKER_UID = 61_200;

/** Which walls stand around the guest. */
export type Walls =
  /** All that this machine has: what the product does here. */
  | 'all walls'
  /** The product on a machine without bubblewrap: Deno's permissions, and a uid of its own under root. */
  | 'the walls without bubblewrap'
  /** Deno's permissions and nothing else, under the uid of the server. */
  | "Deno's permissions alone"
  /** bubblewrap around a Deno that may do everything: as if Deno's permissions were broken. */
  | 'bubblewrap alone'
  /** The same guest with every permission and outside every jail, for positive controls. */
  | 'no walls';

/** Starts guests without a pool, behind walls that a test chooses. */
export async function guestBehind(walls: Walls): Promise<Sandbox> {
  const tools = toolsFor(walls, await findTools());
  const prepared = await runtimeFolder();
  // Under root, and with every permission, Deno would write to the cache that servers share: it gets one of its own.
  const denoDir = mkdtempSync(path.join(tmpdir(), 'code-execution-deno-'));
  const runtime =
    walls === "Deno's permissions alone" || walls === 'no walls' ? { ...prepared, denoDir } : prepared;
  const watchdog = new Watchdog();
  const workers = new Set<Worker>();
  return {
    info: () => Promise.reject(new Error('not asked here')),
    pool: () => ({ ready: 0, starting: 0, active: workers.size, target: 0 }),
    warm: () => undefined,
    async acquire() {
      const worker = new ProcessWorker(start(walls, runtime, tools), { watchdog, residentLimit: () => 2e9 });
      workers.add(worker);
      const first = await Promise.race([new Promise((resolve) => worker.onFrame(resolve)), worker.exited]);
      if (!(first as { message?: unknown }).message) throw new Error(`no start: ${JSON.stringify(first)}`);
      return worker;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...workers].map((worker) => worker.kill()));
      rmSync(denoDir, { recursive: true, force: true });
    },
  };
}

/** The prepared runtime of this version, made if need be. */
export async function runtimeFolder(): Promise<RuntimeFolder> {
  const tools = await findTools();
  return ensureRuntime(findParts(), cacheFolder(), (places, program) =>
    outputOf(launch(places, program, tools, { ...LIMITS, writableDenoDir: true })),
  );
}

function toolsFor(walls: Walls, found: Tools): Tools {
  const { bubblewrap, bubblewrapProblem: _, ...others } = found;
  switch (walls) {
    case 'all walls':
      return found;
    case 'the walls without bubblewrap':
      return others;
    case 'bubblewrap alone':
      return { ownUid: found.ownUid, ...(bubblewrap ? { bubblewrap } : {}) };
    case "Deno's permissions alone":
    case 'no walls':
      return { ownUid: false };
  }
}

function start(walls: Walls, runtime: RuntimeFolder, tools: Tools): ChildProcess {
  if (walls !== 'no walls' && walls !== 'bubblewrap alone') return launch(runtime, 'main.js', tools, LIMITS);
  const [file = '', ...args] = guestCommand(runtime, 'main.js', tools, LIMITS)
    .filter((argument) => !argument.startsWith('--v8-flags='))
    .map((argument) => (argument.startsWith('--allow-read=') ? '--allow-all' : argument));
  return spawn(file, args, {
    cwd: '/',
    env: walls === 'no walls' ? { ...process.env, DENO_DIR: runtime.denoDir } : { DENO_DIR: '/app/deno-dir' },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    ...(tools.ownUid ? { uid: WORKER_UID, gid: WORKER_UID } : {}),
  });
}
