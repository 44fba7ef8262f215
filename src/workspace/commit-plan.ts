import type { FileChange } from '../core/outcome.js';
import type { Listing } from '../fs/listing.js';
import { OffLimits } from './off-limits.js';
import { ancestors, atOrBelow } from './path-range.js';
import type { Amount } from './quota.js';
import type { WorkspaceEntry } from './workspace.js';

export interface StagedChanges {
  /** The workspace when the view was opened, by path. */
  readonly opening: ReadonlyMap<string, WorkspaceEntry>;
  /** Size of each finished file, by path. */
  readonly files: ReadonlyMap<string, number>;
  readonly folders: ReadonlySet<string>;
  readonly removals: ReadonlySet<string>;
}

/** What a commit does, in this order. */
export interface CommitPlan {
  readonly removeFiles: readonly WorkspaceEntry[];
  /** Deepest first; those that are not empty stay. */
  readonly removeFolders: readonly string[];
  /** Parents first. */
  readonly makeFolders: readonly string[];
  /** The file that is replaced, for each path where one is. */
  readonly replaced: ReadonlyMap<string, WorkspaceEntry>;
  readonly delta: Amount;
  readonly changes: readonly FileChange[];
}

/**
 * Fits the changes of a run to the workspace as it is now. Per file the last to commit wins. A removed folder takes
 * with it only what the run could see: files that others made in it since stay, and the folder with them. Only where
 * a file and a folder want the same path does the loser go, and the report says so.
 * @throws CodeExecutionError `path_denied` when a link or special file has come into the way since the opening.
 */
export function planCommit(staged: StagedChanges, now: Listing): CommitPlan {
  const offLimits = new OffLimits(now.skipped);
  const current = new Map(now.entries.map((entry) => [entry.path, entry]));
  const folders = wantedFolders(staged);
  for (const path of staged.files.keys()) offLimits.check(path, 'file');
  for (const path of folders) offLimits.check(path, 'directory');

  const removed = new Map<string, { entry: WorkspaceEntry; foreign: boolean }>();
  const removedFolders = new Set<string>();
  const remove = (entry: WorkspaceEntry, foreign: boolean) => {
    if (entry.kind === 'directory') removedFolders.add(entry.path);
    else if (!staged.files.has(entry.path) && !removed.has(entry.path))
      removed.set(entry.path, { entry, foreign });
  };
  for (const root of staged.removals) {
    for (const entry of atOrBelow(now.entries, root)) {
      const seen = staged.opening.get(entry.path);
      if (seen?.kind === entry.kind) remove(entry, seen.version !== entry.version);
    }
  }
  for (const path of folders) {
    const entry = current.get(path);
    if (entry?.kind === 'file') remove(entry, true);
  }
  const replaced = new Map<string, WorkspaceEntry>();
  for (const path of staged.files.keys()) {
    const entry = current.get(path);
    if (entry?.kind === 'file') replaced.set(path, entry);
    else if (entry) for (const below of atOrBelow(now.entries, path)) remove(below, true);
  }

  const makeFolders = [...folders].filter(
    (path) => current.get(path)?.kind !== 'directory' || removedFolders.has(path),
  );
  return {
    removeFiles: [...removed.values()].map(({ entry }) => entry),
    removeFolders: [...removedFolders].sort().reverse(),
    makeFolders: makeFolders.sort(),
    replaced,
    delta: {
      bytes:
        total(staged.files.values()) -
        total([...replaced.values(), ...entriesOf(removed)].map(({ size }) => size)),
      files: staged.files.size - replaced.size - removed.size,
      folders: makeFolders.length - removedFolders.size,
    },
    changes: [...fileChanges(staged, current), ...removals(removed)].sort((a, b) =>
      a.path < b.path ? -1 : 1,
    ),
  };
}

function wantedFolders(staged: StagedChanges): Set<string> {
  const folders = new Set(staged.folders);
  for (const path of staged.files.keys()) for (const folder of ancestors(path)) folders.add(folder);
  return folders;
}

function fileChanges(staged: StagedChanges, current: ReadonlyMap<string, WorkspaceEntry>): FileChange[] {
  return [...staged.files].map(([path, size]) => {
    const before = fileAt(staged.opening, path);
    const now = fileAt(current, path);
    const change = { path, change: now ? 'modified' : 'created', size } as const;
    return before?.version === now?.version ? change : { ...change, overwroteOther: true };
  });
}

function removals(removed: ReadonlyMap<string, { foreign: boolean }>): FileChange[] {
  return [...removed].map(([path, { foreign }]) => {
    const change = { path, change: 'deleted', size: 0 } as const;
    return foreign ? { ...change, overwroteOther: true } : change;
  });
}

function fileAt(entries: ReadonlyMap<string, WorkspaceEntry>, path: string): WorkspaceEntry | undefined {
  const entry = entries.get(path);
  return entry?.kind === 'file' ? entry : undefined;
}

function entriesOf(removed: ReadonlyMap<string, { entry: WorkspaceEntry }>): WorkspaceEntry[] {
  return [...removed.values()].map(({ entry }) => entry);
}

function total(sizes: Iterable<number>): number {
  let sum = 0;
  for (const size of sizes) sum += size;
  return sum;
}
