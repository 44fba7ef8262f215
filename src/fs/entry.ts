import type { Stats } from 'node:fs';

/** A regular file or folder below a contained directory. */
export interface Entry {
  /** Relative path, `/` between the parts. */
  readonly path: string;
  readonly kind: 'file' | 'directory';
  /** Bytes by `st_size`, so a sparse file counts in full; 0 for a folder. */
  readonly size: number;
  readonly mtimeMs: number;
  /** Inode, size and time of change; equal means unchanged. */
  readonly version: string;
}

/** The entry for a stat result, or undefined for anything that is neither a regular file nor a folder. */
export function entryOf(path: string, stats: Stats): Entry | undefined {
  if (!stats.isFile() && !stats.isDirectory()) return undefined;
  const kind = stats.isFile() ? 'file' : 'directory';
  const size = kind === 'file' ? stats.size : 0;
  return { path, kind, size, mtimeMs: stats.mtimeMs, version: `${stats.ino}-${size}-${stats.mtimeMs}` };
}
