import { defaultDirectories } from '../../src/config/directories.js';
import { hostEnvironment } from '../../src/config/load.js';

/** Where this user's servers keep the prepared runtime: tests share it, for making it takes seconds. */
export function cacheFolder(): string {
  const host = hostEnvironment();
  return host.env.CODE_EXECUTION_CACHE_DIR || defaultDirectories(host).cache;
}
