import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CodeExecutionError } from '../../core/errors.js';

/** Where the parts of a CPython are on this machine. */
export interface PythonPlaces {
  /** E.g. `3.11.2`. */
  readonly version: string;
  /** The program as it was asked for; in a virtual environment a link to {@link binary}. */
  readonly executable: string;
  /** The program itself, no link. */
  readonly binary: string;
  readonly prefix: string;
  /** Differs from {@link prefix} in a virtual environment. */
  readonly basePrefix: string;
  /** Folders of modules that exist. */
  readonly path: readonly string[];
  /** Folders of the standard library. */
  readonly libraries: readonly string[];
  /** The interpreter as a shared library, if it is one. */
  readonly shared: string | null;
}

/** Fixed folders rather than PATH: a project folder in PATH must not choose the interpreter. */
const SYSTEM = ['/usr/bin/python3', '/usr/local/bin/python3'];
const ANSWER_MS = 60_000;
const OLDEST_MINOR = 9;
const NEEDS = `the native sandbox needs 3.${OLDEST_MINOR} or newer`;
const INSTALL = 'install it (on Debian and Ubuntu: apt-get install python3), or set sandbox.python';
const DESCRIBE = fileURLToPath(new URL('../../../python/src/ce_native/describe.py', import.meta.url));

/**
 * The Python of the configuration (a program, or the folder of a virtual environment), else that of the system. Asks it
 * where its parts are.
 * @throws CodeExecutionError `backend_unavailable` that says what is wrong with it
 */
export async function findPython(configured?: string): Promise<PythonPlaces> {
  const program = configured === undefined ? SYSTEM.find((file) => existsSync(file)) : programOf(configured);
  if (program === undefined) throw unavailable('there is no Python on this machine', INSTALL);
  const answer = JSON.parse(await runDescription(program)) as PythonPlaces & {
    readonly implementation: string;
    readonly bits: number;
    readonly ctypes: boolean;
  };
  const [major = 0, minor = 0] = answer.version.split('.').map(Number);
  if (major !== 3 || minor < OLDEST_MINOR)
    throw unavailable(`${program} is Python ${answer.version}; ${NEEDS}`, INSTALL);
  if (answer.implementation !== 'cpython')
    throw unavailable(`${program} is ${answer.implementation}, not CPython`, INSTALL);
  if (answer.bits !== 64) throw unavailable(`${program} is a 32-bit Python`, INSTALL);
  if (!answer.ctypes)
    throw unavailable(
      `${program} has no ctypes that finds the C library, as a static build has none; a run puts on its filter with it`,
      INSTALL,
    );
  return answer;
}

/** Byte code of our runtime in `folder` (a copy of it) for this Python. @throws CodeExecutionError `backend_unavailable` */
export async function compileRuntime(python: PythonPlaces, folder: string): Promise<void> {
  await runDescription(python.executable, folder);
}

function programOf(configured: string): string {
  if (!existsSync(configured))
    throw unavailable(`sandbox.python: there is no ${configured}`, 'correct the path');
  if (!statSync(configured).isDirectory()) return configured;
  const program = path.join(configured, 'bin', 'python3');
  if (!existsSync(path.join(configured, 'pyvenv.cfg')) || !existsSync(program)) {
    throw unavailable(
      `sandbox.python: ${configured} is a folder but no virtual environment`,
      `make one: python3 -m venv ${configured}`,
    );
  }
  return program;
}

function runDescription(program: string, folder?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      program,
      ['-I', '-B', DESCRIBE, ...(folder === undefined ? [] : [folder])],
      { cwd: '/', env: {}, timeout: ANSWER_MS, killSignal: 'SIGKILL', maxBuffer: 1024 * 1024 },
      (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        if (stderr.includes('Unknown option: -I'))
          return reject(unavailable(`${program} is older than Python 3.4; ${NEEDS}`, INSTALL));
        const said = stderr.trim().split('\n').at(-1) || error.message;
        reject(unavailable(`${program} does not run: ${said.slice(0, 300)}`, INSTALL));
      },
    );
  });
}

function unavailable(message: string, next: string): CodeExecutionError {
  return new CodeExecutionError('backend_unavailable', message, next);
}
