import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { ConfigProblem } from './config.js';
import { PROJECT_FILE, type ReadConfigFile } from './files.js';
import type { CheckedSetting } from './validate.js';

/** Settings that decide how strong the sandbox is. */
const STRENGTH_KEYS: ReadonlySet<string> = new Set(['sandbox.backend', 'sandbox.builtins']);

/** Settings that start programs, read files elsewhere, or give such rights. */
const TRUST_KEYS: ReadonlySet<string> = new Set([
  'importConfigs',
  'registry',
  'sandbox.python',
  'sandbox.preload',
  'skills.dir',
  'skills.readOnlyDirs',
]);

/** Whoever can name a token can call the server. */
function opensServer(key: string): boolean {
  return key.startsWith('http.');
}

/** A stranger's project may make privacy stricter, and nothing else about it. */
function weakensPrivacy(key: string, value: unknown): boolean {
  return key.startsWith('privacy.') && !(key === 'privacy.mode' && value === 'strict');
}

/**
 * What a project file may say at all. It comes with a checkout, so its author need not be the user, and opening a folder must
 * not start programs of strangers: downstream servers and registries count only if the user's own file lists the folder in
 * `trustedProjects`, or if the file was named (it is no project file then). No project can trust itself.
 */
export function withoutUntrusted(
  file: ReadConfigFile,
  user: ReadonlyMap<string, CheckedSetting>,
  projectFolder: string,
): { file: ReadConfigFile; warnings: string[] } {
  const warnings: string[] = [];
  const folders = user.get('trustedProjects')?.resolved;
  const isTrusted = Array.isArray(folders) && folders.some((one) => isSameFolder(String(one), projectFolder));
  const settings = file.settings.filter(({ key, value, place }) => {
    if (key === 'trustedProjects')
      warnings.push(`${place}: "${key}" counts in the file of the user only; ignored`);
    else if ((TRUST_KEYS.has(key) || opensServer(key) || weakensPrivacy(key, value)) && !isTrusted)
      warnings.push(`${place}: "${key}" is ignored: ${untrusted(projectFolder)}`);
    else return true;
    return false;
  });
  const servers = isTrusted ? file.servers : [];
  const first = file.servers[0];
  if (first && !isTrusted) {
    const names = file.servers
      .map(({ name }) => `"${name}"`)
      .slice(0, 10)
      .join(', ');
    warnings.push(`${first.place}: the servers ${names} are ignored: ${untrusted(projectFolder)}`);
  }
  return { file: { ...file, settings, servers }, warnings };
}

function untrusted(folder: string): string {
  return `the project is not trusted. To trust it, add ${JSON.stringify(folder)} to "trustedProjects" in your own configuration, or start with --config ${PROJECT_FILE}`;
}

function isSameFolder(one: string, other: string): boolean {
  return realpathOfExisting(one) === realpathOfExisting(other);
}

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
