// @ts-check
import { FrameReader } from '../../dist/wire/frames.js';

/** @typedef {import('../../dist/wire/frames.js').WorkerFrame} WorkerFrame */
/** @typedef {import('../../dist/wire/frames.js').HostFrame} HostFrame */
/** @typedef {import('../../dist/sandbox/sandbox.js').Worker} Worker */

/** A worker without a process: it says the bytes that it is given, and ends as ours do when they break the protocol. @implements {Worker} */
export class BytesWorker {
  id = 'fuzz';
  #reader = new FrameReader();
  /** @type {(frame: WorkerFrame) => void} */
  #receiver = () => undefined;
  /** @type {(exit: import('../../dist/sandbox/sandbox.js').WorkerExit) => void} */
  #end = () => undefined;
  #onRun;
  #alive = true;
  /** @type {Promise<import('../../dist/sandbox/sandbox.js').WorkerExit>} */
  exited = new Promise((resolve) => {
    this.#end = resolve;
  });

  /** @param {(worker: BytesWorker, runId: string) => void} onRun what it does with a run */
  constructor(onRun) {
    this.#onRun = onRun;
  }

  /** @param {Uint8Array} bytes */
  say(bytes) {
    if (!this.#alive) return;
    try {
      for (const frame of this.#reader.push(bytes)) this.#receiver(frame);
    } catch {
      this.end('protocol');
    }
  }

  /** @param {import('../../dist/sandbox/sandbox.js').WorkerExit['reason']} reason */
  end(reason) {
    this.#alive = false;
    this.#end({ reason, code: 1, signal: null, detail: '' });
  }

  /** @param {(frame: WorkerFrame) => void} receiver */
  onFrame(receiver) {
    this.#receiver = receiver;
  }

  /** @param {HostFrame} frame */
  send({ message }) {
    if (message.type === 'run') this.#onRun(this, message.id);
  }

  async kill() {
    this.end('killed');
  }

  async [Symbol.asyncDispose]() {
    this.end('killed');
  }

  async drained() {}
  pause() {}
  resume() {}
  limitMemory() {}
  rest() {}
  lowerPriority() {}
  restorePriority() {}
  async residentBytes() {
    return undefined;
  }
}
