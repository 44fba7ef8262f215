// @ts-check
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A fresh folder and how to remove it. */
export function temporaryFolder() {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'code-execution-fuzz-')));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** In a file that nothing inside leads to. */
export const SECRET = 'CNRY-outside-the-root';

/**
 * What lies in a planted root, by path. Links lead out, up, and to themselves.
 * @type {ReadonlyMap<string, 'file' | 'directory' | 'link'>}
 */
export const PLANTED = new Map([
  ['a', 'directory'],
  ['a/b', 'directory'],
  ['a/b/deep.txt', 'file'],
  ['a/up', 'link'],
  ['file.txt', 'file'],
  ['out', 'link'],
  ['out.txt', 'link'],
  ['loop', 'link'],
  ['nowhere', 'link'],
  ['\u00e9', 'file'],
]);

const TARGETS = new Map([
  ['a/up', '../..'],
  ['out', '../outside'],
  ['out.txt', '../outside/secret.txt'],
  ['loop', 'loop'],
  ['nowhere', '../outside/new.txt'],
]);

/** Makes a root and `outside` beside it. @param {string} folder */
export function plant(folder, name = 'root') {
  const root = path.join(folder, name);
  const outside = path.join(folder, 'outside');
  for (const one of [root, outside]) mkdirSync(one, { recursive: true });
  writeFileSync(path.join(outside, 'secret.txt'), SECRET);
  for (const [inside, kind] of PLANTED) {
    const place = path.join(root, inside);
    if (kind === 'directory') mkdirSync(place);
    else if (kind === 'file') writeFileSync(place, inside);
    else symlinkSync(TARGETS.get(inside) ?? '', place);
  }
  return { root, outside };
}
