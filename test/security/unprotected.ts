import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PROJECT_ROOT } from '../support/project-root.js';

const SCRIPTS = {
  node: { command: process.execPath, script: 'unprotected-pyodide.mjs' },
  cpython: { command: 'python3', script: 'unprotected-cpython.py' },
} as const;
const ANSWER_MS = 30_000;

/** An interpreter without walls that runs what it is given, in a throw-away process with this process's environment. */
export class Unprotected implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  #stderr = '';
  readonly #lines: AsyncIterator<string>;

  constructor(kind: keyof typeof SCRIPTS) {
    const { command, script } = SCRIPTS[kind];
    const file = fileURLToPath(new URL(script, import.meta.url));
    this.#child = spawn(command, [file], { stdio: 'pipe', cwd: PROJECT_ROOT });
    this.#child.on('exit', (code, signal) => {
      this.#stderr += `\nexit code ${code}, signal ${signal}`;
    });
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-2_000);
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Everything the code printed, with its error if it raised one. */
  async run(code: string): Promise<string> {
    this.#child.stdin.write(`${JSON.stringify(code)}\n`);
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), ANSWER_MS);
    const { value, done } = await this.#lines.next();
    clearTimeout(timer);
    return done ? `the interpreter ended: ${this.#stderr}` : String(JSON.parse(value));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
  }
}
