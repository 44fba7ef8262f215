// @ts-check
/** Runs a target on inputs from a seed, and makes the input that breaks it small. */
import fc from 'fast-check';
import { Random } from './random.mjs';

/**
 * What is fuzzed. `check` throws when the promise is broken; a number that it returns counts what it examined (else 1).
 *
 * @template T
 * @typedef {object} Target
 * @property {string} promise what holds for any input: the end of a sentence that begins with the name of the target
 * @property {number} runs cases in `npm test`
 * @property {fc.Arbitrary<T>} input
 * @property {(input: T) => void | number | Promise<void | number>} check
 * @property {FastLoop<T>} [fast] in place of `input` in long runs
 * @property {() => Promise<void>} [close]
 */

/**
 * @template T
 * @typedef {object} FastLoop
 * @property {(random: Random) => T} make
 * @property {(input: T) => Iterable<T>} smaller candidates, the smallest first
 */

/** @typedef {{ seed: number, error: string, input: string }} Crash */
/** @typedef {{ cases: number, examined: number, crash?: Crash }} Batch */

/**
 * @template T
 * @param {Target<T>} target
 * @param {{ seed: number, runs: number, limitMs?: number }} batch `limitMs`: ends it, also the search for a smaller input
 * @returns {Promise<Batch>}
 */
export async function runBatch(target, { seed, runs, limitMs }) {
  return target.fast ? runFast(target, target.fast, seed, runs) : runFastCheck(target, seed, runs, limitMs);
}

/**
 * @template T
 * @param {Target<T>} target
 * @param {number} seed
 * @param {number} runs
 * @param {number | undefined} limitMs
 * @returns {Promise<Batch>}
 */
async function runFastCheck(target, seed, runs, limitMs) {
  let examined = 0;
  const property = fc.asyncProperty(target.input, async (input) => {
    examined += (await target.check(input)) ?? 1;
  });
  const result = await fc.check(property, {
    seed,
    numRuns: runs,
    ...(limitMs ? { interruptAfterTimeLimit: limitMs } : {}),
  });
  if (!result.failed) return { cases: result.numRuns, examined };
  const [input] = result.counterexample ?? [];
  return { cases: result.numRuns, examined, crash: crashOf(seed, result.errorInstance, fc.stringify(input)) };
}

/**
 * @template T
 * @param {Target<T>} target
 * @param {FastLoop<T>} fast
 * @param {number} seed
 * @param {number} runs
 * @returns {Promise<Batch>}
 */
async function runFast(target, fast, seed, runs) {
  const random = new Random(seed);
  let examined = 0;
  // A refusal with its stack costs more than what refuses.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  for (let at = 0; at < runs; at += 1) {
    const input = fast.make(random);
    try {
      examined += (await target.check(input)) ?? 1;
    } catch (error) {
      Error.stackTraceLimit = stackTraceLimit;
      const small = await shrunk(target, fast, input, error);
      return { cases: at + 1, examined, crash: crashOf(seed, small.error, fc.stringify(small.input)) };
    }
  }
  Error.stackTraceLimit = stackTraceLimit;
  return { cases: runs, examined };
}

/** Candidates that are tried before the smallest so far is shown. */
const MAX_TRIES = 20_000;

/**
 * @template T
 * @param {Target<T>} target
 * @param {FastLoop<T>} fast
 * @param {T} found
 * @param {unknown} error
 */
async function shrunk(target, fast, found, error) {
  let best = { input: found, error };
  let tries = 0;
  for (let goesOn = true; goesOn; ) {
    goesOn = false;
    for (const input of fast.smaller(best.input)) {
      if (++tries > MAX_TRIES) return best;
      const thrown = await errorOf(target, input);
      if (thrown === undefined) continue;
      best = { input, error: thrown.error };
      goesOn = true;
      break;
    }
  }
  return best;
}

/**
 * @template T
 * @param {Target<T>} target
 * @param {T} input
 */
async function errorOf(target, input) {
  try {
    await target.check(input);
    return undefined;
  } catch (error) {
    return { error };
  }
}

/**
 * @param {number} seed
 * @param {unknown} error
 * @param {string} input
 * @returns {Crash}
 */
function crashOf(seed, error, input) {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { seed, error: text, input };
}
