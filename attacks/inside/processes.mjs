// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** @typedef {{ pid: number, parent: number, command: string, isZombie: boolean }} Process */

/**
 * All processes of this PID namespace but this one.
 * @returns {Process[]}
 */
export function processes() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state = '', parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').join(' ').trim();
        return [{ pid: Number(name), parent: Number(parent), command, isZombie: state === 'Z' }];
      } catch {
        return []; // It ended in between.
      }
    });
}

/**
 * A process and all below it.
 * @param {number} pid
 * @param {readonly Process[]} [all]
 * @returns {Process[]}
 */
export function below(pid, all = processes()) {
  const own = all.filter((each) => each.pid === pid);
  const children = all.filter((each) => each.parent === pid);
  return [...own, ...children.flatMap((child) => below(child.pid, all))];
}

/**
 * How many processes there are of each kind; a kind is a program and how it was started, without what is random.
 * @param {readonly Process[]} list
 * @returns {Map<string, number>}
 */
export function kindsOf(list) {
  /** @type {Map<string, number>} */
  const kinds = new Map();
  for (const { command, isZombie } of list) {
    if (isZombie) continue;
    const [program = '', ...rest] = command.split(' ');
    const plain = rest
      .join(' ')
      .replaceAll(/code-execution-jail-\w+|[0-9a-f]{6,}/gi, '#')
      .slice(0, 60);
    const kind = `${path.basename(program)} ${plain}`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return kinds;
}

/** Resident memory in bytes; 0 when the process is gone. @param {number} pid */
export function residentBytes(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Open descriptors; 0 when the process is gone. @param {number} pid */
export function openFiles(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

/** @param {number} pid */
export function isAlive(pid) {
  return processes().some((each) => each.pid === pid && !each.isZombie);
}
