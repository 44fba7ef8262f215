import { SearchIndex } from '../../../src/catalog/search/search-index.js';
import {
  FolderSkillStore,
  type FolderSkillStoreOptions,
  type SkillEvent,
} from '../../../src/skills/folder-skill-store.js';
import { temporaryFolder } from '../fs/temporary-folder.js';

export interface Fixture {
  readonly store: FolderSkillStore;
  /** The own root on the host. */
  readonly root: string;
  readonly events: SkillEvent[];
  readonly warnings: string[];
}

/** A store over a fresh folder, removed after the test. */
export function fixture(options: Partial<FolderSkillStoreOptions> = {}): Fixture {
  const root = options.root ?? temporaryFolder();
  const events: SkillEvent[] = [];
  const warnings: string[] = [];
  const store = new FolderSkillStore({
    principal: 'local',
    readOnlyRoots: [],
    search: new SearchIndex(),
    log: { warn: (_fields, message) => warnings.push(message) },
    record: (line) => events.push(line),
    ...options,
    root,
  });
  return { store, root, events, warnings };
}
