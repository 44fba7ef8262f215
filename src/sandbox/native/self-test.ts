import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CodeExecutionError } from '../../core/errors.js';
import type { Worker } from '../sandbox.js';
import { runTrusted } from './trusted-run.js';

const CODE = fileURLToPath(new URL('../../../python/src/ce_native/self_test.py', import.meta.url));
/** How many ways self_test.py tries: fewer mean that it did not run. */
const WAYS = 10;

/**
 * Lets code in a fresh jail try to get out. It has run nothing else, and is thrown away.
 * @throws CodeExecutionError `backend_unavailable` that names what succeeded, or that the test could not run
 */
export async function requireWalls(worker: Worker, memoryMb: number): Promise<void> {
  const folder = mkdtempSync('/tmp/code-execution-canary-');
  const canary = path.join(folder, 'canary');
  writeFileSync(canary, randomBytes(16).toString('hex'), { mode: 0o644 });
  let connections = 0;
  const listener = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  try {
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(0, '127.0.0.1', resolve);
    });
    const address = listener.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const answer = await runTrusted(worker, readFileSync(CODE, 'utf8'), {
      context: { canary, port, memory_mb: memoryMb },
      memoryMb,
    }).catch((cause: unknown) => {
      throw failed('the test of the jail did not run to its end', cause);
    });
    const { tried, gotOut } = answer as { tried: number; gotOut: string[] };
    const reached = connections > 0 ? [...gotOut, 'a connection was seen'] : gotOut;
    if (reached.length > 0) throw failed(`code in the jail got out: ${reached.join(', ')}`);
    if (tried !== WAYS) throw failed('the test of the jail did not run to its end');
  } finally {
    listener.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function failed(message: string, cause?: unknown): CodeExecutionError {
  return new CodeExecutionError('backend_unavailable', message, 'set sandbox.backend to "wasm"', { cause });
}
