import type { Mechanism } from '../../../src/fs/folder.js';
import type { Workspace, WorkspaceView } from '../../../src/workspace/workspace.js';
import { Workspaces } from '../../../src/workspace/workspaces.js';
import { bytes, temporaryFolder } from '../fs/temporary-folder.js';

export interface TemporaryWorkspace {
  readonly workspace: Workspace;
  /** The folder with its files on the host. */
  readonly host: string;
  readonly dataDir: string;
}

/** A fresh workspace, by default of 1,000,000 bytes and 100 files, removed after the test. */
export function temporaryWorkspace(
  options: { limitBytes?: number; limitFiles?: number; mechanism?: Mechanism; dataDir?: string } = {},
): TemporaryWorkspace {
  const dataDir = options.dataDir ?? temporaryFolder();
  const workspaces = new Workspaces({ limitBytes: 1_000_000, limitFiles: 100, ...options, dataDir });
  return { workspace: workspaces.of('local'), host: workspaces.hostPathOf('local'), dataDir };
}

/** Stages a whole file. */
export function stage(view: WorkspaceView, path: string, content: string): Promise<void> {
  return view.stage(path, { offset: 0, bytes: bytes(content), last: true });
}
