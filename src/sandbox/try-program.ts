import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { CodeExecutionError } from '../core/errors.js';

/** Where programs of the system are looked for. Fixed rather than PATH: a project folder in PATH must not choose the jailer. */
export const PROGRAM_FOLDERS: readonly string[] = ['/usr/bin', '/bin', '/usr/local/bin'];

const PROBE_MS = 5_000;
const PROBE_UID = 65_519;

/** What became of a program that was tried. */
export interface Tried {
  readonly ok: boolean;
  readonly stdout: string;
  /** What it said, or why it could not be started. */
  readonly stderr: string;
}

/** The path of a program that may be run; undefined where there is none. */
export function findProgram(name: string, folders = PROGRAM_FOLDERS): string | undefined {
  return folders
    .map((folder) => `${folder}/${name}`)
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Runs a program with nothing of ours, for 5 s at most; `otherUid`: as a user that workers of a root server have. */
export function tryProgram(file: string, args: readonly string[], otherUid: boolean): Promise<Tried> {
  const user = otherUid ? { uid: PROBE_UID, gid: PROBE_UID } : {};
  const options = { cwd: '/', env: {}, timeout: PROBE_MS, killSignal: 'SIGKILL' as const, ...user };
  return new Promise((resolve) => {
    try {
      execFile(file, args, options, (error, stdout, stderr) => {
        resolve({
          ok: error === null,
          stdout: stdout.trim(),
          stderr: stderr.trim() || (error?.message ?? ''),
        });
      });
    } catch (error) {
      // An errno of setuid or setgid is thrown, not handed over.
      resolve({ ok: false, stdout: '', stderr: error instanceof Error ? error.message : String(error) });
    }
  });
}

/**
 * Fails closed: workers of a root server must never be root themselves.
 * @throws CodeExecutionError `backend_unavailable` when a root server cannot start a process under another uid.
 */
export async function requireOtherUid(): Promise<void> {
  const program = findProgram('true');
  if (program !== undefined && (await tryProgram(program, [], true)).ok) return;
  throw new CodeExecutionError(
    'backend_unavailable',
    'the server runs as root and cannot start the sandbox under another uid',
    'run it as an ordinary user, or give it the capabilities SETUID, SETGID and KILL and a user namespace with more than one uid',
  );
}
