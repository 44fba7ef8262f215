// @ts-check
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { splitOnce } from '../case-format.mjs';
import { isAlive, kindsOf, openFiles, processes } from './processes.mjs';
import { sizeOf, treeOf } from './tree.mjs';

const MIB = 1024 * 1024;
const RSS_GROWTH_BYTES = 200 * MIB;
const FD_GROWTH = 20;
/** Pipes and sockets of a worker that waits. */
const FDS_OF_WORKER = 7;
/** Processes of the server itself and of workers that are just being started. */
const PROCESSES_OF_OURS = 12;
/** What the product keeps beside workspaces: logs, tokens, definitions. */
const DISK_OF_OURS_BYTES = 16 * MIB;
const LEFT_OVER_AFTER_MS = 2_000;
const LEFT_OVER_LOOKS = 8;
/** What the runner and the product write below the home folder, whatever a case does. */
const OURS =
  /^(project|cache|tools|cwd|probe\.json|config\.json|data$|data\/(skills|workspaces|keys|vault|audit|definitions|tool-definitions\.lock\.json))(\/|$)|^data$/;
/** Processes that a pool has of each worker. */
const WORKER = /^(bwrap|deno|python)/;
/** Parts of our own program that no traceback of a user may show. */
const HARNESS =
  /ce_runtime|ce_native|_pyodide|pyodide\/|node_modules|\/project\/|["' /](?:app|ce)\/|\bworker\.py/;

/**
 * What a host check may look at.
 * @typedef {object} Scene
 * @property {Subject} subject
 * @property {import('./canaries.mjs').Canaries} canaries
 * @property {Before} before
 * @property {import('./sampler.mjs').Sampler} sampler
 * @property {readonly import('../answer.mjs').Answer[]} answers
 * @property {number} answeredAt of `performance.now()`.
 * @property {() => import('./tools-config.mjs').ReachedCall[]} calls
 * @property {readonly any[]} forms What the person was asked and agreed to.
 * @property {import('./tool-call.mjs').Limits} limits
 * @property {string} home
 * @property {() => Promise<boolean>} replay Does once more what was let through; true if it was let through again.
 */

/** @typedef {{ ready: number, starting: number, active: number }} Pool Workers of the server. */
/**
 * What is attacked: the product, or an interpreter without walls.
 * @typedef {object} Subject
 * @property {number} pid
 * @property {string} log
 * @property {(session: string) => string} workspaceOf
 * @property {() => Promise<string | undefined>} prototypeProblem
 * @property {() => Promise<Pool>} pool
 */

/** How things were before the case began. */
export class Before {
  /** @param {Subject} subject @param {string} home @param {Pool} pool */
  constructor(subject, home, pool) {
    this.pool = pool;
    this.pid = subject.pid;
    this.kinds = kindsOf(processes());
    this.fds = openFiles(subject.pid);
    this.shm = treeOf('/dev/shm');
    this.skills = treeOf(skillsOf(home));
    this.siblings = siblingsOf(subject);
    this.elsewhere = elsewhere(home);
  }
}

/** @type {Record<string, (scene: Scene, argument: string) => Promise<string | undefined> | string | undefined>} */
const CHECKS = {
  listenerUntouched: async ({ canaries }) => {
    await delay(20); // A connection that was made arrives in the next turn.
    return canaries.hits.find((hit) => hit.includes('reached'));
  },
  canaryFileUnchanged: ({ canaries }) => canaries.fileProblem(),
  canaryDirUnchanged: ({ canaries }) => canaries.folderProblem(),
  canaryProcessAlive: ({ canaries }) =>
    isAlive(canaries.process.pid ?? 0)
      ? canaries.hits.find((hit) => hit.startsWith('the canary process'))
      : 'the canary process is dead',
  serverAlive: ({ subject, before }) => {
    if (!isAlive(before.pid)) return 'the server is dead';
    return subject.pid === before.pid
      ? undefined
      : `the server is another process: ${before.pid}, ${subject.pid}`;
  },
  rssBounded: ({ sampler }) =>
    sampler.rssGrowth < RSS_GROWTH_BYTES
      ? undefined
      : `the server grew by ${Math.round(sampler.rssGrowth / MIB)} MB (${Math.round(sampler.rssLeft / MIB)} at the end), at most 200 were expected`,
  noLeftoverProcesses: leftOver,
  procsBounded: ({ sampler, limits }) =>
    sampler.processGrowth <= limits.processes + PROCESSES_OF_OURS
      ? undefined
      : `${sampler.processGrowth} more processes than before, at most ${limits.processes} were allowed`,
  fdsBounded: async ({ subject, before }) => {
    const workers = (await subject.pool()).ready - before.pool.ready;
    const growth = openFiles(subject.pid) - before.fds;
    return growth <= FD_GROWTH + Math.max(0, workers) * FDS_OF_WORKER
      ? undefined
      : `the server has ${growth} more open files than before`;
  },
  diskBounded,
  shmClean: ({ before }) => difference('/dev/shm', before.shm, treeOf('/dev/shm')),
  workspaceStable: async ({ subject, answeredAt }) => {
    await until(answeredAt + 1_000);
    const workspace = subject.workspaceOf('A');
    const then = treeOf(workspace);
    await until(answeredAt + 4_000);
    return difference('the workspace', then, treeOf(workspace));
  },
  workspaceRemovable: ({ subject }) => {
    const workspace = subject.workspaceOf('A');
    try {
      rmSync(workspace, { recursive: true, force: true });
    } catch (error) {
      return `the workspace cannot be removed: ${error}`;
    }
    return existsSync(workspace) ? 'the workspace is still there after its removal' : undefined;
  },
  prototypeClean: ({ subject }) => subject.prototypeProblem(),
  noCoreFile: ({ home }) => {
    const found = [...elsewhere(home), ...treeOf('/tmp'), ...treeOf(path.join(home, 'data'))].find((line) =>
      /(^|\/)core(\.\d+)? /.test(line),
    );
    return found === undefined ? undefined : `there is a core file: ${found}`;
  },
  noHarnessFrames: ({ answers }) => {
    const found = answers.map(({ all }) => HARNESS.exec(all)?.[0]).find((match) => match !== undefined);
    return found === undefined ? undefined : `the answer shows our own program: ${JSON.stringify(found)}`;
  },
  approvedEqualsSent: ({ forms, calls }) => {
    if (forms.length === 0) return 'nobody was asked';
    const approved = forms.map(({ message }) =>
      JSON.parse(/\nArguments: (.*)$/s.exec(message)?.[1] ?? 'null'),
    );
    const other = calls().find(({ args }) => !approved.some((each) => isDeepStrictEqual(each, args)));
    return other && `sent, but not shown to the person: ${JSON.stringify(other)}`;
  },
  replayRejected: async ({ replay }) =>
    (await replay()) ? 'the same was let through a second time' : undefined,
  skillStoreUnchanged: ({ before, home }) =>
    difference('the skill store', before.skills, treeOf(skillsOf(home))),
  noFileOutsideSkills: ({ before, home }) => difference('the home folder', before.elsewhere, elsewhere(home)),
  siblingUnchanged: ({ before, subject }) =>
    difference('what lies beside the workspace', before.siblings, siblingsOf(subject)),
  sinkNotContains: ({ calls }, needle) => {
    const found = calls().find((call) => JSON.stringify(call).includes(JSON.stringify(needle).slice(1, -1)));
    return found && `${needle} came to ${found.server}.${found.tool}`;
  },
  toolNotCalled: ({ calls }, name) =>
    calls().some(({ server, tool }) => `${server}.${tool}` === name) ? `${name} was called` : undefined,
  noFileInWorkspace: ({ subject }, name) =>
    lstatSync(path.join(subject.workspaceOf('A'), name), { throwIfNoEntry: false })
      ? `${name} is in the workspace`
      : undefined,
};

/**
 * @param {string} name as the case has it, `name:argument`.
 * @param {Scene} scene
 * @returns {Promise<string | undefined>} what is wrong.
 */
export async function hostCheck(name, scene) {
  const [head, argument = ''] = splitOnce(name);
  const check = CHECKS[head];
  if (!check) return `unknown host check ${name}`;
  const problem = await check(scene, argument);
  return problem === undefined ? undefined : `${head}: ${problem}`;
}

/** Names of all checks, for a test that compares them with the vocabulary. */
export const HOST_CHECK_NAMES = Object.keys(CHECKS);

/**
 * No run is active, and every process belongs to a kind that was there before. There are no more of a kind than the idle
 * workers explain: each has as many as one had at the start. While a worker is being started there may be more for a
 * moment; what a case left behind stays.
 * @param {Scene} scene
 */
async function leftOver({ subject, before, answeredAt }) {
  await until(answeredAt + LEFT_OVER_AFTER_MS);
  for (let look = 1; ; look++) {
    const { ready, starting, active } = await subject.pool();
    const share = Math.max(1, ready / Math.max(1, before.pool.ready));
    const extra = [...kindsOf(processes())]
      .map(([kind, count]) => ({ kind, more: count - allowed(kind, before, share) }))
      .filter(({ more }) => more > 0);
    if (extra.length === 0 && active === 0) return undefined;
    // The worker of the call that came next may still be ending.
    if (look >= LEFT_OVER_LOOKS || (starting === 0 && active === 0))
      return `left over: ${active} active workers; ${extra.map(({ kind, more }) => `${more} x ${kind}`).join('; ')}`;
    await delay(500);
  }
}

/** @param {string} kind @param {Before} before @param {number} share */
function allowed(kind, before, share) {
  const count = before.kinds.get(kind) ?? 0;
  return WORKER.test(kind) ? Math.ceil(count * share) : count;
}

/** @param {Scene} scene */
function diskBounded({ home, limits, sampler }) {
  const workspaces = path.join(home, 'data', 'workspaces');
  for (const name of existsSync(workspaces) ? readdirSync(workspaces) : []) {
    const { bytes, files, folders } = sizeOf(path.join(workspaces, name));
    if (bytes > limits.diskBytes + MIB)
      return `workspace ${name} has ${bytes} bytes, the limit is ${limits.diskBytes}`;
    if (files > limits.files + 10 || folders > limits.files + 10)
      return `workspace ${name} has ${files} files and ${folders} folders, the limit is ${limits.files}`;
  }
  return sampler.diskGrowth > 2 * limits.diskBytes + DISK_OF_OURS_BYTES
    ? `the disk filled by ${Math.round(sampler.diskGrowth / MIB)} MB`
    : undefined;
}

/** @param {string} what @param {readonly string[]} then @param {readonly string[]} now */
function difference(what, then, now) {
  const [old, present] = [new Set(then), new Set(now)];
  const changed = [
    ...now.filter((line) => !old.has(line)).map((line) => `+ ${line}`),
    ...then.filter((line) => !present.has(line)).map((line) => `- ${line}`),
  ];
  return changed.length === 0 ? undefined : `${what} changed: ${changed.slice(0, 5).join(', ')}`;
}

/** @param {string} home */
function skillsOf(home) {
  return path.join(home, 'data', 'skills');
}

/** All below the home folder but the project and what the server itself writes. @param {string} home */
function elsewhere(home) {
  return treeOf(home, (relative) => OURS.test(relative));
}

/** @param {Subject} subject */
function siblingsOf(subject) {
  const workspace = subject.workspaceOf('A');
  const own = path.basename(workspace);
  return treeOf(path.dirname(workspace), (relative) => relative === own || relative.startsWith(`${own}/`));
}

/** @param {number} time of `performance.now()`. */
async function until(time) {
  await delay(Math.max(0, time - performance.now()));
}
