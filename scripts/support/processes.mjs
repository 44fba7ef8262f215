// @ts-check
import { readdirSync, readFileSync } from 'node:fs';

/**
 * A process of this machine, from /proc (Linux). `command`: name of the program, at most 15 characters.
 * @typedef {{ pid: number, parent: number, command: string }} ProcessEntry
 */

/**
 * All processes below a process, as of now.
 * @param {number} root
 * @returns {ProcessEntry[]}
 */
export function descendants(root) {
  const all = processes();
  /** @type {(pid: number) => ProcessEntry[]} */
  const below = (pid) =>
    all.filter((entry) => entry.parent === pid).flatMap((entry) => [entry, ...below(entry.pid)]);
  return below(root);
}

/**
 * True while the process exists and is no zombie.
 * @param {number} pid
 */
export function isAlive(pid) {
  return processes().some((entry) => entry.pid === pid);
}

/** @returns {ProcessEntry[]} */
function processes() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8').match(/\((.*)\) (\S) (\d+)/s);
        const [, command = '', state, parent] = stat ?? [];
        return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        return []; // ended meanwhile
      }
    });
}
