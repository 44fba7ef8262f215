import type { Worker, WorkerExit } from '../../../src/sandbox/sandbox.js';
import type { HostFrame, WorkerFrame } from '../../../src/wire/frames.js';
import type { Workspace, WorkspaceView } from '../../../src/workspace/workspace.js';

const NO_BYTES = new Uint8Array(0);

/** What a worker does with the code of a `run` frame. */
export type Behaviour = (code: string, worker: FakeWorker, id: string) => void;

/** A worker without a process: it answers as a test says, and dies when it is told to. */
export class FakeWorker implements Worker {
  readonly id = 'fake';
  /** What became of its priority, in order. */
  readonly priorities: string[] = [];
  readonly exited: Promise<WorkerExit>;
  #end: (exit: WorkerExit) => void = () => undefined;
  #receiver: (frame: WorkerFrame) => void = () => undefined;

  constructor(private readonly behaviour: Behaviour) {
    this.exited = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  onFrame(receiver: (frame: WorkerFrame) => void): void {
    this.#receiver = receiver;
  }

  send({ message, payload }: HostFrame): void {
    if (message.type !== 'run') return;
    const { code } = JSON.parse(new TextDecoder().decode(payload)) as { code: string };
    this.behaviour(code, this, message.id);
  }

  /** Ends the run `id` with the value `json`. */
  answer(id: string, json: string): void {
    const value = { type: 'int', truncated: false };
    const message: WorkerFrame['message'] = { type: 'done', id, value, notes: [], variables: [], names: [] };
    this.#receiver({ message, payload: Buffer.from(json) });
  }

  die(reason: WorkerExit['reason'] = 'exited'): void {
    this.#end({ reason, code: 1, signal: null, detail: '' });
  }

  async kill(): Promise<void> {
    this.die('killed');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  async drained(): Promise<void> {}
  pause(): void {}
  resume(): void {}
  limitMemory(): void {}
  rest(): void {}
  lowerPriority(forGood: boolean): void {
    this.priorities.push(forGood ? 'lower, for good' : 'lower, to be undone');
  }
  restorePriority(): void {
    if (this.priorities.at(-1)?.startsWith('lower')) this.priorities.push('restore');
  }
  async residentBytes(): Promise<undefined> {
    return undefined;
  }
}

/** A workspace with nothing in it. */
export function emptyWorkspace(): Pick<Workspace, 'openView' | 'usage'> {
  const view: WorkspaceView = {
    entries: [],
    read: async () => NO_BYTES,
    stage: async () => undefined,
    stageFolder: async () => undefined,
    stageRemoval: async () => undefined,
    commit: async () => [],
    discard: async () => undefined,
  };
  return {
    openView: async () => view,
    usage: async () => ({ bytes: 0, files: 0, limitBytes: 1_000, limitFiles: 10 }),
  };
}
