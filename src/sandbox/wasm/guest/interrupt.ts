import type { EmscriptenModule } from './pyodide-types.js';

const SIGINT = 2;
/** An interrupt that code swallowed comes again after this long. */
const REPEAT_MS = 100;

const now = performance.now.bind(performance);
let deadline = Number.POSITIVE_INFINITY;
let lastFired = 0;

/**
 * The interpreter polls this "buffer" every few bytecodes. Instead of a shared buffer that a second thread writes, it is
 * an object that looks at the clock: no thread, no shared memory, nothing to race.
 */
const clockBuffer = {
  get 0(): number {
    const time = now();
    if (time < deadline || time - lastFired < REPEAT_MS) return 0;
    lastFired = time;
    return SIGINT;
  },
  set 0(_: number) {
    // The interpreter clears the signal it has read; the clock decides when it comes again.
  },
};

/** From now on until `disarm`, SIGINT is raised in Python every 100 ms once `timeoutMs` have passed. */
export function armDeadline(module: EmscriptenModule, timeoutMs: number): void {
  deadline = now() + timeoutMs;
  lastFired = 0;
  module.Py_EmscriptenSignalBuffer = clockBuffer;
  module.HEAP8[module._Py_EMSCRIPTEN_SIGNAL_HANDLING] = 1;
}

export function disarmDeadline(module: EmscriptenModule): void {
  deadline = Number.POSITIVE_INFINITY;
  module.HEAP8[module._Py_EMSCRIPTEN_SIGNAL_HANDLING] = 0;
}

/** Seconds to the deadline, negative after it. */
export function remainingSeconds(): number {
  return (deadline - now()) / 1000;
}
