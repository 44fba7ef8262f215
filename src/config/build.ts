import type { DownstreamServer } from '../core/downstream-server.js';
import type { Config, ConfigProblem, ShownKey } from './config.js';
import { configFileSchema, configKeys, SERVER_LISTS } from './schema.js';
import type { CheckedSetting } from './validate.js';

type Settings = ReadonlyMap<string, CheckedSetting>;

/** The configuration made of checked settings and, for all other keys, defaults. Frozen through and through. */
export function buildConfig(
  settings: Settings,
  servers: readonly DownstreamServer[],
  folders: { dataDir: string; cacheDir: string },
): Config {
  const raw = {
    sandbox: {} as Record<string, unknown>,
    output: {} as Record<string, unknown>,
    root: {} as Record<string, unknown>,
  };
  for (const { key, resolved } of settings.values()) {
    const [section, name] = key.split('.');
    if (name === undefined) raw.root[key] = resolved;
    else if (section === 'sandbox' || section === 'output') raw[section][name] = resolved;
  }
  const parsed = configFileSchema.parse({ ...raw.root, sandbox: raw.sandbox, output: raw.output });
  const { sandbox, output, logLevel, dataDir, registry } = parsed;
  // Whoever lowers only the maximum means it to hold for runs that name no time as well.
  const timeoutSeconds = Math.min(sandbox.timeoutSeconds, sandbox.maxTimeoutSeconds);
  return Object.freeze({
    sandbox: Object.freeze({ ...sandbox, timeoutSeconds }),
    output: Object.freeze(output),
    logLevel,
    servers: Object.freeze(servers),
    registry: Object.freeze(registry),
    dataDir: dataDir ?? folders.dataDir,
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
    shown.push({ key, value: setting?.shown ?? JSON.stringify(value), place: setting?.place ?? 'default' });
  }
  shown.push(...servers);
  shown.push({ key: 'cacheDir', value: JSON.stringify(config.cacheDir), place: cachePlace });
  return shown;
}
