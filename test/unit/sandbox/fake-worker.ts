import type { Worker, WorkerExit } from '../../../src/sandbox/sandbox.js';
import type { HostFrame, WorkerFrame } from '../../../src/wire/frames.js';

/** A worker without a process: what was sent to it is kept, what it says is said by the test. */
export class FakeWorker implements Worker {
  readonly sent: HostFrame[] = [];
  readonly calls: string[] = [];
  readonly exited: Promise<WorkerExit>;
  #end: (exit: WorkerExit) => void = () => undefined;
  #receiver: (frame: WorkerFrame) => void = () => undefined;
  #drained: Promise<void> = Promise.resolve();

  constructor(readonly id = 'fake') {
    this.exited = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  onFrame(receiver: (frame: WorkerFrame) => void): void {
    this.#receiver = receiver;
  }

  /** Has the worker send a frame. */
  say(message: WorkerFrame['message'], payload: Uint8Array | string = ''): void {
    this.#receiver({ message, payload: typeof payload === 'string' ? Buffer.from(payload) : payload });
  }

  /** Ends the worker by itself. */
  exit(exit: Partial<WorkerExit> = {}): void {
    this.#end({ reason: 'exited', code: 1, signal: null, detail: '', ...exit });
  }

  /** From now on nothing that is sent is taken. */
  stopReading(): void {
    this.#drained = new Promise(() => undefined);
  }

  send(frame: HostFrame): void {
    this.sent.push(frame);
  }

  drained(): Promise<void> {
    return this.#drained;
  }

  pause(): void {
    this.calls.push('pause');
  }

  resume(): void {
    this.calls.push('resume');
  }

  limitMemory(memoryMb: number): void {
    this.calls.push(`limit ${memoryMb}`);
  }

  rest(): void {
    this.calls.push('rest');
  }

  lowerPriority(forGood: boolean): void {
    this.calls.push(`lower ${forGood}`);
  }

  restorePriority(): void {
    this.calls.push('restore');
  }

  async residentBytes(): Promise<number | undefined> {
    return 1;
  }

  async kill(): Promise<void> {
    this.calls.push('kill');
    this.#end({ reason: 'killed', code: null, signal: 'SIGKILL', detail: '' });
    await this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
