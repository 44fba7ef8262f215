// @ts-check
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { answerOfMessage, noAnswer } from '../answer.mjs';
import { HttpClient, send } from './http-client.mjs';
import { processes } from './processes.mjs';
import { StdioClient } from './stdio-client.mjs';
import { configuration, toolCall } from './tool-call.mjs';

const PRODUCT = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** Speaks like the product and has none of its walls. */
const BARE = fileURLToPath(new URL('./bare-server.mjs', import.meta.url));
const PROBE = new URL('./prototype-probe.mjs', import.meta.url).href;
/** A run may take its wall limit and some; nothing in a case waits longer than this. */
const ANSWER_MS = 75_000;
const START_MS = 30_000;
const REST_MS = 15_000;

/** @typedef {import('../answer.mjs').Answer} Answer */
/** @typedef {import('./tool-call.mjs').Limits} Limits */
/**
 * @typedef {object} ProductOptions
 * @property {'stdio' | 'http'} transport
 * @property {string} backend
 * @property {string} home
 * @property {Limits} limits
 * @property {Record<string, string>} env of the server, beside the usual.
 * @property {Record<string, unknown>} config beside what the limits say.
 * @property {readonly string[]} sessions names of the callers; the first is the default one. On stdio there is one.
 * @property {number} [answerMs] Longest wait for an answer.
 * @property {boolean} [isBare] A server without walls takes the product's place.
 * @property {(params: any) => unknown} [onForm]
 */

/** The built server, and its clients: over HTTP one for each session of the case, as a principal of its own. */
export class Product {
  #options;
  /** @type {Map<string, StdioClient | HttpClient>} */
  #clients = new Map();
  /** @type {Map<string, string>} */
  #tokens = new Map();
  #port = 0;
  /** @type {{ log: string, child: import('node:child_process').ChildProcess | undefined }} */
  #http = { log: '', child: undefined };

  /** @param {ProductOptions} options */
  constructor(options) {
    this.#options = options;
    this.dataDir = path.join(options.home, 'data');
    this.probeFile = path.join(options.home, 'probe.json');
  }

  /** @param {ProductOptions} options */
  static async start(options) {
    const product = new Product(options);
    await product.#start();
    return product;
  }

  /** @param {string} session @param {'stdio' | 'http'} transport */
  static principalOf(session, transport) {
    return transport === 'stdio' ? 'local' : `session-${session.toLowerCase()}`;
  }

