import { lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CodeExecutionError } from '../core/errors.js';
import type { ConfigFlags, ConfigProblem, ConfigSource, HostEnvironment } from './config.js';
import { parseConfigFile, type Setting } from './config-file.js';
import type { RawServer } from './server-entry.js';
import { textFiles } from './text-file.js';

/** Configuration file of a project, looked for in the working directory. */
export const PROJECT_FILE = '.code-execution.json';
/** Configuration file of the user, in the configuration folder of the system. */
export const USER_FILE = 'config.json';

/** A configuration file that exists, and what it says. */
export interface ReadConfigFile {
  readonly source: ConfigSource;
  /** Folder at which the file's relative paths start. */
  readonly base: string;
  readonly settings: readonly Setting[];
  readonly servers: readonly RawServer[];
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly string[];
}

/** The files that apply, the weakest first: the one that was named, or else the user's and the project's. */
export async function readConfigFiles(
  flags: ConfigFlags,
  host: HostEnvironment,
  userFolder: string,
): Promise<ReadConfigFile[]> {
  const variable = host.env.CODE_EXECUTION_CONFIG;
  if (flags.config !== undefined) return [await readNamed('--config', flags.config, host)];
  if (variable) return [await readNamed('CODE_EXECUTION_CONFIG', variable, host)];
  const files = [
    await readIfThere({ kind: 'user', path: join(userFolder, USER_FILE) }, 'user file'),
    await readProject(host),
  ];
  return files.filter((file) => file !== undefined);
}

async function readNamed(by: string, name: string, host: HostEnvironment): Promise<ReadConfigFile> {
  const source: ConfigSource = { kind: 'named', path: resolve(host.cwd, name) };
  const file = await readIfThere(source, by);
  return file ?? broken(source, { place: by, message: `there is no file ${source.path}` });
}

/**
 * A working directory may be a folder that strangers write to (`/tmp`), and a file there must not configure the server
 * of whoever happens to start it there.
 */
async function readProject(host: HostEnvironment): Promise<ReadConfigFile | undefined> {
  const source: ConfigSource = { kind: 'project', path: join(host.cwd, PROJECT_FILE) };
  const owner = ownerOf(source.path);
  const own = host.uid === undefined || owner === undefined || owner === host.uid || owner === 0;
  if (own) return readIfThere(source, 'project file');
  return broken(source, {
    place: source.path,
    message: `the file belongs to another user (uid ${owner}); if you trust it, start with --config ${PROJECT_FILE}`,
  });
}

/** Undefined when there is no file, or none that can be looked at: reading it then tells why. */
function ownerOf(path: string): number | undefined {
  try {
    return lstatSync(path).uid;
  } catch {
    return undefined;
  }
}

async function readIfThere(source: ConfigSource, by: string): Promise<ReadConfigFile | undefined> {
  try {
    const text = await textFiles.read(source.path);
    if (text === undefined) return undefined;
    return { source, base: dirname(source.path), ...(await parseConfigFile(text, source.path)) };
  } catch (error) {
    if (!(error instanceof CodeExecutionError)) throw error;
    return broken(source, { place: by, message: error.message });
  }
}

function broken(source: ConfigSource, problem: ConfigProblem): ReadConfigFile {
  return { source, base: dirname(source.path), settings: [], servers: [], problems: [problem], warnings: [] };
}
