import { PassThrough, Readable } from 'node:stream';
import type { App, RunOnceAnswer } from '../../../src/cli/app-contract.js';
import type { CliContext } from '../../../src/cli/context.js';
import type { HostEnvironment } from '../../../src/config/config.js';
import { inspectConfig, loadConfig } from '../../../src/config/load.js';
import { textFiles } from '../../../src/config/text-file.js';
import type { Logger } from '../../../src/core/logger.js';

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** What a test can see of the commands it runs. */
export interface FakeContext extends CliContext {
  out(): string;
  err(): string;
  /** What happened to the app, in order: `run CODE OPTIONS`, `search ARGUMENTS`, `accept ID`, `close`. */
  readonly events: string[];
}

/** A context with the real configuration and files, and an app that answers what the test says. */
export function fakeContext(
  host: HostEnvironment,
  options: { app?: Partial<App>; answer?: RunOnceAnswer; input?: string | Readable; main?: string } = {},
): FakeContext {
  const events: string[] = [];
  const out = new PassThrough();
  const err = new PassThrough();
  const answer = options.answer ?? { text: 'ok', structured: { success: true }, exit: 'ok' };
  const app: App = {
    serveStdio: () => Promise.resolve(),
    serveHttp: (address) => {
      events.push(`http ${JSON.stringify(address)}`);
      return Promise.resolve({ url: 'http://127.0.0.1:1/mcp', closed: Promise.resolve() });
    },
    runOnce: (code, given) => {
      events.push(`run ${code} ${JSON.stringify(given)}`);
      return Promise.resolve(answer);
    },
    searchTools: (args) => {
      events.push(`search ${JSON.stringify(args)}`);
      return Promise.resolve(answer);
    },
    servers: () => Promise.resolve([]),
    toolReviews: () => Promise.resolve([]),
    acceptTool: (id) => {
      events.push(`accept ${id}`);
      return Promise.resolve();
    },
    restoreText: () => Promise.reject(new Error('the test gives no values')),
    forgetValues: () => {
      events.push('forget');
      return Promise.resolve();
    },
    skills: () => Promise.reject(new Error('the test gives no skills')),
    testSkill: () => Promise.reject(new Error('the test gives no outcome')),
    sandboxInfo: () =>
      Promise.resolve({ name: 'wasm', python: '3.14.2', isolation: 'a process', layers: [] }),
    sandboxParts: () => Promise.resolve([]),
    posture: () => Promise.resolve([]),
    close: () => {
      events.push('close');
      return Promise.resolve();
    },
    ...options.app,
  };
  const { input } = options;
  return {
    version: '1.2.3',
    host,
    program: { node: '/usr/bin/node', nodeVersion: 'v20.19.0', main: options.main ?? '/opt/ce/dist/main.js' },
    streams: {
      in: typeof input === 'object' ? input : Readable.from(input ? [Buffer.from(input)] : []),
      out,
      err,
    },
    files: textFiles,
    loadConfig: (flags) => loadConfig(flags, host),
    inspectConfig: (flags) => inspectConfig(flags, host),
    createLogger: () => Promise.resolve(SILENT),
    createApp: () => Promise.resolve(app),
    closeOnExit: () => {},
    out: () => String(out.read() ?? ''),
    err: () => String(err.read() ?? ''),
    events,
  };
}
