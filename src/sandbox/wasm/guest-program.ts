import type { ChildProcess } from 'node:child_process';
import { MIB } from '../../core/limits.js';

const DEADLINE_MS = 60_000;
const MAX_OUTPUT_BYTES = 256 * MIB;

/**
 * What a guest program wrote to standard output until it ended. Its input is ended at once, so that a worker leaves as
 * soon as it is up.
 * @throws Error with what it wrote to standard error, if it wrote nothing, too much, or for too long.
 */
export async function outputOf(child: ChildProcess): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let stderr = '';
  child.stdin?.on('error', () => undefined);
  child.stdin?.end();
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_OUTPUT_BYTES) child.kill('SIGKILL');
    else chunks.push(chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    if (stderr.length < 2_000) stderr += chunk.toString('utf8');
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  clearTimeout(timer);
  if (code !== 0 || bytes === 0)
    throw new Error(`a guest program failed (exit code ${code}): ${stderr.trim()}`);
  return Buffer.concat(chunks);
}
