// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const LOG_CHARS = 2_000_000;

/** @typedef {{ message: any, wire: Buffer, ms: number }} Reply */

/**
 * A client of MCP on stdio that keeps every byte it got: the SDK's client hides what is wrong with a message.
 */
export class StdioClient {
  #next = 1;
  /** @type {Map<unknown, (reply: Reply) => void>} */
  #waiting = new Map();
  /** @type {Buffer[]} */
  #partial = [];
  #log = '';
  #ended = false;
  /** Messages that answer no request, as they came. @type {string[]} */
  unasked = [];
  /** Answers a form that the server shows. @type {(params: any) => unknown} */
  onForm = () => ({ action: 'decline' });
  /** The last answer to a form, for whoever wants to say it again. @type {string | undefined} */
  lastFormAnswer;

  /** @param {string} command @param {string[]} args @param {{ cwd: string, env: Record<string, string> }} options */
  constructor(command, args, options) {
    /** @readonly */
    this.child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stdout.on('data', (chunk) => this.#read(chunk));
    this.child.stderr.on('data', (chunk) => {
      if (this.#log.length < LOG_CHARS) this.#log += chunk;
    });
    this.child.stdin.on('error', () => undefined);
    this.child.on('error', () => this.#end());
    this.child.on('close', () => this.#end());
  }

  get pid() {
    return this.child.pid ?? 0;
  }

  /** All that the server wrote to standard error. */
  get log() {
    return this.#log;
  }

  async initialize() {
    const clientInfo = { name: 'attack-cases', version: '1' };
    const capabilities = { elicitation: { form: {} } };
    const params = { protocolVersion: '2025-06-18', capabilities, clientInfo };
    await this.request('initialize', params, 30_000);
    this.say(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  }

  /**
   * @param {string} method @param {unknown} params @param {number} timeoutMs
   * @returns {Promise<Reply>}
   * @throws {Error} no answer within that time, or the server has ended.
   */
  request(method, params, timeoutMs) {
    // Not a number: lines that a case sends itself have numbers.
    const id = `attack-${this.#next++}`;
    const started = performance.now();
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(new Error('the server has ended'));
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`no answer within ${timeoutMs / 1000} s`));
      }, timeoutMs);
      this.#waiting.set(id, (reply) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        if (reply.message === undefined) reject(new Error('the server ended instead of answering'));
        else resolve({ ...reply, ms: performance.now() - started });
      });
      this.say(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  /** @param {string} line */
  say(line) {
    this.child.stdin.write(`${line}\n`);
  }

  /** Closes the server's input and waits for its end; after 5 s it is killed. */
  async close() {
    if (this.#ended) return;
    this.child.stdin.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 5_000);
    await once(this.child, 'close');
    clearTimeout(timer);
  }

  /** @param {Buffer} chunk */
  #read(chunk) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#hear(Buffer.concat([...this.#partial.splice(0), chunk.subarray(from, at)]));
      from = at + 1;
    }
    if (from < chunk.length) this.#partial.push(chunk.subarray(from));
  }

  /** @param {Buffer} wire */
  #hear(wire) {
    let message;
    try {
      message = JSON.parse(wire.toString('utf8'));
    } catch {
      this.unasked.push(wire.toString('utf8'));
      return;
    }
    const waiting = message?.method === undefined ? this.#waiting.get(message?.id) : undefined;
    if (waiting) waiting({ message, wire, ms: 0 });
    else if (message?.method === 'elicitation/create') this.#answerForm(message);
    else if (message?.method !== undefined && message.id !== undefined)
      this.say(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: {} }));
    else this.unasked.push(wire.toString('utf8'));
  }

  /** @param {any} message */
  #answerForm({ id, params }) {
    this.lastFormAnswer = JSON.stringify({ jsonrpc: '2.0', id, result: this.onForm(params) });
    this.say(this.lastFormAnswer);
  }

  #end() {
    this.#ended = true;
    for (const answer of [...this.#waiting.values()])
      answer({ message: undefined, wire: Buffer.alloc(0), ms: 0 });
  }
}
