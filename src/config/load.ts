import { homedir } from 'node:os';
import { CodeExecutionError } from '../core/errors.js';
import type { ConfigFlags, ConfigProblem, ConfigReport, HostEnvironment, LoadedConfig } from './config.js';

/** The process as it is. The only place that reads `process.env`. */
export function hostEnvironment(): HostEnvironment {
  const uid = process.getuid?.();
  return {
    env: process.env,
    platform: process.platform,
    home: homedir(),
    cwd: process.cwd(),
    ...(uid === undefined ? {} : { uid }),
  };
}

/** The resolved configuration. @throws CodeExecutionError `config_error`; its message lists every problem with its place. */
export async function loadConfig(flags: ConfigFlags, host: HostEnvironment): Promise<LoadedConfig> {
  const { loaded, problems } = await inspectConfig(flags, host);
  if (loaded) return loaded;
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  throw new CodeExecutionError(
    'config_error',
    [`${count} in the configuration:`, ...problems.map((problem) => `- ${formatProblem(problem)}`)].join(
      '\n',
    ),
    'correct it, then check with: code-execution-mcp config check',
  );
}

/** The configuration or its problems, without throwing for what its author can mend. */
export async function inspectConfig(flags: ConfigFlags, host: HostEnvironment): Promise<ConfigReport> {
  // Loaded on use: Zod takes longer than all that `--version` needs together.
  return (await import('./resolve.js')).resolveConfig(flags, host);
}

/** `FILE:LINE: key: what was found and what is valid`. */
function formatProblem({ place, key, message }: ConfigProblem): string {
  return [place, key, message].filter(Boolean).join(': ');
}
