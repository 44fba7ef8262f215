import type { HostFrame, WorkerFrame } from '../wire/frames.js';

/** One layer of protection, as `doctor` and `get_execution_stats` show it. */
export interface Layer {
  /** Short stable name: `permissions`, `uid`, `bubblewrap`, `memory-cap` ... */
  readonly name: string;
  readonly active: boolean;
  /** One sentence: what it does, or why it is off and how to get it. */
  readonly detail: string;
}

/** One line about a running worker as the kernel shows it. */
export interface PostureRow {
  readonly name: string;
  readonly detail: string;
}

export interface SandboxInfo {
  readonly name: 'wasm' | 'native';
  /** Version of Python inside, e.g. `3.14.2`. */
  readonly python: string;
  /** One sentence on what separates the code from the machine. */
  readonly isolation: string;
  readonly layers: readonly Layer[];
}

export interface PoolInfo {
  /** Workers that wait, started and tested. */
  readonly ready: number;
  readonly starting: number;
  /** Workers given out. */
  readonly active: number;
  readonly target: number;
}

/**
 * How a worker's process ended.
 * `exited`: by itself. `killed`: by us, because the caller asked. `memory`: by the watchdog. `protocol`: by us, because
 * it sent something that no frame may hold.
 */
export interface WorkerExit {
  readonly reason: 'exited' | 'killed' | 'memory' | 'protocol';
  readonly code: number | null;
  readonly signal: string | null;
  /** For the operator's log; never shown to the model. */
  readonly detail: string;
}

/**
 * One confined process with one Python interpreter that waits for a `run`. Whatever it sends is hostile input; frames
 * given to `onFrame` have passed the schema and the size caps, nothing more.
 */
export interface Worker extends AsyncDisposable {
  readonly id: string;
  /** Takes effect at once; frames that arrived before are delivered first. Replaces the former receiver. */
  onFrame(receiver: (frame: WorkerFrame) => void): void;
  send(frame: HostFrame): void;
  /** Resolves when the worker has taken what was sent, but for a buffer's worth, or is gone: it may never read. */
  drained(): Promise<void>;
  /** Stops reading what the worker sends until `resume`: back-pressure against floods. */
  pause(): void;
  resume(): void;
  /** Memory watchdog limit for the coming run, in MiB of interpreter memory. */
  limitMemory(memoryMb: number): void;
  /** Nothing runs until the next {@link limitMemory}: the watchdog looks less often. */
  rest(): void;
  /**
   * Other processes go first from now on, as far as the system allows. `forGood`: the worker runs nothing else, so what cannot
   * be undone without privileges is done as well.
   */
  lowerPriority(forGood: boolean): void;
  /** Undoes {@link lowerPriority}. */
  restorePriority(): void;
  /** Resident memory of the worker's processes in bytes, where the system tells. */
  residentBytes(): Promise<number | undefined>;
  readonly exited: Promise<WorkerExit>;
  /** Ends the process and all its descendants at once (SIGKILL). Idempotent; resolves when all are gone. */
  kill(): Promise<void>;
}

/** Starts confined workers, or refuses. A worker is given to one principal once and never comes back to the pool. */
export interface Sandbox extends AsyncDisposable {
  info(): Promise<SandboxInfo>;
  pool(): PoolInfo;
  /** What a waiting worker may do, read from the kernel; absent where the backend has nothing to tell. */
  posture?(): Promise<readonly PostureRow[]>;
  /** Starts filling the pool in the background; returns at once. */
  warm(): void;
  /**
   * A worker whose interpreter has run nothing of anyone.
   * @throws CodeExecutionError `backend_unavailable` when no worker can be started here, `cancelled` when the signal
   * came before there was one.
   */
  acquire(request: { principal: string; signal?: AbortSignal }): Promise<Worker>;
}