  /** @param {string} session */
  workspaceOf(session) {
    return path.join(this.dataDir, 'workspaces', Product.principalOf(session, this.#options.transport));
  }

  get pid() {
    const client = this.#stdio();
    return client ? client.pid : (this.#http.child?.pid ?? 0);
  }

  get port() {
    return this.#port;
  }

  get log() {
    return this.#stdio()?.log ?? this.#http.log;
  }

  /** Messages on stdio that answered nothing. */
  get unasked() {
    return this.#stdio()?.unasked ?? [];
  }

  /** @param {string} session @returns {string} */
  tokenOf(session) {
    return this.#tokens.get(session) ?? '';
  }

  /**
   * @param {string} action @param {Record<string, any>} input @param {string} session
   * @param {{ signal?: AbortSignal, timeoutMs?: number }} [options]
   * @returns {Promise<Answer>}
   */
  async call(action, input, session, { signal, timeoutMs = this.#options.answerMs ?? ANSWER_MS } = {}) {
    const call = toolCall(action, input, this.#options.limits);
    const started = performance.now();
    try {
      const client = await this.client(session);
      const { wire, ms } = await client.request('tools/call', call, timeoutMs, signal);
      return answerOfMessage(wire, ms);
    } catch (error) {
      return noAnswer(error instanceof Error ? error.message : String(error), performance.now() - started);
    }
  }

  /** The texts of the files that an answer names. @param {Answer} answer @param {string} session */
  async filesOf(answer, session) {
    let all = '';
    for (const uri of answer.resources ?? []) {
      const client = await this.client(session);
      const reply = await client.request('resources/read', { uri }, ANSWER_MS).catch(() => undefined);
      for (const { text, blob } of reply?.message?.result?.contents ?? [])
        all += text ?? Buffer.from(blob ?? '', 'base64').toString('utf8');
    }
    return all;
  }

  /** @param {string} session @returns {Promise<StdioClient | HttpClient>} */
  async client(session) {
    const { transport } = this.#options;
    const known = this.#clients.get(transport === 'stdio' ? '' : session);
    if (known) return known;
    if (transport === 'stdio') throw new Error('the server has not been started');
    const token = this.#tokens.get(session);
    if (token === undefined) throw new Error(`the case has no session ${session}`);
    const client = new HttpClient(this.#port, token);
    await client.initialize();
    this.#clients.set(session, client);
    return client;
  }

  /** Writes bytes to the server's input as they are. @param {string} line */
  say(line) {
    this.#stdio()?.say(line);
  }

  /** Says the person's last answer once more. @returns {boolean} false: there was none. */
  repeatFormAnswer() {
    const client = this.#stdio();
    if (client?.lastFormAnswer === undefined) return false;
    client.say(client.lastFormAnswer);
    return true;
  }

  /** Waits until no worker is being started, none is busy and the spare ones are there; not for ever. */
  async atRest(longestMs = REST_MS) {
    for (const started = performance.now(); performance.now() - started < longestMs; await delay(100)) {
      const { starting, active, ready, target } = await this.pool();
      if (starting === 0 && active === 0 && ready >= Math.min(1, target)) return;
    }
  }

  /** @returns {Promise<{ ready: number, starting: number, active: number, target: number }>} */
  async pool() {
    const [session = 'A'] = this.#options.sessions;
    const client = await this.client(session);
    const call = { name: 'get_execution_stats', arguments: {} };
    return (await client.request('tools/call', call, ANSWER_MS)).message.result.structuredContent.pool;
  }

  /** Whether objects of the server have got members that they should not have. @returns {Promise<string | undefined>} */
  async prototypeProblem() {
    rmSync(this.probeFile, { force: true });
    process.kill(this.pid, 'SIGUSR2');
    for (let n = 0; n < 50 && !existsSync(this.probeFile); n++) await delay(50);
    if (!existsSync(this.probeFile)) return 'the probe in the server did not answer';
    await delay(20);
    const { polluted, members } = JSON.parse(readFileSync(this.probeFile, 'utf8'));
    return polluted === null && members === true ? undefined : 'Object.prototype of the server was changed';
  }

  /** Ends the clients' connections. The server over HTTP goes on. */
  async disconnect() {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
    this.#clients.clear();
  }

  /** A new connection after {@link disconnect}; over stdio that is a new server. */
  async reconnect() {
    if (this.#options.transport === 'stdio') await this.#startStdio();
  }

  async close() {
    await this.disconnect();
    this.#http.child?.kill('SIGKILL');
  }

  async #start() {
    const { transport, backend, limits, config, home, sessions } = this.#options;
    for (const session of sessions) this.#tokens.set(session, randomBytes(32).toString('base64url'));
    const tokens = Object.fromEntries(
      [...this.#tokens].map(([session, token]) => [Product.principalOf(session, 'http'), token]),
    );
    const rest = transport === 'http' ? { http: { tokens }, ...config } : config;
    writeFileSync(path.join(home, 'config.json'), JSON.stringify(configuration(backend, limits, rest)));
    mkdirSync(path.join(home, 'cwd'), { recursive: true });
    await (transport === 'stdio' ? this.#startStdio() : this.#startHttp());
  }

  async #startStdio() {
    const client = new StdioClient(process.execPath, this.#args([]), this.#spawning());
    if (this.#options.onForm) client.onForm = this.#options.onForm;
    this.#clients.set('', client);
    try {
      await client.initialize();
    } catch (error) {
      throw new Error(`the server did not start: ${error}\n${client.log.slice(-2_000)}`);
    }
  }

  async #startHttp() {
    this.#port = await freePort();
    const args = this.#args(['--http', `127.0.0.1:${this.#port}`]);
    const child = spawn(process.execPath, args, { ...this.#spawning(), stdio: ['ignore', 'pipe', 'pipe'] });
    const keep = (/** @type {Buffer} */ chunk) => {
      if (this.#http.log.length < 2_000_000) this.#http.log += chunk.toString('utf8');
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    this.#http.child = child;
    for (const started = performance.now(); !(await answers(this.#port)); await delay(30)) {
      if (child.exitCode !== null || performance.now() - started > START_MS)
        throw new Error(`the server did not start: ${this.#http.log.slice(-2_000)}`);
    }
  }

  /** @param {readonly string[]} more */
  #args(more) {
    const { home, isBare } = this.#options;
    const config = path.join(home, 'config.json');
    return [
      '--import',
      PROBE,
      isBare ? BARE : PRODUCT,
      'serve',
      '--config',
      config,
      '--data-dir',
      this.dataDir,
      ...more,
    ];
  }

  #spawning() {
    const { HOME = '', PATH = '', LANG = '', USER = '', CODE_EXECUTION_CACHE_DIR = '' } = process.env;
    return {
      cwd: path.join(this.#options.home, 'cwd'),
      env: {
        HOME,
        PATH,
        LANG,
        USER,
        CODE_EXECUTION_CACHE_DIR,
        ATTACKS_PROBE_FILE: this.probeFile,
        ...this.#options.env,
      },
    };
  }

  /** @returns {StdioClient | undefined} */
  #stdio() {
    const client = this.#clients.get('');
    return client instanceof StdioClient ? client : undefined;
  }
}

/** A request as the case writes it, with the token of a session: what is refused must be so for those who may come in. @param {Product} product @param {Record<string, any>} input @param {string} session */
export async function sendRequest(product, input, session) {
  const body = input.rawBody ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
  const given = /** @type {Record<string, string>} */ (input.headers ?? {});
  const hasToken = Object.keys(given).some((name) => name.toLowerCase() === 'authorization');
  const headers = {
    ...(hasToken ? {} : { authorization: `Bearer ${product.tokenOf(session)}` }),
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...given,
  };
  return send(product.port, {
    method: input.method ?? 'POST',
    path: input.path ?? '/mcp',
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

/** Guests of the native sandbox: what the server has below it that runs Python. @param {number} pid */
export function guestsOf(pid) {
  return processes().filter(
    ({ command }) => command.includes('/ce/ce_native') && !command.includes('bwrap') && pid > 0,
  );
}

/** @param {number} port @returns {Promise<boolean>} */
function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** @returns {Promise<number>} */
function freePort() {
  const server = createServer();
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    }),
  );
}
