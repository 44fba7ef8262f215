// @ts-check
/**
 * The throw-away place in which attack cases run: bubblewrap with namespaces of its own for processes, network, mounts,
 * IPC and host name, a home folder in memory, and a user who owns nothing. Each case gets a new one.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../scripts/ensure-installed.mjs';

/** No user of this number exists; workers of a root server have 61184 to 65519 (src/sandbox/worker-uid.ts). */
export const UID = 65_532;
/** Name of that user inside. Nothing else is called so: an answer that has this name got it from the host. */
export const USER = 'attackhost';
export const HOME = `/home/${USER}`;
export const HOST_NAME = 'attack-machine';
/** Where this project lies inside: below the home folder, so that a leaked path of the server shows as such. */
export const PROJECT = `${HOME}/project`;
export const CACHE = `${HOME}/cache`;

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64'];
const EXTRAS = [
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/ld.so.cache',
  '/etc/localtime',
  '/etc/matplotlibrc',
  '/etc/mime.types',
];
/** What of the project a case needs: copied, so that a build in the middle of a run changes nothing. */
const PARTS = ['attacks', 'data', 'dist', 'package.json', 'python/src'];
const MODULES = 'node_modules';
/** Packages of development; the server does not load them. */
const NOT_COPIED = /node_modules\/(typescript|vite|vitest|@biomejs|@rolldown|gpt-tokenizer|vega-datasets)$/;
const MEMORY_BYTES = 3 * 1024 ** 3;
const STDERR_CHARS = 20_000;

/** @typedef {{ project: string, modules: string, cache: string, remove: () => void }} Place Folders that every case sees. */

/**
 * A copy of the project that the user of the cases can read; of its packages only where that user cannot reach them.
 * @returns {Place}
 */
export function preparePlace() {
  const folder = mkdtempSync(path.join(tmpdir(), 'attack-cases-'));
  chmodSync(folder, 0o755);
  const [cache, project] = [path.join(folder, 'cache'), path.join(folder, 'project')];
  mkdirSync(cache);
  if (process.getuid?.() === 0) chownSync(cache, UID, UID);
  for (const part of PARTS) cpSync(path.join(ROOT, part), path.join(project, part), { recursive: true });
  // Where the packages are mounted.
  mkdirSync(path.join(project, MODULES));
  const own = path.join(ROOT, MODULES);
  const modules = isReadable(own) ? own : path.join(folder, MODULES);
  if (modules !== own) cpSync(own, modules, { recursive: true, filter: (file) => !NOT_COPIED.test(file) });
  return {
    ...{ project, modules, cache },
    remove: () => {
      // The runtime in the cache is read-only.
      spawnSync('chmod', ['-R', 'u+w', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Why no such place can be made here; undefined if it can, which is found by making one with a jail in it.
 * @param {Place} place
 * @returns {string | undefined}
 */
export function refusal(place) {
  if (process.platform !== 'linux')
    return 'attack cases run on Linux only: they need PID and user namespaces';
  const inner = ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'];
  const [file = '', ...args] = insideCommand(place, ['bwrap', ...inner, '--', 'true']);
  const { status, error, stderr } = spawnSync(file, args, { encoding: 'utf8', cwd: '/', timeout: 20_000 });
  if (status === 0) return undefined;
  const reason = error?.message ?? stderr.trim();
  return (
    `no throw-away namespace can be made here: ${reason || `bwrap ended with ${status}`}\n` +
    'next: install bubblewrap 0.8 or newer and util-linux, and allow user namespaces, also nested ones ' +
    '(sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone); or run in a virtual machine'
  );
}

/**
 * Runs `attacks/inside/main.mjs` in a place of its own with `job` on its standard input.
 * @param {Place} place
 * @param {unknown} job
 * @param {{ timeoutMs: number, writableCache?: boolean }} options
 * @returns {Promise<{ result?: unknown, stderr: string, ended: string }>} `result`: what it wrote, if it came to that.
 */
export function runInside(place, job, { timeoutMs, writableCache = false }) {
  const program = [nodeInside(), `${PROJECT}/attacks/inside/main.mjs`];
  const [file = '', ...args] = insideCommand(place, program, writableCache);
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'], cwd: '/', env: {}, detached: true });
  const kill = () => kill9(child.pid);
  const timer = setTimeout(kill, timeoutMs);
  process.once('exit', kill);
  /** @type {Buffer[]} */
  const chunks = [];
  let stderr = '';
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.stderr.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-STDERR_CHARS);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(job));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ stderr, ended: error.message }));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      process.off('exit', kill);
      const text = Buffer.concat(chunks).toString('utf8').trim();
      const ended = signal === null ? `code ${code}` : `signal ${signal} (limit of ${timeoutMs / 1000} s)`;
      try {
        resolve({ result: JSON.parse(text), stderr, ended });
      } catch {
        resolve({ stderr, ended });
      }
    });
  });
}

/**
 * @param {Place} place
 * @param {string[]} program
 * @param {boolean} [writableCache]
 * @returns {string[]}
 */
function insideCommand(place, program, writableCache = false) {
  const jail = [
    'bwrap',
    ...['--unshare-user', '--uid', String(UID), '--gid', String(UID)],
    ...['--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--hostname', HOST_NAME],
    ...['--die-with-parent', '--new-session', '--clearenv'],
    ...Object.entries({
      HOME,
      USER,
      PATH: '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      CODE_EXECUTION_CACHE_DIR: CACHE,
    }).flatMap(([name, value]) => ['--setenv', name, value]),
    ...SYSTEM.flatMap(systemFolder),
    ...EXTRAS.flatMap((file) => ['--ro-bind-try', file, file]),
    ...(nodeInside() === process.execPath ? [] : ['--ro-bind', process.execPath, nodeInside()]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--size', String(MEMORY_BYTES), '--tmpfs', '/tmp'],
    ...['--size', String(MEMORY_BYTES), '--tmpfs', HOME],
    ...['--ro-bind', place.project, PROJECT, '--ro-bind', place.modules, path.join(PROJECT, MODULES)],
    ...[writableCache ? '--bind' : '--ro-bind', place.cache, CACHE],
    ...['--chmod', '0555', '/', '--chdir', HOME, '--'],
    ...program,
  ];
  if (process.getuid?.() !== 0) return jail;
  return ['setpriv', '--reuid', String(UID), '--regid', String(UID), '--clear-groups', '--', ...jail];
}

/** @param {string} folder @returns {string[]} */
function systemFolder(folder) {
  if (!existsSync(folder)) return [];
  return lstatSync(folder).isSymbolicLink()
    ? ['--symlink', readlinkSync(folder), folder]
    : ['--ro-bind', folder, folder];
}

function nodeInside() {
  return process.execPath.startsWith('/usr/') ? process.execPath : '/opt/node/node';
}

/** @param {string} folder */
function isReadable(folder) {
  if (process.getuid?.() !== 0) return true;
  const as = ['--reuid', String(UID), '--regid', String(UID), '--clear-groups', '--'];
  return (
    spawnSync('setpriv', [...as, 'test', '-r', path.join(folder, '.')], { stdio: 'ignore' }).status === 0
  );
}

/** @param {number | undefined} pid of a group leader that this process started. */
function kill9(pid) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}
