import type { DownstreamServer } from '../core/downstream-server.js';
import type { Config, ConfigProblem, ShownKey } from './config.js';
import { deepFrozen } from './deep-frozen.js';
import { CONFIG_SECTIONS, configFileSchema, configKeys, SERVER_LISTS } from './schema.js';
import type { CheckedSetting } from './validate.js';

type Settings = ReadonlyMap<string, CheckedSetting>;

/** The configuration made of checked settings and, for all other keys, defaults. Frozen through and through. */
export function buildConfig(
  settings: Settings,
  servers: readonly DownstreamServer[],
  folders: { dataDir: string; cacheDir: string },
): Config {
  const root: Record<string, unknown> = {};
  const sections: Record<string, Record<string, unknown>> = {};
  for (const name of CONFIG_SECTIONS) sections[name] = {};
  for (const { key, resolved } of settings.values()) {
    const [section, name] = key.split('.');
    if (name === undefined) root[key] = resolved;
    else if (section !== undefined) Object.assign(sections[section] ?? {}, { [name]: resolved });
  }
  const parsed = configFileSchema.parse({ ...root, ...sections });
  const { sandbox, output, privacy, skills, http, logLevel, registry } = parsed;
  const dataDir = parsed.dataDir ?? folders.dataDir;
  // Whoever lowers only the maximum means it to hold for runs that name no time as well.
  const timeoutSeconds = Math.min(sandbox.timeoutSeconds, sandbox.maxTimeoutSeconds);
  return Object.freeze({
    sandbox: deepFrozen({ ...sandbox, timeoutSeconds }),
    output: Object.freeze(output),
    privacy: deepFrozen(privacy),
    skills: deepFrozen({
      ...(skills.dir === undefined ? {} : { dir: skills.dir }),
      readOnlyDirs: skills.readOnlyDirs,
    }),
    http: deepFrozen(http),
    logLevel,
    servers: Object.freeze(servers),
    registry: Object.freeze(registry),
    dataDir,
    cacheDir: folders.cacheDir,
  });
}

/** Problems of settings that are right by themselves and wrong together. */
export function checkTogether(settings: Settings): ConfigProblem[] {
  const timeout = settings.get('sandbox.timeoutSeconds');
  const maximum = settings.get('sandbox.maxTimeoutSeconds');
  const longest = maximum ? Number(maximum.resolved) : configFileSchema.parse({}).sandbox.maxTimeoutSeconds;
  if (!timeout || Number(timeout.resolved) <= longest) return [];
  return [
    {
      place: timeout.place,
      key: timeout.key,
      message: `found ${timeout.shown}, more than sandbox.maxTimeoutSeconds (${longest}, ${maximum?.place ?? 'default'})`,
    },
  ];
}

/** Every key with the value that applies and the place it comes from, secrets masked. */
export function showKeys(
  settings: Settings,
  config: Config,
  servers: readonly ShownKey[],
  cachePlace = 'default',
): ShownKey[] {
  const values: Record<string, unknown> = { ...configFileSchema.parse({}), ...config };
  const shown: ShownKey[] = [];
  for (const key of configKeys().keys()) {
    if (SERVER_LISTS.includes(key)) continue;
    const setting = settings.get(key);
    const [section = '', name] = key.split('.');
    const owner = values[section];
    const value = name === undefined ? owner : (owner as Record<string, unknown>)[name];
    shown.push({
      key,
      value: setting?.shown ?? JSON.stringify(value) ?? 'none',
      place: setting?.place ?? 'default',
    });
  }
  shown.push(...servers);
  shown.push({ key: 'cacheDir', value: JSON.stringify(config.cacheDir), place: cachePlace });
  return shown;
}
