import { CLIENT_FILES, type ClientName } from '../core/client-files.js';
import { CodeExecutionError } from '../core/errors.js';
import type { HostEnvironment } from './config.js';
import { parseConfigFile } from './config-file.js';
import type { RawServer } from './server-entry.js';
import { textFiles } from './text-file.js';

/** The servers in the user's own files of other programs; what cannot be read is warned about. */
export async function importClients(
  names: readonly ClientName[],
  host: HostEnvironment,
): Promise<{ servers: RawServer[]; warnings: string[] }> {
  const servers: RawServer[] = [];
  const warnings: string[] = [];
  for (const name of new Set(names)) {
    const file = CLIENT_FILES[name];
    const path = file.path(host);
    const text = await textFiles.read(path).catch((error: unknown) => {
      if (!(error instanceof CodeExecutionError)) throw error;
      return error;
    });
    if (text instanceof CodeExecutionError) warnings.push(`importConfigs: ${name}: ${text.message}`);
    else if (text === undefined) warnings.push(`importConfigs: ${name}: there is no file ${path}`);
    else {
      const parsed = await parseConfigFile(text, path, [file.key]);
      for (const problem of parsed.problems)
        warnings.push(`${problem.place}: importConfigs: ${name}: ${problem.message}`);
      servers.push(...parsed.servers);
    }
  }
  return { servers, warnings };
}
