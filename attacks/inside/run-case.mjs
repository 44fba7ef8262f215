// @ts-check

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { noAnswer } from '../answer.mjs';
import { listOf } from '../case-format.mjs';
import { judge } from '../judge.mjs';
import { replaceIn, variantsOf } from '../placeholders.mjs';
import { ACTIONS, sendAgain } from './actions.mjs';
import { Canaries } from './canaries.mjs';
import { Before, hostCheck } from './host-checks.mjs';
import { hostPosture } from './host-posture.mjs';
import { prepareHost } from './prepare-host.mjs';
import { Product } from './product.mjs';
import { Sampler } from './sampler.mjs';
import { DEFAULT_LIMITS } from './tool-call.mjs';
import { reachedCalls, serverEntries } from './tools-config.mjs';
import { sessionsOf, transportOf } from './transport.mjs';

/** @typedef {import('../case-format.mjs').Case} Case */
/** @typedef {import('../answer.mjs').Answer} Answer */
/** @typedef {{ case: Case, backend: string, unprotected: boolean }} Job */
/** @typedef {{ failures: string[], ms: number, notes: string[] }} CaseResult */

/** Checks that look at what was before or at the peak; they need a server that has come to rest. */
const NEEDS_REST = /rssBounded|noLeftoverProcesses|procsBounded|fdsBounded|shmClean/;
const NO_POOL = { ready: 0, starting: 0, active: 0 };
const PLANTING = 'link-special-file';
const PLANT_MS = 10_000;
/** A session that both leave alone would change the files that are compared. */
const BEFORE_NEXT = /workspaceStable/;

/**
 * Runs one case from its canaries to its last check.
 * @param {Job} job
 * @returns {Promise<CaseResult>}
 */
export async function runCase({ case: each, backend, unprotected }) {
  const started = performance.now();
  /** @type {Stage} */
  let stage;
  try {
    stage = await setStage(each, backend, unprotected);
  } catch (error) {
    return { failures: [error instanceof Error ? error.message : String(error)], ms: 0, notes: [] };
  }
  try {
    const failures = await play(stage);
    return { failures, ms: performance.now() - started, notes: stage.notes };
  } finally {
    stage.sampler?.stop();
    await stage.subject.close();
  }
}

/**
 * @typedef {object} Stage
 * @property {Case} case with its placeholders replaced.
 * @property {any} subject the product, or what stands in for it.
 * @property {string} backend
 * @property {string} home
 * @property {Canaries} canaries
 * @property {import('./tool-call.mjs').Limits} limits
 * @property {() => import('./tools-config.mjs').ReachedCall[]} calls
 * @property {any[]} forms
 * @property {string[]} notes
 * @property {Sampler} [sampler]
 */

/** @param {Case} raw @param {string} backend @param {boolean} unprotected @returns {Promise<Stage>} */
async function setStage(raw, backend, unprotected) {
  const home = homedir();
  const transport = transportOf(raw);
  const canaries = await Canaries.set(home);
  const workspaces = path.join(home, 'data', 'workspaces');
  const nameOf = (/** @type {string} */ session) => Product.principalOf(session, transport);
  /** @type {Record<string, string>} */
  const values = {
    ...canaries.values,
    WORKSPACE_HOST: path.join(workspaces, nameOf('A')),
    WORKSPACE_NAME: nameOf('A'),
    SESSION_A: nameOf('A'),
    SESSION_B: transport === 'http' ? nameOf('B') : 'session-b',
    TOOL_EXECUTE: 'execute_code',
    HOST_HOME: home,
    HOST_NAME: hostname(),
    HOST_USER: process.env.USER ?? '',
  };
  /** @type {Case} */
  const each = replaceIn(raw, values);
  const limits = { ...DEFAULT_LIMITS, ...each.setup?.limits };
  const tools = each.setup?.tools ?? [];
  const toolsFolder = path.join(home, 'tools');
  mkdirSync(toolsFolder, { recursive: true });
  const { env, config } = prepareHost(each.setup?.host ?? []);
  /** @type {any[]} */
  const forms = [];
  const options = {
    ...{ transport, backend, home, limits },
    // What has no walls may never answer; that it is late shows as well.
    ...(unprotected ? { isBare: true, answerMs: (each.expect.withinSeconds ?? 15) * 1000 + 1_000 } : {}),
    sessions: sessionsOf(each),
    env: { ...env, [values.CANARY_ENV ?? '']: values.CANARY_VALUE ?? '' },
    config: {
      ...config,
      // Sessions keep their interpreter until then: what is there afterwards is left over.
      ...(each.action === 'load' ? { sandbox: { sessionIdleSeconds: 10 } } : {}),
      ...privacyOf(tools, config),
      mcpServers: { ...Object(config.mcpServers), ...serverEntries(tools, toolsFolder, 'A') },
    },
    onForm: (/** @type {any} */ params) => {
      forms.push(params);
      return { action: 'accept', content: { allow: true } };
    },
  };
  const subject = await Product.start(options);
  canaries.settle();
  return {
    ...{ case: each, subject, backend, home, canaries, limits, forms, notes: [] },
    calls: () => reachedCalls(tools, toolsFolder),
  };
}

