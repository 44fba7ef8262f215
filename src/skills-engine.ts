import { auditLog } from './audit-log.js';
import type { Catalog } from './catalog/catalog.js';
import { SearchIndex } from './catalog/search/search-index.js';
import type { Config } from './config/config.js';
import type { Logger } from './core/logger.js';
import type { PrivacyEngine } from './privacy-engine.js';
import { STDIO_PRINCIPAL } from './server/serve-stdio.js';
import type { Runner } from './session/runner.js';
import { SkillInspection } from './session/skill-inspection.js';
import { StoredSkills } from './session/stored-skills.js';
import { SkillStores } from './skills/skill-stores.js';

export interface SkillsEngine {
  readonly stores: SkillStores;
  readonly access: StoredSkills;
  close(): Promise<void>;
}

/** What the skills need of the rest of the engine. */
export interface SkillsNeed {
  readonly runner: Runner;
  readonly catalog: Pick<Catalog, 'resolve'>;
  readonly privacy: PrivacyEngine | undefined;
}

/** Joins store, inspection, search, privacy and audit. Starts nothing. */
export function createSkills(
  config: Config,
  logger: Logger,
  { runner, catalog, privacy }: SkillsNeed,
): SkillsEngine {
  const audit = auditLog(config.dataDir, 'skills', logger);
  const inspection = new SkillInspection({ runner, memoryMb: config.sandbox.memoryMb });
  const { dir, readOnlyDirs } = config.skills;
  const stores = new SkillStores({
    dataDir: config.dataDir,
    ownPrincipal: STDIO_PRINCIPAL,
    ...(dir === undefined ? {} : { ownRoot: dir }),
    readOnlyRoots: readOnlyDirs,
    createSearch: () => new SearchIndex(),
    log: logger,
    record: (line) => audit.add({ ...line }),
    inspect: async (code, name) => (await inspection.inspect(name, code, { nested: true })).shape,
  });
  const access = new StoredSkills({
    storeOf: async (principal) => stores.of(principal),
    inspection,
    hasTool: async (name) => (await catalog.resolve(name)) !== undefined,
    ...(privacy ? { findPersonal: (text: string) => privacy.guard.findPersonal(text) } : {}),
    smallIndex: () => new SearchIndex(),
  });
  return {
    stores,
    access,
    async close() {
      await stores[Symbol.asyncDispose]();
      await audit.flush();
    },
  };
}
