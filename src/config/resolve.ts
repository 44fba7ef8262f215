import { resolve } from 'node:path';
import type { ClientName } from '../core/client-files.js';
import { buildConfig, checkTogether, showKeys } from './build.js';
import { checkPatterns } from './check-patterns.js';
import type { ConfigFlags, ConfigReport, ConfigSource, HostEnvironment } from './config.js';
import type { Setting } from './config-file.js';
import { defaultDirectories } from './directories.js';
import { type ReadConfigFile, readConfigFiles } from './files.js';
import { atHome } from './home-path.js';
import { importClients } from './import-clients.js';
import { checkProjectSettings, withoutUntrusted } from './project-rules.js';
import type { RawServer } from './server-entry.js';
import { listServers } from './server-list.js';
import { type CheckedSetting, checkSetting } from './validate.js';

/**
 * Reads the configuration and reports on it, without throwing for what its author can mend.
 *
 * A file named by `--config` or `CODE_EXECUTION_CONFIG` is used alone. Otherwise the user's file applies, and over it the
 * project's, within {@link checkProjectSettings}. Then come environment variables (folders only), then flags.
 */
export async function resolveConfig(flags: ConfigFlags, host: HostEnvironment): Promise<ConfigReport> {
  const directories = defaultDirectories(host);
  const files = await readConfigFiles(flags, host, directories.config);
  const problems = files.flatMap((file) => file.problems);
  const warnings = files.flatMap((file) => file.warnings);
  const settings = new Map<string, CheckedSetting>();
  // The strongest file last, as with the settings.
  const entries: RawServer[][] = [];
  const layers: Layer[] = [...files, environmentLayer(host), flagLayer(flags, host)];
  for (let layer of layers) {
    if (isProjectFile(layer)) {
      const trusted = withoutUntrusted(layer, settings, host.cwd);
      warnings.push(...trusted.warnings);
      layer = trusted.file;
    }
    entries.push([...(layer.servers ?? [])]);
    const checked: CheckedSetting[] = [];
    for (const setting of layer.settings) {
      const result = checkSetting(setting, host.env);
      if ('problems' in result) problems.push(...result.problems);
      else checked.push(atBase(result.checked, layer.base, host.home));
    }
    if (layer.source?.kind === 'project') {
      problems.push(...checkProjectSettings(checked, settings, host.cwd));
    }
    for (const setting of checked) settings.set(setting.key, setting);
  }
  problems.push(...checkTogether(settings), ...(await checkPatterns(settings)));
  const sources = files.map((file) => file.source);
  const imported = await importClients(listOf(settings, 'importConfigs') as ClientName[], host);
  const list = listServers([...entries.reverse().flat(), ...imported.servers], host);
  warnings.push(...imported.warnings, ...list.warnings);
  if (problems.length > 0) return { problems, warnings, sources };
  const cacheDir = cacheSetting(host);
  const config = buildConfig(settings, list.servers, {
    dataDir: directories.data,
    cacheDir: cacheDir?.value ?? directories.cache,
  });
  const shown = showKeys(settings, config, list.shown, cacheDir?.place);
  return { loaded: { config, warnings, sources, shown }, problems, warnings, sources };
}

interface Layer {
  /** Folder at which relative paths start. */
  readonly base: string;
  readonly source?: ConfigSource;
  readonly settings: readonly Setting[];
  readonly servers?: readonly RawServer[];
}

function isProjectFile(layer: Layer): layer is ReadConfigFile {
  return layer.source?.kind === 'project';
}

function listOf(settings: ReadonlyMap<string, CheckedSetting>, key: string): string[] {
  const value = settings.get(key)?.resolved;
  return Array.isArray(value) ? value : [];
}

function environmentLayer(host: HostEnvironment): Layer {
  const name = 'CODE_EXECUTION_DATA_DIR';
  const value = host.env[name];
  return { base: host.cwd, settings: value ? [{ key: 'dataDir', value, place: name }] : [] };
}

/** The cache can be made again anywhere, so it is no key of the file: an environment variable moves it. */
function cacheSetting(host: HostEnvironment): { value: string; place: string } | undefined {
  const name = 'CODE_EXECUTION_CACHE_DIR';
  const value = host.env[name];
  return value ? { value: resolve(host.cwd, value), place: name } : undefined;
}

function flagLayer(flags: ConfigFlags, host: HostEnvironment): Layer {
  const settings: Setting[] = [];
  const add = (key: string, value: string | undefined, place: string) => {
    if (value !== undefined) settings.push({ key, value, place });
  };
  add('dataDir', flags.dataDir, '--data-dir');
  add('sandbox.backend', flags.backend, '--backend');
  add('logLevel', flags.logLevel, '--log-level');
  return { base: host.cwd, settings };
}

/** Makes the paths among the keys absolute. */
function atBase(setting: CheckedSetting, base: string, home: string): CheckedSetting {
  if (!PATH_KEYS.has(setting.key)) return setting;
  const absolute = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(absolute) : resolve(base, atHome(String(value), home));
  const shown = JSON.stringify(absolute(JSON.parse(setting.shown)));
  return { ...setting, resolved: absolute(setting.resolved), shown };
}

const PATH_KEYS: ReadonlySet<string> = new Set([
  'dataDir',
  'registry',
  'sandbox.python',
  'trustedProjects',
  'privacy.personModel',
  'skills.dir',
  'skills.readOnlyDirs',
]);
