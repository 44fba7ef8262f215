import { join } from 'node:path';
import type { Logger } from '../core/logger.js';
import { folderOfPrincipal } from '../core/principal-folder.js';
import { FolderSkillStore, type SkillEvent } from './folder-skill-store.js';
import type { SkillSearch } from './skill-search.js';
import type { InspectCode, SkillArchive } from './skills.js';

export interface SkillStoresOptions {
  /** Folder of the host under which `skills/` lies. */
  readonly dataDir: string;
  /** The principal of standard input and output ... */
  readonly ownPrincipal: string;
  /** ... and its root, if it is not below `dataDir`. */
  readonly ownRoot?: string;
  /** Roots that all principals may use and none may change. */
  readonly readOnlyRoots: readonly string[];
  /** An empty engine, one for each principal. */
  readonly createSearch: () => SkillSearch;
  readonly log: Pick<Logger, 'warn'>;
  readonly record: (line: SkillEvent) => void;
  readonly inspect?: InspectCode;
}

/** The skills of all principals: `<dataDir>/skills/<encoded principal>`, made when first used. */
export class SkillStores implements AsyncDisposable {
  readonly #byPrincipal = new Map<string, FolderSkillStore>();

  constructor(private readonly options: SkillStoresOptions) {}

  /** Always the same object for a principal, for what is in memory belongs to it. No I/O. */
  of(principal: string): SkillArchive {
    const known = this.#byPrincipal.get(principal);
    if (known) return known;
    const { createSearch, log, record, inspect, readOnlyRoots } = this.options;
    const store = new FolderSkillStore({
      principal,
      root: this.hostPathOf(principal),
      readOnlyRoots,
      search: createSearch(),
      log,
      record,
      ...(inspect === undefined ? {} : { inspect }),
    });
    this.#byPrincipal.set(principal, store);
    return store;
  }

  /** Where the folders lie on the host: for the operator, never for the model. */
  hostPathOf(principal: string): string {
    const { dataDir, ownPrincipal, ownRoot } = this.options;
    if (principal === ownPrincipal && ownRoot !== undefined) return ownRoot;
    return join(dataDir, 'skills', folderOfPrincipal(principal));
  }

  /** Writes what is still in memory. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#byPrincipal.values()].map((store) => store.close()));
  }
}
