import type { FileChange } from '../core/outcome.js';

/** A file or folder of a workspace. Links, devices, FIFOs and sockets are never listed and never opened. */
export interface WorkspaceEntry {
  /** Path relative to the workspace, `/` between the parts, Unicode as on disk. */
  readonly path: string;
  readonly kind: 'file' | 'directory';
  /** Bytes; 0 for a folder. */
  readonly size: number;
  readonly mtimeMs: number;
  /** Changes whenever the content may have changed (made of inode, size and mtime); equal means unchanged. */
  readonly version: string;
}

export interface WorkspaceUsage {
  readonly bytes: number;
  /** Files, without folders; folders have the same limit, counted apart. */
  readonly files: number;
  readonly limitBytes: number;
  readonly limitFiles: number;
}

/** How {@link Workspace.write} treats a file that is already there. */
export type WriteMode = 'overwrite' | 'append' | 'create';

/**
 * The files of one principal. The only way to them: paths are checked once, files are opened by handle, quotas hold.
 * Every method throws `CodeExecutionError` (`path_denied`, `bad_name`, `not_found`, `exists`, `disk_limit`).
 */
export interface Workspace {
  /** Everything below `subpath` (default: all), sorted by path; the file itself if `subpath` is one. */
  list(subpath?: string): Promise<WorkspaceEntry[]>;
  stat(path: string): Promise<WorkspaceEntry>;
  /** Up to `length` bytes from `offset`; an offset past the end gives an empty array. */
  read(path: string, range?: { offset?: number; length?: number }): Promise<Uint8Array>;
  /** Atomic: readers see the old content or the new one. Makes missing folders. Returns the entry after the write. */
  write(path: string, content: Uint8Array, mode: WriteMode): Promise<WorkspaceEntry>;
  /** Counted now. */
  usage(): Promise<WorkspaceUsage>;
  /**
   * With every change of this server, and those of others up to about a second ago: for what is told after each write,
   * where a count each time would make n writes cost n² looks at files.
   */
  recentUsage(): Promise<WorkspaceUsage>;
  /** The workspace as it is now, for one run. Must be ended by `commit` or `discard`. */
  openView(): Promise<WorkspaceView>;
}

/**
 * One run's view of the workspace: it reads files as they were when the view was opened, even if another run replaces
 * them meanwhile, and its own changes stay in staging (counted against the quota) until `commit`.
 * Paths given here come from the sandbox and are hostile: they pass the same checks as a client's.
 */
export interface WorkspaceView {
  readonly entries: readonly WorkspaceEntry[];
  /**
   * Throws `not_found` if the path was not there when the view was opened. A file that was changed from outside this
   * server since (by hand, by another server) reads as it is now.
   */
  read(path: string): Promise<Uint8Array>;
  /**
   * Stages the next part of a changed file; parts come in order, the first with `offset` 0 (which starts it anew).
   * Throws `disk_limit` at the part that would pass the quota, and drops that file; what was staged before stays and can
   * be committed. Removals make room, so send them first.
   */
  stage(path: string, part: { offset: number; bytes: Uint8Array; last: boolean }): Promise<void>;
  stageFolder(path: string): Promise<void>;
  /** A file, or a folder with all below it. */
  stageRemoval(path: string): Promise<void>;
  /**
   * Moves staged files into place; the last run to commit wins per file. Files begun but never finished are dropped.
   * Ends the view, also when it throws. `disk_limit` and `path_denied` are thrown before anything is changed.
   */
  commit(): Promise<FileChange[]>;
  /** Ends the view without changes; nothing happens if it has ended. */
  discard(): Promise<void>;
}
