import type { Stats } from 'node:fs';
import { CodeExecutionError } from '../core/errors.js';
import { type Entry, entryOf } from './entry.js';
import type { Folder } from './folder.js';
import { isPlainPath, isPrivateName, MAX_DEPTH } from './relative-path.js';
import { errnoOf } from './system-error.js';

export interface Listing {
  /** Regular files and folders, sorted by path (by UTF-16 code unit, so all below `d` lies between `d/` and `d0`). */
  readonly entries: readonly Entry[];
  /**
   * Paths of what is there but never opened: links, devices, pipes, sockets, names that no path may hold. Their names
   * are raw: compare with them, do not show them.
   */
  readonly skipped: readonly string[];
}

/** Names looked at together: enough to fill the thread pool when the disk is slow. */
const BATCH = 64;

/**
 * Everything below an open folder, links not followed, {@link MAX_DEPTH} deep. `prefix` holds the parts that lead to
 * the folder. Not atomic: what is removed meanwhile is left out.
 * @throws CodeExecutionError `disk_limit` beyond `maxEntries` names: a bound for memory and time.
 */
export async function listBelow(
  folder: Folder,
  prefix: readonly string[],
  maxEntries: number,
): Promise<Listing> {
  return list(folder, prefix, maxEntries, MAX_DEPTH);
}

/** What lies directly in an open folder; otherwise like {@link listBelow}. */
export async function listIn(
  folder: Folder,
  prefix: readonly string[],
  maxEntries: number,
): Promise<Listing> {
  return list(folder, prefix, maxEntries, prefix.length + 1);
}

async function list(
  folder: Folder,
  prefix: readonly string[],
  maxEntries: number,
  depth: number,
): Promise<Listing> {
  const scan = new Scan(maxEntries, Math.min(depth, MAX_DEPTH));
  await scan.walk(folder, prefix);
  scan.entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return scan;
}

class Scan implements Listing {
  readonly entries: Entry[] = [];
  readonly skipped: string[] = [];
  #left: number;

  /** `depth`: parts of the longest path that is listed. */
  constructor(
    private readonly maxEntries: number,
    private readonly depth: number,
  ) {
    this.#left = maxEntries;
  }

  async walk(folder: Folder, prefix: readonly string[]): Promise<void> {
    if (prefix.length >= this.depth) return;
    const names = await folder.disk.readdir(folder.self);
    this.#left -= names.length;
    if (this.#left < 0) throw tooMany(this.maxEntries);
    const folders: string[] = [];
    for (let from = 0; from < names.length; from += BATCH) {
      const batch = names.slice(from, from + BATCH);
      const stats = await Promise.all(batch.map((name) => lstatOrUndefined(folder, name)));
      batch.forEach((name, i) => {
        if (this.#add(prefix, name, stats[i])) folders.push(name);
      });
    }
    if (prefix.length + 1 >= this.depth) return;
    for (const name of folders) await this.#descend(folder, prefix, name);
  }

  /** Records one name; true for a folder to descend into. */
  #add(prefix: readonly string[], name: string, stats: Stats | undefined): boolean {
    if (prefix.length === 0 && isPrivateName(name)) return false;
    const parts = [...prefix, name];
    const path = parts.join('/');
    const entry = stats && isPlainPath(parts) ? entryOf(path, stats) : undefined;
    if (entry === undefined) {
      this.skipped.push(path);
      return false;
    }
    this.entries.push(entry);
    return entry.kind === 'directory';
  }

  async #descend(folder: Folder, prefix: readonly string[], name: string): Promise<void> {
    let below: Folder;
    try {
      below = await folder.openFolder(name);
    } catch (error) {
      // Removed, replaced by a link, or not readable for us since it was looked at: its content is not shown.
      if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'].includes(errnoOf(error))) return;
      throw error;
    }
    try {
      await this.walk(below, [...prefix, name]);
    } finally {
      await below.close();
    }
  }
}

/** A name that cannot be looked at (gone, not UTF-8, no permission) is skipped like one that may not be opened. */
async function lstatOrUndefined(folder: Folder, name: string): Promise<Stats | undefined> {
  try {
    return await folder.disk.lstat(folder.at(name));
  } catch {
    return undefined;
  }
}

function tooMany(maxEntries: number): CodeExecutionError {
  return new CodeExecutionError(
    'disk_limit',
    `The workspace holds more than ${maxEntries} names.`,
    'Files were put there from outside the server; its owner has to remove some.',
  );
}
