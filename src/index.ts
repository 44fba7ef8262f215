/** The library: build the server from a program of one's own. `code-execution-mcp serve` is these three calls
 * and `serveStdio` or `serveHttp`. */
export { createApp } from './app.js';
export type { App, HttpServing, RunOnceAnswer, RunOnceOptions, SandboxPart } from './cli/app-contract.js';
export type { Config, ConfigFlags, HostEnvironment, LoadedConfig } from './config/config.js';
export { hostEnvironment, loadConfig } from './config/load.js';
export { CodeExecutionError, ERROR_CODES, type ErrorCode } from './core/errors.js';
export type { Logger } from './core/logger.js';
export type { Layer, PoolInfo, SandboxInfo } from './sandbox/sandbox.js';
export type { ListenAddress } from './server/http/address.js';
