#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import type { CliContext } from './cli/context.js';
import { watchProcessEnd } from './cli/process-end.js';
import { runCommandLine } from './cli/program.js';
import { hostEnvironment, inspectConfig, loadConfig } from './config/load.js';
import { secretMasker } from './config/secrets.js';
import { textFiles } from './config/text-file.js';
import { packageVersion } from './config/version.js';

const host = hostEnvironment();
const mask = secretMasker(host.env);
const { closeOnExit, exit } = watchProcessEnd(process, mask);

const context: CliContext = {
  version: packageVersion(),
  host,
  program: { node: process.execPath, nodeVersion: process.version, main: fileURLToPath(import.meta.url) },
  streams: { in: process.stdin, out: process.stdout, err: process.stderr },
  files: textFiles,
  closeOnExit,
  loadConfig: (flags) => loadConfig(flags, host),
  inspectConfig: (flags) => inspectConfig(flags, host),
  // Loaded on use: pino and the MCP SDK take most of the start, and --version and --help need neither.
  createLogger: async (level) => {
    const { createLogger } = await import('./cli/logger.js');
    return createLogger({ level, mask, readable: process.stderr.isTTY === true });
  },
  createApp: async (config, logger) => (await import('./app.js')).createApp(config, logger),
};

exit(await runCommandLine(process.argv.slice(2), context));
