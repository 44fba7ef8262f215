// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { answerOfHttp, isWellFormed, noAnswer } from '../answer.mjs';
import { listOf, OUTCOMES } from '../case-format.mjs';
import { judge } from '../judge.mjs';
import { replaceIn, variantsOf } from '../placeholders.mjs';
import { churn, load } from './load.mjs';
import { sendRequest } from './product.mjs';

/** @typedef {import('../case-format.mjs').Case} Case */
/** @typedef {import('../answer.mjs').Answer} Answer */
/** @typedef {import('./run-case.mjs').Stage} Stage */
/** @typedef {{ answers: Answer[], failures?: string[] }} Acted */

const PING_MS = 20_000;
const DISCONNECT_AFTER_MS = 700;
/** The server notices, and ends the run. */
const AFTERMATH_MS = 500;

/** Actions that are more than one call of a server tool. @type {Record<string, (stage: Stage, each: Case) => Promise<Acted>>} */
export const ACTIONS = {
  http_request: async ({ subject }, { input, session = 'A' }) => {
    const answers = [];
    for (const variant of variantsOf(input)) answers.push(await requested(subject, variant, session));
    return { answers };
  },
  stdio_raw: async ({ subject }, { input }) => ({ answers: [await saidRaw(subject, input.rawLines ?? [])] }),
  load: (stage, each) => (each.input.cycles === undefined ? load(stage, each) : churn(stage, each)),
  parallel: inParallel,
  execute_then_disconnect: executeThenDisconnect,
};

/** @param {any} subject @param {Record<string, any>} input @param {string} session @returns {Promise<Answer>} */
async function requested(subject, input, session) {
  const started = performance.now();
  try {
    return answerOfHttp(await sendRequest(subject, input, session));
  } catch (error) {
    return noAnswer(String(error), performance.now() - started);
  }
}

/** True if the same request is let in once more. @param {any} subject @param {Case} each */
export async function sendAgain(subject, { input, session = 'A' }) {
  const { status = 0 } = await requested(subject, input, session);
  return status < 400;
}

/**
 * Lines as they are, then a ping: the answer is all that came until its answer.
 * @param {any} subject @param {readonly string[]} lines
 * @returns {Promise<Answer>}
 */
async function saidRaw(subject, lines) {
  const from = subject.unasked.length;
  const started = performance.now();
  for (const line of lines) subject.say(line);
  try {
    const client = await subject.client('A');
    await client.request('ping', {}, PING_MS);
  } catch (error) {
    return noAnswer(String(error), performance.now() - started);
  }
  const ms = performance.now() - started;
  await delay(100); // What was read before the ping may be answered after it.
  const came = subject.unasked.slice(from);
  const outcomes = new Set(
    came.map((/** @type {string} */ text) => (/"result"\s*:/.test(text) ? 'ok' : 'error')),
  );
  if (outcomes.size === 0) outcomes.add('error'); // Lines that mean nothing may be left unanswered.
  const wire = came.join('\n');
  const bytes = Buffer.byteLength(wire);
  const rest = {
    wire,
    bytes,
    ms,
    all: wire,
    said: wire,
    stdout: '',
    stderr: '',
    validUtf8: isWellFormed(wire),
    truncated: false,
  };
  return { ...rest, outcomes: /** @type {string[]} */ ([...outcomes]), isError: !outcomes.has('ok') };
}

/** Calls of several sessions at the same time. @param {Stage} stage @param {Case} each @returns {Promise<Acted>} */
async function inParallel(stage, { input, expect }) {
  const steps = listOf(input.calls);
  const names = typeof input.sessions === 'number' ? indexed(input.sessions) : listOf(input.sessions);
  const plan =
    steps.length > 0
      ? steps.map((step, index) => ({ session: step.session ?? 'A', index, ...actionOf(step) }))
      : names.map((session, index) => ({
          ...{
            session: input.same ? 'A' : session,
            index,
            action: 'execute_code',
            input: { code: input.code },
          },
          ...{ repeat: Number(input.callsPerSession ?? 1) },
        }));
  /** @type {string[]} */
  const failures = [];
  const answers = await Promise.all(
    plan.map(async ({ session, index, action, input: own, repeat = 1 }) => {
      const got = [];
      for (let n = 0; n < repeat; n++) {
        const values = {
          SESSION_INDEX: String(index),
          CALL_INDEX: String(n),
          COUNTER: String(index * repeat + n),
        };
        const answer = await stage.subject.call(action, replaceIn(own, values), session);
        failures.push(...ofSession(replaceIn(expect.perSession, values), answer, index));
        got.push(answer);
      }
      return got;
    }),
  );
  return { answers: answers.flat(), failures };
}

/** @param {any} expected a text that the answer has, or an expectation. @param {Answer} answer @param {number} index */
function ofSession(expected, answer, index) {
  if (expected === undefined || expected === null || typeof expected === 'boolean') return [];
  const expect = typeof expected === 'string' ? { contains: expected } : expected;
  return judge(expect, [answer]).map((problem) => `session ${index}: ${problem}`);
}

/** @param {number} count */
function indexed(count) {
  return Array.from({ length: count }, (_, index) => `s${index}`);
}

/** @param {Record<string, any>} step */
function actionOf({ action = 'execute_code', input = {}, repeatCall }) {
  return { action, input, repeat: Number(repeatCall ?? 1) };
}

/** The client leaves in the middle of a run. It gets no answer, so that none is judged. @param {Stage} stage @param {Case} each @returns {Promise<Acted>} */
async function executeThenDisconnect({ subject }, { input, session = 'A' }) {
  const afterMs =
    input.afterMs ?? input.disconnectAfterMs ?? (input.afterSeconds ?? DISCONNECT_AFTER_MS / 1000) * 1000;
  const gone = new AbortController();
  const running = subject.call('execute_code', { code: input.code }, session, { signal: gone.signal });
  await delay(afterMs);
  gone.abort();
  await running;
  await subject.disconnect();
  await delay(AFTERMATH_MS);
  await subject.reconnect();
  const answer = noAnswer('', AFTERMATH_MS);
  return { answers: [{ ...answer, outcomes: [...OUTCOMES] }] };
}
