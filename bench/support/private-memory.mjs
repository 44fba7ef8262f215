// @ts-check
import { readFileSync } from 'node:fs';
import { descendants } from '../../scripts/support/processes.mjs';

/**
 * Bytes that only this process has (Linux), and with `below` those of all processes below it.
 * @param {number} pid
 * @param {{ below?: boolean }} [options]
 * @returns {number}
 */
export function privateBytes(pid, { below = true } = {}) {
  const pids = [pid, ...(below ? descendants(pid).map((process) => process.pid) : [])];
  return pids.reduce((sum, one) => sum + ofOne(one), 0);
}

/** @param {number} pid */
function ofOne(pid) {
  let text = '';
  try {
    text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  } catch {
    return 0; // ended meanwhile
  }
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)].map(([, value]) =>
    Number(value),
  );
  return kilobytes.reduce((sum, value) => sum + value, 0) * 1024;
}
