import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CodeExecutionError } from '../../core/errors.js';
import { MIB } from '../../core/limits.js';
import type { WorkerFrame } from '../../wire/frames.js';
import type { Worker } from '../sandbox.js';

const CODE = fileURLToPath(new URL('../../../python/src/ce_native/self_test.py', import.meta.url));
/** How many ways self_test.py tries: fewer mean that it did not run. */
const WAYS = 10;
const DEADLINE_MS = 20_000;

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
    const { tried, gotOut } = await answerOf(worker, { canary, port, memory_mb: memoryMb }, memoryMb);
    const reached = connections > 0 ? [...gotOut, 'a connection was seen'] : gotOut;
    if (reached.length > 0) throw failed(`code in the jail got out: ${reached.join(', ')}`);
    if (tried !== WAYS) throw failed('the test of the jail did not run to its end');
  } finally {
    listener.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function answerOf(
  worker: Worker,
  context: Record<string, unknown>,
  memoryMb: number,
): Promise<{ tried: number; gotOut: string[] }> {
  const done = new Promise<WorkerFrame>((resolve) => {
    worker.onFrame((frame) => {
      if (frame.message.type === 'done') resolve(frame);
    });
  });
  worker.send({
    message: {
      type: 'run',
      id: 'self-test',
      timeoutMs: DEADLINE_MS,
      memoryMb,
      outputBytes: MIB,
      resultBytes: MIB,
      diskBytes: MIB,
      diskFiles: 10,
      builtins: 'restricted',
      keepState: false,
      tools: false,
      skills: false,
      manifest: [],
    },
    payload: Buffer.from(JSON.stringify({ code: readFileSync(CODE, 'utf8'), context, earlierNames: [] })),
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DEADLINE_MS + 2_000);
  });
  const end = await Promise.race([done, worker.exited, late]);
  clearTimeout(timer);
  if (!end || !('message' in end) || end.message.type !== 'done' || end.message.error)
    throw failed('the test of the jail did not run to its end', end);
  return JSON.parse(Buffer.from(end.payload).toString('utf8')) as { tried: number; gotOut: string[] };
}

function failed(message: string, cause?: unknown): CodeExecutionError {
  return new CodeExecutionError('backend_unavailable', message, 'set sandbox.backend to "wasm"', { cause });
}
