// @ts-check
import { inLanes, readCases } from './support/case-set.mjs';
import { startLane } from './support/lane.mjs';

/** @typedef {{ outcome: string[], containsAny?: string[], containsAll?: string[], notContains?: string[], maxChars?: number, maxSeconds?: number }} Expect */
/** @typedef {{ id: string, kind: string, code: string, prior?: string[], session?: string, files?: Record<string, string>, files64?: Record<string, string>, timeout_seconds?: number, expect: Expect }} Case */

/** Two lanes would let one case's work slow another's, and some cases are about time. */
const LANES = 1;

/**
 * How well are the usual mistakes answered? `min` is the number of cases that must be answered well.
 * @param {{ set?: string | undefined, backend?: string | undefined, min?: number | undefined }} options
 * @returns {Promise<import('./support/measure.mjs').Result>}
 */
export async function bench({ set, backend, min }) {
  /** @type {Case[]} */
  const cases = readCases(set);
  const lanes = await Promise.all(Array.from({ length: LANES }, () => startLane(backend)));
  /** @type {{ id: string, kind: string, why: string | undefined, text: string }[]} */
  let judged;
  try {
    judged = await inLanes(cases, lanes, {
      judge,
      onFault: ({ id, kind }, error) => ({ id, kind, why: `server: ${error}`, text: '' }),
    });
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
  }
  for (const { id, why, text } of judged)
    if (why) console.log(`bad  ${id}: ${why}\n${text.slice(0, 600).replace(/^/gm, '     | ')}`);
  const good = judged.filter((item) => item.why === undefined).length;
  const bar = min === undefined ? {} : { bar: `>= ${min}`, held: good >= min };
  return {
    title: `usual mistakes of ${set?.split('/').pop()}`,
    notes: [],
    rows: [{ name: 'answered well', value: good, unit: `of ${judged.length}`, ...bar }],
    data: judged,
  };
}

/**
 * @param {import('./support/lane.mjs').Lane} lane
 * @param {Case} item
 */
async function judge(lane, item) {
  await lane.empty();
  await lane.write(item.files ?? {}, 'utf-8');
  await lane.write(item.files64 ?? {}, 'base64');
  const session = item.session ? { session: `${item.session}-${item.id}` } : {};
  for (const code of item.prior ?? []) await lane.execute({ code, ...session });
  const timeout = item.timeout_seconds ? { timeout_seconds: item.timeout_seconds } : {};
  const answer = await lane.execute({ code: item.code, ...session, ...timeout });
  return { id: item.id, kind: item.kind, why: fault(item.expect, answer), text: answer.text };
}

/**
 * What is wrong with the answer, or undefined.
 * @param {Expect} expect
 * @param {import('./support/lane.mjs').Answer} answer
 */
function fault(expect, answer) {
  const outcome = answer.isError ? (answer.code ?? 'no code') : 'ok';
  const accepted = new Set(expect.outcome);
  if (accepted.has('python_error')) accepted.add('import_denied');
  if (!accepted.has(outcome)) return `outcome ${outcome}, accepted: ${expect.outcome.join(', ')}`;
  const seen = `${answer.text}\n${JSON.stringify(answer.data)}`.toLowerCase();
  const has = (/** @type {string} */ text) => seen.includes(text.toLowerCase());
  if (expect.containsAny && !expect.containsAny.some(has))
    return `none of ${JSON.stringify(expect.containsAny)}`;
  const absent = expect.containsAll?.find((text) => !has(text));
  if (absent !== undefined) return `lacks ${JSON.stringify(absent)}`;
  const present = expect.notContains?.find(has);
  if (present !== undefined) return `has ${JSON.stringify(present)}`;
  if (expect.maxChars && answer.text.length > expect.maxChars)
    return `${answer.text.length} characters, at most ${expect.maxChars}`;
  if (expect.maxSeconds && answer.ms > expect.maxSeconds * 1000)
    return `${answer.ms} ms, at most ${expect.maxSeconds} s`;
  return undefined;
}
