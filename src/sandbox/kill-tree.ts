import { readFileSync } from 'node:fs';

/** A jailer that has not gone this long after its process is killed as well, in milliseconds. */
const JAILER_MS = 200;

/**
 * Kills a worker's process group and what bubblewrap started in a session of its own, at once.
 *
 * The inner process dies first: bubblewrap then reaps it and leaves. The other way round the dead inner process would
 * fall to pid 1, which in a container is often this server and reaps nothing.
 * @param alive tells whether the process still runs, so that a pid is never used after its process is gone.
 */
export function killTree(pid: number, alive: () => boolean): void {
  const inner = childrenOf(pid);
  for (const child of inner) kill(child);
  if (inner.length === 0) killGroup(pid);
  else {
    setTimeout(() => {
      if (alive()) killGroup(pid);
    }, JAILER_MS).unref();
  }
}

/** The processes that a process started, of its main thread; empty where /proc is not. bubblewrap has one, and Deno starts no processes. */
export function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** On POSIX a worker leads a group of its own. */
function killGroup(pid: number): void {
  kill(process.platform === 'win32' ? pid : -pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
