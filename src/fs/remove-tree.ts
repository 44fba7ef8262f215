import { type Dirent, promises as fs } from 'node:fs';
import type { Folder } from './folder.js';
import { errnoOf } from './system-error.js';

/** Names removed at the same time: enough to fill the thread pool. */
const BATCH = 64;

/**
 * Removes whatever `name` in `parent` is; links themselves go, never what they point to. Takes trees of any depth and
 * size with three open handles: each folder is moved into `trash` under a fresh name before it is emptied, so no path
 * grows and no recursion happens (Node's `fs.rm` fails beyond PATH_MAX). The tree is gone for others at the first move.
 * `trash` lies on the same file system and nobody else looks into it.
 */
export async function removeTree(
  parent: Folder,
  name: string,
  trash: Folder,
  freshName: () => string,
): Promise<void> {
  await parent.verify();
  if (!(await parent.disk.lstat(parent.at(name))).isDirectory()) return parent.disk.unlink(parent.at(name));
  const first = freshName();
  await parent.disk.rename(parent.at(name), trash.at(first));
  const pending = [first];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    await emptyInto(trash, next, pending, freshName);
    await trash.disk.rmdir(trash.at(next));
  }
}

/** Removes all but folders from `trash/name`, and moves its folders into `trash`. */
async function emptyInto(
  trash: Folder,
  name: string,
  pending: string[],
  freshName: () => string,
): Promise<void> {
  const folder = await trash.openFolder(name);
  try {
    // As bytes: a name need not be UTF-8.
    const names = await fs.readdir(folder.self, { withFileTypes: true, encoding: 'buffer' });
    for (let from = 0; from < names.length; from += BATCH) {
      // All must have ended before the handle closes: its number, part of their paths, is given out again at once.
      const results = await Promise.allSettled(
        names.slice(from, from + BATCH).map((child) => removeOrMove(folder, child, trash, freshName)),
      );
      for (const result of results) {
        if (result.status === 'rejected') throw result.reason;
        if (result.value !== undefined) pending.push(result.value);
      }
    }
  } finally {
    await folder.close();
  }
}

async function removeOrMove(
  folder: Folder,
  child: Dirent<Buffer>,
  trash: Folder,
  freshName: () => string,
): Promise<string | undefined> {
  const path = Buffer.concat([Buffer.from(`${folder.self}/`), child.name]);
  if (!child.isDirectory()) {
    try {
      await folder.disk.unlink(path);
      return undefined;
    } catch (error) {
      // Disks that do not tell the kind in a listing: what cannot be unlinked is a folder.
      if (!['EISDIR', 'EPERM'].includes(errnoOf(error))) throw error;
    }
  }
  const target = freshName();
  await folder.disk.rename(path, trash.at(target));
  return target;
}
