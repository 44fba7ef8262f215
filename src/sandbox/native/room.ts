import { totalmem } from 'node:os';
import { CodeExecutionError } from '../../core/errors.js';
import { MIB } from '../../core/limits.js';

/** A run may fill its workspace and as much of /tmp: together at most half of the memory. */
const SHARE = 4;

/**
 * Whether this machine's memory has room for workspaces of this size, which lie in it while a run has them open.
 * A folder of the host in place of memory would need a watcher for the quota, and would let code make names on the host.
 * @throws CodeExecutionError `backend_unavailable` that names the largest size
 */
export function requireRoom(workspaceMb: number, memoryBytes: number = memoryOfMachine()): string {
  const most = Math.floor(memoryBytes / SHARE / MIB);
  if (workspaceMb <= most)
    return `workspaces of ${workspaceMb} MiB lie in memory while code runs; ${most} MiB is the most here`;
  throw new CodeExecutionError(
    'backend_unavailable',
    `sandbox.workspaceMb is ${workspaceMb}; natively a workspace lies in memory while code runs, and this machine has room for ${most} MiB`,
    `set sandbox.workspaceMb to ${Math.max(1, most)} or less, or sandbox.backend to "wasm"`,
  );
}

/** That of a container where there is one. */
function memoryOfMachine(): number {
  const constrained = process.constrainedMemory?.() ?? 0;
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
