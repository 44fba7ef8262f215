import type { ConfigFlags } from '../config/config.js';
import type { LogLevel } from '../core/logger.js';
import type { CliContext, OpenedApp } from './context.js';

/**
 * Configuration, logger, app: the same beginning for every command that runs code. `quietest` is the log level of a
 * command whose standard error is read by a person, unless `--log-level` asks for another.
 */
export async function openApp(
  context: CliContext,
  flags: ConfigFlags,
  quietest?: LogLevel,
): Promise<OpenedApp> {
  const loaded = await context.loadConfig(flags);
  const level = flags.logLevel === undefined && quietest ? quietest : loaded.config.logLevel;
  const logger = await context.createLogger(level);
  const files = loaded.sources.map((source) => source.path);
  logger.info(
    { files },
    files.length > 0 ? `configuration from ${files.join(', ')}` : 'no configuration file, defaults apply',
  );
  for (const warning of loaded.warnings) logger.warn({}, warning);
  const app = await context.createApp(loaded.config, logger);
  context.closeOnExit(app, logger);
  return { app, logger, loaded };
}
