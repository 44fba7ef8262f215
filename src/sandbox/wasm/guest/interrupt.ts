import type { EmscriptenModule } from './pyodide-types.js';

const SIGINT = 2;
/** An interrupt that code swallowed comes again after this long. */
const REPEAT_MS = 100;

const now = performance.now.bind(performance);
let deadline = Number.POSITIVE_INFINITY;
let lastFired = 0;

/** Polls between two looks at the clock: few enough that less than this time passes between them ... */
const CLOSE_MS = 0.5;
/** ... and back to every poll when more than this has passed. */
const FAR_MS = 4;
/** Bounds the delay when code that polls fast turns into code that polls slowly. */
const MAX_STEP = 64;

let step = 1;
let countdown = 1;
let lastLook = 0;

/**
 * Python asks here, every few bytecodes and in many library functions, whether a signal is pending. Instead of a shared
 * buffer that a second thread writes, the answer comes from the clock: no thread, no shared memory, nothing to race.
 * Looking at the clock each time costs a factor of three on text-heavy code, so most polls only count down; how many
 * adapts to how fast they come.
 */
function pendingSignal(): number {
  if (--countdown > 0) return 0;
  const time = now();
  const gap = time - lastLook;
  lastLook = time;
  if (gap > FAR_MS) step = 1;
  else if (gap < CLOSE_MS && step < MAX_STEP) step *= 2;
  countdown = step;
  if (time < deadline || time - lastFired < REPEAT_MS) return 0;
  lastFired = time;
  return SIGINT;
}

/** Replaces Emscripten's own poll, which reads its buffer inside a try block each time. */
export function wrapSignalPoll(env: Record<string, unknown>): void {
  if (!('_Py_CheckEmscriptenSignals_Helper' in env))
    throw new Error('this build of Pyodide polls signals in another way');
  env._Py_CheckEmscriptenSignals_Helper = pendingSignal;
}

/** From now on until `disarm`, SIGINT is raised in Python every 100 ms once `timeoutMs` have passed. */
export function armDeadline(module: EmscriptenModule, timeoutMs: number): void {
  lastLook = now();
  deadline = lastLook + timeoutMs;
  lastFired = 0;
  step = 1;
  countdown = 1;
  module.HEAP8[module._Py_EMSCRIPTEN_SIGNAL_HANDLING] = 1;
}

/** The host's clock stood still for this long. */
export function extendDeadline(ms: number): void {
  deadline += ms;
}

export function disarmDeadline(module: EmscriptenModule): void {
  deadline = Number.POSITIVE_INFINITY;
  module.HEAP8[module._Py_EMSCRIPTEN_SIGNAL_HANDLING] = 0;
}

/** Seconds to the deadline, negative after it. */
export function remainingSeconds(): number {
  return (deadline - now()) / 1000;
}
