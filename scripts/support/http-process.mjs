// @ts-check
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { ENTRY } from './server-process.mjs';

/**
 * @typedef {object} HttpStartOptions
 * @property {Record<string, unknown>} [config] Configuration of the server, without `http.tokens`.
 * @property {string[]} [principals] Each gets a token in the configuration; default: none, so that the server makes its own.
 * @property {string} [address] Of `--http`; default: any free port of 127.0.0.1.
 * @property {string[]} [args] Further arguments of `serve`.
 * @property {string} [dataDir] Data folder to use and to keep; default: a new one, removed by `stop`.
 */

/**
 * @typedef {object} HttpProcess
 * @property {string} url
 * @property {number} pid
 * @property {string} dataDir
 * @property {Record<string, string>} tokens By principal.
 * @property {() => string} stdout
 * @property {() => string} stderr
 * @property {(signal?: NodeJS.Signals) => Promise<number | null>} stop Ends the server and removes its folders; its exit code.
 */

/**
 * Starts the built server over HTTP, in a throw-away folder and with a configuration of its own.
 * @param {HttpStartOptions} [options]
 * @returns {Promise<HttpProcess>}
 */
export async function startHttpServer(options = {}) {
  if (!existsSync(ENTRY)) throw new Error('dist/main.js is missing; next: npm run build');
  const folder = mkdtempSync(path.join(tmpdir(), 'code-execution-http-'));
  const dataDir = options.dataDir ?? path.join(folder, 'data');
  const configFile = path.join(folder, 'config.json');
  const names = options.principals ?? [];
  const tokens = Object.fromEntries(names.map((name) => [name, randomBytes(32).toString('base64url')]));
  const variables = Object.fromEntries(names.map((name) => [`TOKEN_${name}`, tokens[name] ?? '']));
  const http = {
    .../** @type {object} */ (options.config?.http ?? {}),
    ...(names.length > 0
      ? { tokens: Object.fromEntries(names.map((name) => [name, `\${TOKEN_${name}}`])) }
      : {}),
  };
  writeFileSync(configFile, JSON.stringify({ ...options.config, http }));
  const where = ['--http', options.address ?? '127.0.0.1:0', '--config', configFile, '--data-dir', dataDir];
  const child = spawn(process.execPath, [ENTRY, 'serve', ...where, ...(options.args ?? [])], {
    cwd: folder,
    env: { ...getDefaultEnvironment(), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  /** @type {Promise<number | null>} */
  const exited = new Promise((resolve) => child.once('exit', resolve));
  /** @type {string} */
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      const found = /^listening on (\S+)\n/.exec(stdout)?.[1];
      if (found) resolve(found);
    });
    void exited.then((code) => {
      rmSync(folder, { recursive: true, force: true });
      reject(new Error(`the server ended with ${code}:\n${stderr}`));
    });
  });
  return {
    url,
    pid: child.pid ?? 0,
    dataDir,
    tokens,
    stdout: () => stdout,
    stderr: () => stderr,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const code = await exited;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      return code;
    },
  };
}
