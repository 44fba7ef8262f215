import { join } from 'node:path';
import { MIB } from '../core/limits.js';
import { folderOfPrincipal } from '../core/principal-folder.js';
import type { Mechanism } from '../fs/folder.js';
import { FolderWorkspace } from './folder-workspace.js';
import type { Workspace } from './workspace.js';

export const DEFAULT_WORKSPACE_BYTES = 256 * MIB;
export const DEFAULT_WORKSPACE_FILES = 10_000;

export interface WorkspacesOptions {
  /** Folder of the host under which `workspaces/` lies; made with mode 0700 when first used. */
  readonly dataDir: string;
  /** Default {@link DEFAULT_WORKSPACE_BYTES}. */
  readonly limitBytes?: number;
  /** Default {@link DEFAULT_WORKSPACE_FILES}. Folders have the same limit, counted apart. */
  readonly limitFiles?: number;
  /** Default: the strongest this system has. */
  readonly mechanism?: Mechanism;
}

/** The workspaces of all principals: `<dataDir>/workspaces/<encoded principal>`, made when first used. */
export class Workspaces {
  readonly #byPrincipal = new Map<string, FolderWorkspace>();

  constructor(private readonly options: WorkspacesOptions) {}

  /** Always the same object for a principal, for locks, quota and views belong to it. No I/O. */
  of(principal: string): Workspace {
    const known = this.#byPrincipal.get(principal);
    if (known) return known;
    const {
      limitBytes = DEFAULT_WORKSPACE_BYTES,
      limitFiles = DEFAULT_WORKSPACE_FILES,
      mechanism,
    } = this.options;
    const workspace = new FolderWorkspace(this.hostPathOf(principal), { limitBytes, limitFiles }, mechanism);
    this.#byPrincipal.set(principal, workspace);
    return workspace;
  }

  /** Where the files lie on the host: for the operator, never for the model. */
  hostPathOf(principal: string): string {
    return join(this.options.dataDir, 'workspaces', folderOfPrincipal(principal));
  }
}