/** All kinds, where personal data is what a case is about. @param {Record<string, any>[]} tools @param {object} config */
function privacyOf(tools, config) {
  const isPersonal = tools.some((tool) => 'pii' in tool || 'mayReceivePii' in tool);
  return isPersonal
    ? { privacy: { detect: 'full', ...Object('privacy' in config ? config.privacy : {}) } }
    : {};
}

/** @param {Stage} stage @returns {Promise<string[]>} */
async function play(stage) {
  const { case: each, subject, home, canaries } = stage;
  const { expect } = each;
  const hostChecks = [...new Set(/** @type {string[]} */ (expect.host ?? []))];
  const needsPool = hostChecks.some((name) => NEEDS_REST.test(name));
  for (const step of each.setup?.steps ?? []) await plant(stage, step);
  if (needsPool) {
    await callOnce(stage, 'execute_code', { code: 'print(1)' }, 'A');
    await subject.atRest();
  }
  canaries.settle();
  const before = new Before(subject, home, needsPool ? await subject.pool() : NO_POOL);
  const sampler = new Sampler(subject.pid, [home, '/tmp']);
  stage.sampler = sampler;

  const beside = [...listOf(each.setup?.concurrent), ...listOf(each.setup?.parallel?.load)].map((step) =>
    takeStep(stage, step),
  );
  const started = performance.now();
  const act = ACTIONS[each.action];
  const outcome = act
    ? await act(stage, each)
    : { answers: await callAll(stage, each.action, each.input, each.session ?? 'A') };
  const { failures: own = [] } = outcome;
  const [first] = outcome.answers;
  const posture = first && (await hostPosture(subject, String(each.input?.code ?? ''), first));
  const answers = posture ?? outcome.answers;
  const answeredAt = performance.now();
  const probes = await Promise.all(listOf(each.setup?.parallel?.probe).map((step) => takeStep(stage, step)));
  const all = [...answers, ...probes.flat()];
  const totalMs = each.input?.repeatCall === undefined ? undefined : answeredAt - started;
  const files = await filesOf(stage, answers, each.session ?? 'A');

  const scene = {
    ...{ subject, canaries, before, sampler, answers, answeredAt, home },
    ...{ calls: stage.calls, forms: stage.forms, limits: stage.limits, replay: () => replay(stage, each) },
  };
  const check = async (/** @type {string[]} */ names) => {
    const found = [];
    for (const name of names) found.push(await hostCheck(name, scene));
    return found.filter((problem) => problem !== undefined);
  };
  const failures = [...own];
  failures.push(...(await check(hostChecks.filter((name) => BEFORE_NEXT.test(name)))));
  failures.push(...(await further(stage, expect)));
  failures.push(...(await check(hostChecks.filter((name) => !BEFORE_NEXT.test(name)))));
  await Promise.all(beside);
  failures.push(
    ...judge(judged(each), all, { logs: subject.log, files, ...(totalMs === undefined ? {} : { totalMs }) }),
  );
  return failures;
}

