// @ts-check

import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** Files above this are told apart by size and time only. */
const HASHED_BYTES = 1024 * 1024;

/**
 * Everything below a folder, one line each: path, kind, size and content. Links are not followed.
 * @param {string} folder
 * @param {(relative: string) => boolean} [isLeftOut]
 * @returns {string[]} sorted; empty if there is no such folder.
 */
export function treeOf(folder, isLeftOut = () => false) {
  return [...walk(folder, '')]
    .filter(({ relative }) => !isLeftOut(relative))
    .map(({ relative, stat }) => `${relative} ${describe(path.join(folder, relative), stat)}`)
    .sort();
}

/**
 * Bytes and entries below a folder. Sparse files count by what they seem to have.
 * @param {string} folder
 * @returns {{ bytes: number, files: number, folders: number }}
 */
export function sizeOf(folder) {
  const sum = { bytes: 0, files: 0, folders: 0 };
  for (const { stat } of walk(folder, '')) {
    if (stat.isDirectory()) sum.folders++;
    else {
      sum.files++;
      sum.bytes += stat.size;
    }
  }
  return sum;
}

/**
 * @param {string} root
 * @param {string} below
 * @returns {Generator<{ relative: string, stat: import('node:fs').Stats }>}
 */
function* walk(root, below) {
  for (const name of namesIn(path.join(root, below))) {
    const relative = path.join(below, name);
    const stat = lstatSync(path.join(root, relative), { throwIfNoEntry: false });
    if (!stat) continue;
    yield { relative, stat };
    if (stat.isDirectory()) yield* walk(root, relative);
  }
}

/** @param {string} folder @returns {string[]} */
function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** @param {string} file @param {import('node:fs').Stats} stat */
function describe(file, stat) {
  if (stat.isSymbolicLink()) return `-> ${readlinkSync(file)}`;
  if (stat.isDirectory()) return `folder ${(stat.mode & 0o7777).toString(8)}`;
  const mode = (stat.mode & 0o7777).toString(8);
  if (!stat.isFile() || stat.size > HASHED_BYTES) return `special ${mode} ${stat.size} ${stat.mtimeMs}`;
  return `file ${mode} ${createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16)}`;
}
