import type { Logger } from '../../src/core/logger.js';

/** A log that nobody reads. */
export const QUIET: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
