// @ts-check
import { inLanes, readCases } from './support/case-set.mjs';
import { startLane } from './support/lane.mjs';
import { firstDifference } from './support/same-value.mjs';

/** @typedef {{ id: string, kind: string, code: string, expect: { result?: unknown, stdout?: string }, needs?: string[], files?: Record<string, string> }} Program */
/** @typedef {{ id: string, kind: string, needs: string[], verdict: 'right' | 'refused' | 'wrong', why: string, ms: number }} Judged */

const LANES = 2;
const TIMEOUT_SECONDS = 60;
/** The largest answer, so that results are compared and not their summaries. */
const MAX_CHARS = 100_000;
/** Codes with which a program that needs what a sandbox lacks may be refused. */
const CLEAR_REFUSALS = new Set(['import_denied', 'python_error']);

/**
 * Does ordinary Python run, with the right answer? Each program is one fresh execute_code call in an empty workspace.
 * @param {{ set?: string | undefined, backend?: string | undefined, every?: number | undefined }} options `every`: each Nth program only.
 * @returns {Promise<import('./support/measure.mjs').Result>}
 */
export async function bench({ set, backend, every = 1 }) {
  if (!Number.isInteger(every) || every < 1) throw new Error('--every takes a whole number from 1');
  /** @type {Program[]} */
  const all = readCases(set);
  const programs = all.filter((_, index) => index % every === 0);
  const lanes = await Promise.all(Array.from({ length: LANES }, () => startLane(backend)));
  /** @type {Judged[]} */
  let judged;
  try {
    judged = await inLanes(programs, lanes, {
      judge,
      onFault: ({ id, kind, needs = [] }, error) => ({
        id,
        kind,
        needs,
        verdict: 'wrong',
        why: `server: ${error}`,
        ms: 0,
      }),
    });
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
  }
  const core = judged.filter((item) => item.needs.length === 0);
  const needs = judged.filter((item) => item.needs.length > 0);
  const wrong = judged.filter((item) => item.verdict === 'wrong');
  for (const item of wrong)
    console.log(`wrong  ${item.id}${item.needs.length ? ` (needs ${item.needs})` : ''}: ${item.why}`);
  const count = (/** @type {Judged[]} */ list, /** @type {string} */ verdict) =>
    list.filter((item) => item.verdict === verdict).length;
  const coreRight = count(core, 'right');
  const needsGood = needs.length - count(needs, 'wrong');
  return {
    title: `programs of ${set?.split('/').pop()}`,
    notes: [
      `Each a fresh run through MCP, ${LANES} servers side by side; ${programs.length} of ${all.length} programs.`,
      ...byKind(core),
    ],
    rows: [
      {
        name: 'core: right',
        value: coreRight,
        unit: `of ${core.length}`,
        bar: 'all',
        held: coreRight === core.length,
      },
      { name: 'needs: right', value: count(needs, 'right'), unit: `of ${needs.length}` },
      {
        name: 'needs: refused with code and next step',
        value: count(needs, 'refused'),
        unit: `of ${needs.length}`,
      },
      {
        name: 'needs: right or refused',
        value: needsGood,
        unit: `of ${needs.length}`,
        bar: 'all',
        held: needsGood === needs.length,
      },
    ],
    data: judged,
  };
}

/**
 * @param {import('./support/lane.mjs').Lane} lane
 * @param {Program} program
 * @returns {Promise<Judged>}
 */
async function judge(lane, program) {
  const base = { id: program.id, kind: program.kind, needs: program.needs ?? [] };
  await lane.empty();
  await lane.write(program.files ?? {}, 'utf-8');
  const answer = await lane.execute({
    code: program.code,
    timeout_seconds: TIMEOUT_SECONDS,
    max_output_chars: MAX_CHARS,
  });
  const ms = Math.round(answer.ms);
  if (answer.isError) {
    const error = /** @type {{ code?: string, type?: string, message?: string, hint?: string }} */ (
      answer.data.error ?? {}
    );
    const why = `${error.code} ${error.type ?? ''}: ${error.message}`.slice(0, 300);
    const refused = base.needs.length > 0 && CLEAR_REFUSALS.has(error.code ?? '') && Boolean(error.hint);
    return { ...base, verdict: refused ? 'refused' : 'wrong', why, ms };
  }
  const why = difference(program.expect, await whole(lane, answer));
  return { ...base, verdict: why === undefined ? 'right' : 'wrong', why: why ?? '', ms };
}

/**
 * Result and output of the answer; what was too large for it is read from the workspace.
 * @param {import('./support/lane.mjs').Lane} lane
 * @param {import('./support/lane.mjs').Answer} answer
 */
async function whole(lane, { data }) {
  return {
    result: data.resource ? JSON.parse(await lane.read(String(data.resource))) : (data.result ?? null),
    stdout: data.output_resource ? await lane.read(String(data.output_resource)) : String(data.output ?? ''),
  };
}

/**
 * @param {Program['expect']} expect
 * @param {{ result: unknown, stdout: string }} came
 * @returns {string | undefined}
 */
function difference(expect, came) {
  const found = 'result' in expect ? firstDifference(expect.result, came.result, 'result') : undefined;
  if (found || expect.stdout === undefined) return found;
  return firstDifference(expect.stdout.trimEnd(), came.stdout.trimEnd(), 'stdout');
}

/** @param {Judged[]} judged */
function byKind(judged) {
  return [...new Set(judged.map((item) => item.kind))].map((kind) => {
    const list = judged.filter((item) => item.kind === kind);
    return `${kind}, core: ${list.filter((item) => item.verdict === 'right').length} of ${list.length}`;
  });
}
