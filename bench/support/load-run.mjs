// @ts-check
import { setMaxListeners } from 'node:events';
import { benignStep, HOSTILE_KINDS, hostileCode } from './load-programs.mjs';

/** @typedef {import('../../scripts/support/server-process.mjs').ServerProcess} ServerProcess */

/**
 * @typedef {object} LoadOptions
 * @property {number} sessions
 * @property {number} hostilePercent 0 to 100; the hostile ones are spread evenly.
 * @property {number} seconds
 * @property {number} thinkMs Mean pause between an answer and the next call; each is between 0 and twice that.
 * @property {boolean} fresh Calls without a session, each in a fresh interpreter.
 * @property {readonly string[]} [kinds] Of the hostile programs; default: all.
 * @property {(lane: number, turn: number, isHostile: boolean) => string} [sessionName] Default: one session for the whole time.
 */

/**
 * @typedef {object} LoadResult
 * @property {number[]} benignMs Time of each benign answer.
 * @property {number} right Benign answers that were right.
 * @property {string[]} wrong The first wrong ones.
 * @property {number} busy Answers `busy`, whoever asked.
 * @property {Record<string, number>} hostile Answers to hostile calls, by outcome.
 * @property {number} seconds
 */

const KEPT_WRONG = 5;
const OPENERS = 4;
/** A session that was lost answers so once; a hostile one goes on then. */
const HOSTILE_PAUSE_MS = 20;

/**
 * Opens the sessions of a load, a few at a time, so that the starts of their interpreters are not part of what is measured.
 * @param {ServerProcess} server
 * @param {number} sessions
 */
export async function openSessions(server, sessions) {
  let lane = 0;
  const opener = async () => {
    while (lane < sessions) {
      const answer = await server.call('execute_code', { code: 'None', session: `lane-${lane++}` });
      if (answer.isError) throw new Error(`a session could not be opened:\n${answer.text}`);
    }
  };
  await Promise.all(Array.from({ length: OPENERS }, opener));
}

/**
 * Sessions at the same time for a while: each sends its next call when the former is answered and it has thought. The thinking of
 * session n is the same in every run. At the end benign calls are waited for and hostile ones are cancelled.
 * @param {ServerProcess} server
 * @param {LoadOptions} options
 * @returns {Promise<LoadResult>}
 */
export async function runLoad(server, options) {
  const { sessions, hostilePercent, seconds, thinkMs, fresh, kinds = HOSTILE_KINDS } = options;
  const sessionName = options.sessionName ?? ((lane) => `lane-${lane}`);
  /** @type {LoadResult} */
  const result = { benignMs: [], right: 0, wrong: [], busy: 0, hostile: {}, seconds: 0 };
  const started = performance.now();
  const end = started + seconds * 1000;
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);

  /** @param {number} lane */
  async function benign(lane) {
    const pause = pauses(lane, thinkMs);
    /** State belongs to a session name: a new name begins anew. */
    let since = 0;
    let name = '';
    await pause();
    for (let turn = 0; performance.now() < end; turn++) {
      const next = sessionName(lane, turn, false);
      if (next !== name) [name, since] = [next, turn];
      const step = benignStep(lane, turn - since, !fresh);
      const answer = await server.call('execute_code', {
        code: step.code,
        ...(fresh ? {} : { session: name }),
      });
      result.benignMs.push(answer.ms);
      if (answer.code === 'busy') result.busy += 1;
      if (!answer.isError && answer.data.result === step.result) result.right += 1;
      else if (result.wrong.length < KEPT_WRONG)
        result.wrong.push(`${name}, call ${turn}: ${answer.text.slice(0, 300)}`);
      await pause();
    }
  }

  /**
   * @param {number} lane
   * @param {number} index
   */
  async function hostile(lane, index) {
    const pause = pauses(lane, HOSTILE_PAUSE_MS);
    for (let turn = 0; performance.now() < end; turn++) {
      const args = {
        code: hostileCode(kinds, index, turn),
        ...(fresh ? {} : { session: sessionName(lane, turn, true) }),
      };
      const outcome = await server.call('execute_code', args, { signal: stop.signal }).then(
        (answer) => answer.code ?? (answer.isError ? 'error' : 'ok'),
        (error) => (stop.signal.aborted ? 'still running' : String(error)),
      );
      result.hostile[outcome] = (result.hostile[outcome] ?? 0) + 1;
      if (outcome === 'busy') result.busy += 1;
      await pause();
    }
  }

  let hostiles = 0;
  const lanes = { benign: /** @type {Promise<void>[]} */ ([]), hostile: /** @type {Promise<void>[]} */ ([]) };
  for (let lane = 0; lane < sessions; lane++) {
    const due = Math.floor(((lane + 1) * hostilePercent) / 100);
    if (due > hostiles) lanes.hostile.push(hostile(lane, hostiles++));
    else lanes.benign.push(benign(lane));
  }
  const timer = setTimeout(() => stop.abort(), seconds * 1000);
  await Promise.all(lanes.benign);
  result.seconds = (performance.now() - started) / 1000;
  await Promise.all(lanes.hostile);
  clearTimeout(timer);
  return result;
}

/**
 * @param {number} seed
 * @param {number} meanMs
 */
function pauses(seed, meanMs) {
  let state = (seed + 1) * 2_654_435_761;
  return () => {
    // A linear congruential generator: only the spread of the pauses matters.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const ms = (state / 2 ** 32) * 2 * meanMs;
    return new Promise((resolve) => setTimeout(resolve, ms));
  };
}
