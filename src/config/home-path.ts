import { join } from 'node:path';

/** The path with a leading `~` replaced by the home folder. */
export function atHome(path: string, home: string): string {
  return path === '~' || /^~[\\/]/.test(path) ? join(home, path.slice(1)) : path;
}
