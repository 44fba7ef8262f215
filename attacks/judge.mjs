// @ts-check
import { listOf } from './case-format.mjs';

/** @typedef {import('./answer.mjs').Answer} Answer */
/** @typedef {Record<string, any>} Expect */

/** What may not be in a log, whatever the outcome: canaries and personal data. */
const SECRET = /^CNRY-|@|^\+?[\d -]{7,}$/;
const SHOWN_CHARS = 400;

/**
 * Everything in which answers differ from what was expected; empty: the case holds. An answer must match one of the
 * outcomes; `blocked` matches all that came, but not an answer that never came.
 * @param {Expect} expect
 * @param {readonly Answer[]} answers of the calls of the case, at least one.
 * @param {{ logs?: string, files?: string, totalMs?: number }} [beside] What the server logged; the files that the answer
 *   names; the time of all calls together, where calls were repeated.
 * @returns {string[]}
 */
export function judge(expect, answers, beside = {}) {
  return [
    ...(answers.length === 0 ? ['no call was made'] : []),
    ...answers.flatMap((answer) => [
      ...outcome(expect, answer),
      ...absent(expect, answer, beside),
      ...shape(expect, answer),
      ...http(expect, answer),
    ]),
    ...present(expect, answers),
    ...inTime(expect, answers, beside.totalMs),
  ];
}

/** @param {Expect} expect @param {Answer} answer */
function outcome(expect, answer) {
  const wanted = [...listOf(expect.outcome), ...listOf(expect.outcomeAlso)];
  const [came = ''] = answer.outcomes;
  if (wanted.length === 0 || answer.outcomes.some((each) => wanted.includes(each))) return [];
  if (wanted.includes('blocked') && came !== 'none') return [];
  // A refused request says so by its status; that is judged there.
  if (answer.status !== undefined && expect.status !== undefined) return [];
  const code = answer.code === undefined ? '' : ` (${answer.code})`;
  return [`outcome: expected ${wanted.join(' or ')}, got ${came}${code}: ${shown(answer)}`];
}

/** @param {Expect} expect @param {readonly Answer[]} answers */
function present(expect, answers) {
  const texts = answers.map((answer) => (isAny(expect.scope) ? answer.said : scoped(expect.scope, answer)));
  const wanted = [...listOf(expect.contains), ...listOf(expect.containsAll)];
  return wanted
    .filter((needle) => !texts.some((text) => text.includes(needle)))
    .map(
      (needle) => `expected ${quoted(needle)} in the ${where(expect)}, got: ${texts.map(cut).join(' | ')}`,
    );
}

/** @param {Expect} expect @param {Answer} answer @param {{ logs?: string, files?: string }} beside */
function absent(expect, answer, { logs = '', files = '' }) {
  const isBlocked = [...listOf(expect.outcome), ...listOf(expect.outcomeAlso)].includes('blocked');
  return listOf(expect.notContains).flatMap((needle) => {
    const inAnswer = isBlocked ? answer.all : scoped(expect.scope, answer);
    const found = [];
    if (inAnswer.includes(needle))
      found.push(`${quoted(needle)} is in the answer: ${around(inAnswer, needle)}`);
    if (files.includes(needle)) found.push(`${quoted(needle)} is in a file that the answer names`);
    if ((isBlocked || SECRET.test(needle)) && logs.includes(needle))
      found.push(`${quoted(needle)} is in the log of the server: ${around(logs, needle)}`);
    return found;
  });
}

/** @param {Expect} expect @param {Answer} answer */
function shape(expect, answer) {
  const found = [];
  const { maxResponseBytes: most } = expect;
  if (most !== undefined && answer.bytes > most)
    found.push(`the answer has ${answer.bytes} bytes, at most ${most} were expected`);
  if (expect.validUtf8 !== undefined && answer.validUtf8 !== expect.validUtf8)
    found.push(`valid UTF-8: expected ${expect.validUtf8}, got ${answer.validUtf8}`);
  if (expect.truncationFlagged !== undefined && answer.truncated !== expect.truncationFlagged)
    found.push(`truncation flagged: expected ${expect.truncationFlagged}, got ${answer.truncated}`);
  if (expect.isErrorFlag !== undefined && answer.isError !== expect.isErrorFlag)
    found.push(`isError: expected ${expect.isErrorFlag}, got ${answer.isError}`);
  if (expect.validJson !== undefined && isJson(scopedJson(expect.scope, answer)) !== expect.validJson)
    found.push(`valid JSON: expected ${expect.validJson} of ${cut(scopedJson(expect.scope, answer))}`);
  return found;
}

/** @param {Expect} expect @param {Answer} answer */
function http(expect, answer) {
  const found = [];
  const statuses = listOf(expect.status);
  if (statuses.length > 0 && !statuses.includes(answer.status))
    found.push(`status: expected ${statuses.join(' or ')}, got ${answer.status}: ${shown(answer)}`);
  for (const line of listOf(expect.noHeader)) {
    const colon = line.indexOf(':');
    const [name, value] =
      colon < 0 ? [line, undefined] : [line.slice(0, colon), line.slice(colon + 1).trim()];
    const got = answer.headers?.[name.trim().toLowerCase()];
    if (got !== undefined && (value === undefined || got.trim() === value))
      found.push(`header that may not be there: ${name}: ${got}`);
  }
  return found;
}

/** @param {Expect} expect @param {readonly Answer[]} answers @param {number | undefined} totalMs */
function inTime({ withinSeconds: seconds }, answers, totalMs) {
  if (seconds === undefined) return [];
  const times = totalMs === undefined ? answers.map(({ ms }) => ms) : [totalMs];
  const slowest = Math.max(...times);
  return slowest > seconds * 1000
    ? [`the answer took ${(slowest / 1000).toFixed(1)} s, at most ${seconds} s were expected`]
    : [];
}

/** @param {string | undefined} scope @param {Answer} answer */
function scoped(scope, answer) {
  if (scope === 'stdout') return answer.stdout;
  if (scope === 'stderr') return answer.stderr;
  return scope === 'result' ? resultText(answer) : answer.all;
}

/** A result that is a text is looked at as it is and as JSON. @param {Answer} answer */
function resultText(answer) {
  if (!('result' in answer)) return '';
  const json = JSON.stringify(answer.result) ?? '';
  return typeof answer.result === 'string' ? `${answer.result}\n${json}` : json;
}

/** @param {string | undefined} scope @param {Answer} answer */
function scopedJson(scope, answer) {
  if (scope !== 'result') return answer.wire;
  return 'result' in answer ? (JSON.stringify(answer.result) ?? '') : answer.isError ? answer.wire : '';
}

/** @param {string} text */
function isJson(text) {
  try {
    // Node takes no NaN and no Infinity, as JSON has none.
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @param {string | undefined} scope */
function isAny(scope) {
  return scope === undefined || scope === 'any' || scope === 'all';
}

/** @param {Expect} expect */
function where({ scope }) {
  return isAny(scope) ? 'answer' : String(scope);
}

/** @param {Answer} answer */
function shown(answer) {
  return cut(answer.wire || answer.all);
}

/** @param {string} text */
function cut(text) {
  return JSON.stringify(text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}...` : text);
}

/** @param {string} text @param {string} needle */
function around(text, needle) {
  const at = text.indexOf(needle);
  return JSON.stringify(text.slice(Math.max(0, at - 80), at + needle.length + 40));
}

/** @param {unknown} needle */
function quoted(needle) {
  return JSON.stringify(needle);
}
