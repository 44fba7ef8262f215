// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../scripts/ensure-installed.mjs';
import { denoBinary } from './deno.mjs';

const CACHE = path.join(ROOT, '.cache', 'bench');
const MAIN = path.join(ROOT, 'bench', 'support', 'bare-pyodide-main.mjs');
const PYODIDE = pathToFileURL(path.join(ROOT, 'node_modules', 'pyodide', 'pyodide.mjs')).href;

/**
 * @typedef {object} BarePyodide
 * @property {number} readyMs Time from the start of the process to `1+1`.
 * @property {(code: string) => Promise<{ ms: number, value: unknown }>} run
 * @property {(name: string, hostFile: string) => Promise<void>} put Writes a host file into Pyodide's memory.
 * @property {() => Promise<void>} close
 */

/** Stock Pyodide's own memory snapshot, made once. @returns {string} */
export function stockSnapshot() {
  const file = path.join(CACHE, 'stock-snapshot.bin');
  if (existsSync(file)) return file;
  mkdirSync(CACHE, { recursive: true });
  const { status, stderr } = spawnSync(denoBinary(), denoArgs('make-snapshot', file), {
    encoding: 'utf8',
    env: denoEnv(),
  });
  if (status !== 0) throw new Error(`stock Pyodide made no snapshot: ${stderr}`);
  return file;
}

/**
 * Starts stock Pyodide in Deno with all permissions.
 * @param {{ snapshot?: string }} [options] Memory snapshot for the stock loader; default: none.
 * @returns {Promise<BarePyodide>}
 */
export async function startBarePyodide({ snapshot = '' } = {}) {
  const started = performance.now();
  const child = spawn(denoBinary(), denoArgs('serve', snapshot), {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: denoEnv(),
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`bare Pyodide ended: ${stderr}`);
    const answer = JSON.parse(value);
    if (answer.error) throw new Error(`bare Pyodide: ${answer.error}`);
    return answer;
  };
  await next();
  const readyMs = performance.now() - started;
  /** @param {unknown} command */
  const ask = (command) => {
    child.stdin.write(`${JSON.stringify(command)}\n`);
    return next();
  };
  return {
    readyMs,
    run: (code) => ask({ code }),
    put: async (name, hostFile) => {
      await ask({ put: name, from: hostFile });
    },
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

/**
 * @param {string} mode
 * @param {string} snapshot
 */
function denoArgs(mode, snapshot) {
  return ['run', '-A', '--no-config', '--no-lock', MAIN, PYODIDE, mode, ...(snapshot ? [snapshot] : [])];
}

/** A warmed DENO_DIR of its own, so that compiled code is cached as it is for the product. */
function denoEnv() {
  return { PATH: process.env.PATH ?? '', DENO_DIR: path.join(CACHE, 'deno'), NO_COLOR: '1' };
}
