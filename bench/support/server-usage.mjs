// @ts-check
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { descendants } from '../../scripts/support/processes.mjs';

/**
 * What a server takes of the machine right now (Linux). Bytes; `processes` are those below it.
 * @typedef {{ residentBytes: number, openFiles: number, processes: number, diskBytes: number, files: number }} Usage
 */

/**
 * @param {{ pid: number, dataDir: string }} server
 * @returns {Usage}
 */
export function usageOf({ pid, dataDir }) {
  const disk = folderSize(dataDir);
  return {
    residentBytes: residentBytes(pid),
    openFiles: readdirSync(`/proc/${pid}/fd`).length,
    processes: descendants(pid).length,
    diskBytes: disk.bytes,
    files: disk.files,
  };
}

/** @param {number} pid */
export function residentBytes(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

/**
 * Bytes and number of all files below a folder. What vanishes meanwhile does not count.
 * @param {string} folder
 * @returns {{ bytes: number, files: number }}
 */
function folderSize(folder) {
  const total = { bytes: 0, files: 0 };
  for (const entry of entriesOf(folder)) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      const below = folderSize(full);
      total.bytes += below.bytes;
      total.files += below.files;
    } else {
      total.bytes += lstatSync(full, { throwIfNoEntry: false })?.size ?? 0;
      total.files += 1;
    }
  }
  return total;
}

/** @param {string} folder */
function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
