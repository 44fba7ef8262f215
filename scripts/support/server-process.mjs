// @ts-check
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ROOT } from '../ensure-installed.mjs';

/** The bin that is started. */
export const ENTRY = path.join(ROOT, 'dist', 'main.js');
/** Longest answer a client of ours waits for, in milliseconds: the longest run and its clean-up. */
const CALL_TIMEOUT_MS = 660_000;
/** Answers may carry whole results; the client's own default of 10 MB would end the connection. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
const KEPT_STDERR_CHARS = 20_000;

/**
 * @typedef {object} StartOptions
 * @property {Record<string, unknown>} [config] Configuration of the server; default: none, whatever this user has.
 * @property {string[]} [args] Further arguments of `serve`.
 * @property {Record<string, string>} [env] Further environment variables.
 * @property {string} [node] The Node binary; default: the one that runs this.
 * @property {string} [dataDir] Data folder to use and to keep; default: a new one, removed by `close`.
 * @property {'legacy' | 'auto' | { pin: string }} [era] Protocol negotiation of the client; default `legacy`.
 * @property {(question: string) => ElicitResult | Promise<ElicitResult>} [person] Answers forms; default: nobody can be asked.
 * @property {boolean} [manual] The questions of the modern era are given back, not put to the person.
 */

/** @typedef {import('@modelcontextprotocol/client').ElicitResult} ElicitResult */

/**
 * What a tool answered.
 * @typedef {object} Answer
 * @property {boolean} isError
 * @property {string} text All text parts, as a model reads them.
 * @property {Record<string, unknown>} data `structuredContent`, or an empty object.
 * @property {string | undefined} code `error.code` of a failure.
 * @property {number} ms Time from the call to the answer.
 * @property {Awaited<ReturnType<Client['callTool']>>} raw
 */

/**
 * @typedef {object} ServerProcess
 * @property {Client} client
 * @property {number} pid
 * @property {string} dataDir
 * @property {number} startMs Time from the start of the process to the answer to `initialize`.
 * @property {() => string} stderr The last text on standard error.
 * @property {(name: string, args?: Record<string, unknown>, options?: import('@modelcontextprotocol/client').CallToolRequestOptions) => Promise<Answer>} call
 * @property {() => Promise<void>} close Ends the server and removes its folders.
 */

/**
 * Starts the built server as a client would, over stdio, in a throw-away folder and with a configuration of its own, so
 * that neither the user's files nor an earlier run change what happens.
 * @param {StartOptions} [options]
 * @returns {Promise<ServerProcess>}
 */
export async function startServer(options = {}) {
  if (!existsSync(ENTRY)) throw new Error('dist/main.js is missing; next: npm run build');
  const folder = mkdtempSync(path.join(tmpdir(), 'code-execution-mcp-'));
  const dataDir = options.dataDir ?? path.join(folder, 'data');
  const configFile = path.join(folder, 'config.json');
  writeFileSync(configFile, JSON.stringify(options.config ?? {}));
  const transport = new StdioClientTransport({
    command: options.node ?? process.execPath,
    args: [ENTRY, 'serve', '--config', configFile, '--data-dir', dataDir, ...(options.args ?? [])],
    env: { ...getDefaultEnvironment(), ...options.env },
    cwd: folder,
    stderr: 'pipe',
    maxBufferSize: MAX_MESSAGE_BYTES,
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-KEPT_STDERR_CHARS);
  });
  const client = new Client(
    { name: 'code-execution-mcp-project', version: '1' },
    {
      versionNegotiation: { mode: options.era ?? 'legacy' },
      ...(options.person ? { capabilities: { elicitation: { form: {} } } } : {}),
      inputRequired: { autoFulfill: options.manual !== true },
    },
  );
  const { person } = options;
  if (person) client.setRequestHandler('elicitation/create', ({ params }) => person(params.message));
  const started = performance.now();
  try {
    await client.connect(transport);
  } catch (error) {
    await transport.close().catch(() => {});
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`the server did not start: ${error}\nits standard error:\n${stderr}`);
  }
  return {
    client,
    pid: transport.pid ?? 0,
    dataDir,
    startMs: performance.now() - started,
    stderr: () => stderr,
    call: (name, args = {}, callOptions = {}) => call(client, name, args, callOptions),
    async close() {
      await client.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/**
 * Calls a server tool, however long it takes.
 * @param {Client} client
 * @param {string} name
 * @param {Record<string, unknown>} args
 * @param {import('@modelcontextprotocol/client').CallToolRequestOptions} options
 * @returns {Promise<Answer>}
 */
export async function call(client, name, args, options) {
  const started = performance.now();
  const raw = await client.callTool({ name, arguments: args }, { timeout: CALL_TIMEOUT_MS, ...options });
  const ms = performance.now() - started;
  const data = /** @type {Record<string, unknown>} */ (raw.structuredContent ?? {});
  const error = /** @type {{ code?: string } | undefined} */ (data.error);
  const text = raw.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return { isError: raw.isError === true, text, data, code: error?.code, ms, raw };
}
