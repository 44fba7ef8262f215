import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errnoOf } from './system-error.js';

/**
 * What an instance of another host made, or one whose process id is in use again, counts as abandoned when it was not
 * touched for this long, in milliseconds. Runs last 10 minutes at most.
 */
export const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** A name by which other servers on the same disk can tell whose a thing is: `<host key>-<pid>-<random>`. */
export function newInstanceName(): string {
  return `${hostKey()}-${process.pid}-${randomBytes(6).toString('hex')}`;
}

/** Whether the process that made a thing of this name ({@link newInstanceName}) is gone. */
export function isAbandoned(name: string, mtimeMs: number): boolean {
  const [host, pid] = name.split('-');
  if (host === hostKey() && !isAlive(Number(pid))) return true;
  return Date.now() - mtimeMs > ABANDONED_AFTER_MS;
}

/** Equal for processes that can see each other's process ids; containers that share a disk differ. */
function hostKey(): string {
  if (knownHostKey !== undefined) return knownHostKey;
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has it; elsewhere the host's name decides.
  }
  knownHostKey = createHash('sha256').update(`${hostname()}\n${namespace}`).digest('hex').slice(0, 12);
  return knownHostKey;
}

let knownHostKey: string | undefined;

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}
