// @ts-check
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** @typedef {{ output: string, result?: string, error?: string }} Ran `result`: what is meant to be JSON. */
/** @typedef {{ run: (code: string) => Promise<Ran> }} Interpreter */

const SCRIPT = fileURLToPath(new URL('./bare-run.py', import.meta.url));
/** Against a machine that has less memory than an attack takes. */
const ADDRESS_SPACE_KB = 8 * 1024 * 1024;

/**
 * CPython with the environment and the rights of this process. Prints and calls of tools share one stream.
 * @param {string} cwd
 * @param {(name: string, args: unknown) => unknown} callTool
 * @returns {Interpreter}
 */
export function barePython(cwd, callTool) {
  const start = () => {
    const limited = `ulimit -v ${ADDRESS_SPACE_KB}; exec /usr/bin/python3 -u "$0"`;
    // A descriptor of its own for answers, which code can write to as well.
    const child = spawn('/bin/sh', ['-c', limited, SCRIPT], { cwd, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
    child.stdin.on('error', () => undefined);
    return child;
  };
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  const run = (/** @type {string} */ code) =>
    new Promise((/** @type {(ran: Ran) => void} */ resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) child = start();
      const { stdin, stdout, stderr, stdio } = child;
      if (!stdin || !stdout || !stderr) throw new Error('no pipes');
      let output = '';
      const lines = createInterface({ input: stdout });
      const other = createInterface({ input: /** @type {import('node:stream').Readable} */ (stdio[3]) });
      const finish = (/** @type {Ran} */ ran) => {
        for (const each of [lines, other]) each.removeAllListeners();
        resolve(ran);
      };
      const hear = (/** @type {string} */ line) => {
        const frame = frameOf(line);
        if (frame?.call !== undefined)
          stdin.write(`${JSON.stringify(callTool(frame.call, frame.args) ?? null)}\n`);
        // Anything that looks like an answer is one.
        else if (frame?.result !== undefined) finish({ output, result: JSON.stringify(frame.result) });
        else if (frame?.done !== undefined) finish({ output, ...frame.done });
        else output += `${line}\n`;
      };
      for (const each of [lines, other]) each.on('line', hear);
      stderr.on('data', (chunk) => {
        output += chunk;
      });
      stdin.write(`${JSON.stringify(code)}\n`);
    });
  return { run };
}

/**
 * Pyodide in this very process, with the host's folders mounted.
 * @param {string} cwd
 * @param {(name: string, args: unknown) => unknown} callTool
 * @returns {Promise<Interpreter>}
 */
export async function barePyodide(cwd, callTool) {
  const { loadPyodide } = await import('pyodide');
  let output = '';
  const keep = (/** @type {string} */ line) => {
    output += `${line}\n`;
  };
  const pyodide = await loadPyodide({ stdout: keep, stderr: keep });
  for (const folder of ['/home', '/tmp']) {
    pyodide.FS.mkdirTree(folder);
    pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: folder }, folder);
  }
  pyodide.FS.chdir(cwd);
  pyodide.runPython(readFileSync(SCRIPT, 'utf8'));
  const held = pyodide.globals.get('held');
  held.set(
    'tools',
    pyodide.globals.get('Tools')((/** @type {string} */ question) => {
      const { call, args } = JSON.parse(question);
      return JSON.stringify(callTool(call, args) ?? null);
    }),
  );
  return {
    run: async (code) => {
      output = '';
      try {
        const value = await pyodide.runPythonAsync(code, { globals: held });
        return { output, result: JSON.stringify(value?.toJs ? value.toJs() : value) };
      } catch (error) {
        return { output, error: String(error) };
      }
    },
  };
}

/** @param {string} line */
function frameOf(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
