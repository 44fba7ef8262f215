// @ts-check
import { listOf } from '../case-format.mjs';

/** @typedef {import('../case-format.mjs').Case} Case */

const OVER_HTTP = new Set(['http_request', 'load', 'parallel', 'execute_then_disconnect']);

/**
 * Over HTTP where a case is about HTTP, or where there is more than one caller: a stdio server has one, and two sessions
 * of a case are two callers with workspaces of their own.
 * @param {Case} each
 * @returns {'stdio' | 'http'}
 */
export function transportOf(each) {
  return OVER_HTTP.has(each.action) || sessionsOf(each).length > 1 ? 'http' : 'stdio';
}

/**
 * All callers that a case names, the default one first.
 * @param {Case} each
 * @returns {string[]}
 */
export function sessionsOf({ action, input, session, setup, expect }) {
  const steps = [
    ...(setup?.steps ?? []),
    ...listOf(setup?.concurrent),
    ...listOf(setup?.parallel?.load),
    ...listOf(setup?.parallel?.probe),
    ...(action === 'parallel' ? listOf(input.calls) : []),
    ...listOf(expect.next),
    ...listOf(expect.then),
  ];
  const named = ['A', session, input.session, ...steps.map((step) => step.session)];
  const counted = Array.from({ length: countOf(input.sessions) }, (_, index) => `s${index}`);
  return [...new Set([...named.filter((name) => typeof name === 'string'), ...counted])];
}

/** @param {unknown} sessions a number, or a list of names. */
function countOf(sessions) {
  return typeof sessions === 'number' ? sessions : 0;
}
