// @ts-check

import { loadConfig } from '../../dist/config/load.js';
import { createPrivacy } from '../../dist/privacy-engine.js';
import { temporaryFolder } from './folders.mjs';

const QUIET = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** The product's own detectors, vaults in memory, and the filter, for principals of any name. */
export async function openPrivacy() {
  const { folder, remove } = temporaryFolder();
  const host = { env: {}, platform: /** @type {const} */ ('linux'), home: folder, cwd: folder };
  const { config } = await loadConfig({}, host);
  const privacy = { ...config.privacy, detect: /** @type {const} */ (['full']), keep: false };
  const engine = await createPrivacy({ ...config, privacy, dataDir: folder }, QUIET);
  if (!engine) throw new Error('privacy is off by default');
  return {
    engine,
    async close() {
      await engine.close();
      remove();
    },
  };
}