/** The load judges its own answers. @param {Case} each */
function judged({ action, expect }) {
  return action === 'load' ? { ...expect, outcome: undefined, outcomeAlso: undefined } : expect;
}

/** The calls that follow: for survival and for what was left behind. @param {Stage} stage @param {Record<string, any>} expect */
async function further(stage, { next, then }) {
  const failures = [];
  if (next) {
    const { code, session = stage.case.session ?? 'A', ...expected } = next;
    const answers = await callAll(stage, 'execute_code', { code }, session);
    failures.push(...judge(expected, answers, {}).map((problem) => `next: ${problem}`));
  }
  for (const { action = 'execute_code', input, code, session, expect, ...inline } of listOf(then)) {
    const answers = await callAll(stage, action, input ?? { code }, session ?? stage.case.session ?? 'A');
    const problems = judge({ ...inline, ...expect }, answers, { logs: stage.subject.log });
    failures.push(...problems.map((problem) => `then: ${problem}`));
  }
  return failures;
}

/**
 * A step of the case. What a wall has kept the guest from planting in its workspace is planted by the host: the case is
 * about what comes next, and the wall behind this one.
 * @param {Stage} stage
 * @param {Record<string, any>} step
 */
async function plant(stage, step) {
  const answers = await takeStep(stage, step);
  const { action = 'execute_code', session = 'A', input } = step;
  const isRefused = answers.some(({ isError, stdout }) => isError || stdout.includes('BLOCKED'));
  if (action !== 'execute_code' || !isRefused || stage.case.kind !== PLANTING) return;
  const cwd = stage.subject.workspaceOf(session);
  mkdirSync(cwd, { recursive: true, mode: 0o700 });
  spawnSync('/usr/bin/python3', ['-I', '-c', input.code], { cwd, timeout: PLANT_MS });
}

/** @param {Stage} stage @param {Record<string, any>} step @returns {Promise<Answer[]>} */
async function takeStep(
  stage,
  { session = 'A', action = 'execute_code', input = {}, repeatCall, afterMs = 0 },
) {
  await delay(afterMs);
  return callAll(stage, action, repeatCall === undefined ? input : { ...input, repeatCall }, session);
}

/**
 * One call for each variant, each as often as the case says.
 * @param {Stage} stage @param {string} action @param {Record<string, any>} input @param {string} session
 * @returns {Promise<Answer[]>}
 */
export async function callAll(stage, action, input, session) {
  const answers = [];
  let counter = 0;
  for (const variant of variantsOf(input)) {
    for (let n = 0; n < Number(input.repeatCall ?? 1); n++) {
      const values = { COUNTER: String(counter), CALL_INDEX: String(counter), SESSION_INDEX: '0' };
      answers.push(await callOnce(stage, action, replaceIn(variant, values), session));
      counter++;
    }
  }
  return answers;
}

/** @param {Stage} stage @param {string} action @param {Record<string, any>} input @param {string} session @returns {Promise<Answer>} */
async function callOnce(stage, action, input, session) {
  const own = ACTIONS[action];
  if (own) {
    const { answers } = await own(stage, { ...stage.case, action, input, session });
    return answers[0] ?? noAnswer('no call was made', 0);
  }
  return stage.subject.call(action, input, session);
}

/** @param {Stage} stage @param {readonly Answer[]} answers @param {string} session */
async function filesOf(stage, answers, session) {
  let all = '';
  if (stage.case.expect.notContains === undefined) return all;
  for (const answer of answers.slice(0, 20)) all += await stage.subject.filesOf(answer, session);
  return all;
}

/** @param {Stage} stage @param {Case} each */
async function replay({ subject, calls }, each) {
  if (each.action === 'http_request') {
    return sendAgain(subject, each);
  }
  const before = calls().length;
  if (!subject.repeatFormAnswer()) return true;
  await delay(500);
  return calls().length > before;
}
