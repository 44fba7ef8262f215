import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { ConfigProblem } from './config.js';
import type { CheckedSetting } from './validate.js';

/** Settings that decide how strong the sandbox is. */
const STRENGTH_KEYS: ReadonlySet<string> = new Set(['sandbox.backend', 'sandbox.builtins']);

/**
 * A project file comes with a checkout, so its author need not be the user. It may set limits (the schema bounds them)
 * and make the sandbox stricter. It may not keep data outside the project, nor change how strong the sandbox is
 * against what the user's own file says.
 */
export function checkProjectSettings(
  project: readonly CheckedSetting[],
  user: ReadonlyMap<string, CheckedSetting>,
  projectFolder: string,
): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const { key, place, resolved, shown } of project) {
    const own = user.get(key);
    if (key === 'dataDir' && !isInside(String(resolved), projectFolder)) {
      problems.push({
        place,
        key,
        message:
          'a project file may only name a folder inside its own; use --data-dir or the user configuration',
      });
    }
    if (STRENGTH_KEYS.has(key) && own && own.resolved !== resolved && resolved !== 'strict') {
      problems.push({
        place,
        key,
        message: `found ${shown}, but ${own.place} sets ${own.shown}, and a project file may not change that`,
      });
    }
  }
  return problems;
}

/** True if `path` lies in `folder` once links are followed; parts that do not exist yet cannot be links. */
function isInside(path: string, folder: string): boolean {
  const way = relative(realpathSync(folder), realpathOfExisting(path));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function realpathOfExisting(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realpathOfExisting(parent), relative(parent, path));
  }
}
