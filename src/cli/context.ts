import type { Readable, Writable } from 'node:stream';
import type { ConfigFlags, ConfigReport, HostEnvironment, LoadedConfig } from '../config/config.js';
import type { TextFiles } from '../config/text-file.js';
import type { Logger, LogLevel } from '../core/logger.js';
import type { App, CreateApp } from './app-contract.js';

/** Exit codes of all commands. */
export const EXIT = {
  ok: 0,
  /** The code failed, a check found problems, no sandbox works. */
  failed: 1,
  /** Wrong arguments or configuration. */
  usage: 2,
  /** A fault of the server or of the machine. */
  fault: 3,
} as const;

/** What the commands use of the world; `main.ts` fills it in, tests give their own. */
export interface CliContext {
  readonly version: string;
  readonly host: HostEnvironment;
  /** How this very program was started. */
  readonly program: { readonly node: string; readonly main: string; readonly nodeVersion: string };
  readonly streams: { readonly in: Readable; readonly out: Writable; readonly err: Writable };
  readonly files: TextFiles;
  loadConfig(flags: ConfigFlags): Promise<LoadedConfig>;
  inspectConfig(flags: ConfigFlags): Promise<ConfigReport>;
  createLogger(level: LogLevel): Promise<Logger>;
  readonly createApp: CreateApp;
  /** Registers what must be closed when a signal ends the process, or an error that nobody caught. */
  closeOnExit(app: App, logger: Logger): void;
}

/** An app with what it was made from. */
export interface OpenedApp {
  readonly app: App;
  readonly logger: Logger;
  readonly loaded: LoadedConfig;
}
