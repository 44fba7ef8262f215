import * as fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CodeExecutionError } from '../core/errors.js';

const LOCK_WAIT_MS = 120_000;
const LOCK_POLL_MS = 100;
/** A lock without an owner's name that is older than this was left between two steps. */
const UNSIGNED_MS = 5_000;

/** A folder as a lock, with the owner's process id in it so that a lock left by a dead process is taken over. */
export async function withLock(lock: string, work: () => Promise<void>): Promise<void> {
  const owner = path.join(lock, 'pid');
  for (const start = Date.now(); ; ) {
    try {
      await fs.mkdir(lock);
      await fs.writeFile(owner, `${process.pid}`);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (await isAbandoned(lock, owner)) await fs.rm(lock, { recursive: true, force: true });
    else if (Date.now() - start > LOCK_WAIT_MS) {
      throw new CodeExecutionError(
        'backend_unavailable',
        `another process holds ${path.basename(lock)}`,
        'try again in a minute',
      );
    } else await delay(LOCK_POLL_MS);
  }
  try {
    await work();
  } finally {
    await fs.rm(lock, { recursive: true, force: true });
  }
}

async function isAbandoned(lock: string, owner: string): Promise<boolean> {
  const pid = Number(await fs.readFile(owner, 'utf8').catch(() => '0'));
  if (pid === 0) {
    // Just made and not yet signed, or its maker died between the two steps.
    const age = Date.now() - ((await fs.stat(lock).catch(() => undefined))?.mtimeMs ?? Date.now());
    return age > UNSIGNED_MS;
  }
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
