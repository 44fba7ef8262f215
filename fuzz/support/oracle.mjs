// @ts-check
/** What targets say when a promise is broken. */
import { CodeExecutionError } from '../../dist/core/errors.js';

/** A broken promise. */
export class Broken extends Error {
  /** @override */
  name = 'Broken';
}

/**
 * @param {unknown} holds
 * @param {string | (() => string)} what the sentence that is not true
 * @returns {asserts holds}
 */
export function insist(holds, what) {
  if (!holds) throw new Broken(typeof what === 'string' ? what : what());
}

/** No input may have reached the prototype of all objects. */
export function insistUnpolluted() {
  const one = /** @type {Record<string, unknown>} */ ({});
  insist(one.polluted === undefined && one.a === undefined, 'the prototype of all objects was changed');
}

/** Whether two values are the same JSON; nested however deep, which Node's own comparison is not made for. @param {unknown} a @param {unknown} b */
export function sameJson(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * @template T
 * @typedef {{ readonly value: T, readonly refused?: undefined } | { readonly value?: undefined, readonly refused: string }} Attempt
 */

/**
 * The result of `work`, or the documented code with which it was refused; anything else that is thrown is a crash.
 *
 * @template T
 * @param {readonly string[]} codes
 * @param {() => T} work
 * @returns {Attempt<T>}
 */
export function attempt(codes, work) {
  try {
    return { value: work() };
  } catch (error) {
    return refusal(codes, error);
  }
}

/**
 * The same for work that takes its time.
 *
 * @template T
 * @param {readonly string[]} codes
 * @param {() => Promise<T>} work
 * @returns {Promise<Attempt<T>>}
 */
export async function attemptAsync(codes, work) {
  try {
    return { value: await work() };
  } catch (error) {
    return refusal(codes, error);
  }
}

/**
 * @param {readonly string[]} codes
 * @param {unknown} error
 */
function refusal(codes, error) {
  if (error instanceof CodeExecutionError && codes.includes(error.code)) return { refused: error.code };
  throw error;
}
