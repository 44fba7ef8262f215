import type { Logger } from '../core/logger.js';
import type { App } from './app-contract.js';
import { EXIT } from './context.js';

/** Workers are killed, not asked, so closing is fast; a close that hangs must not keep the process, in milliseconds. */
const CLOSE_DEADLINE_MS = 5_000;
/** 128 + the number of the signal: what a shell reports for it. */
const SIGNAL_EXITS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const MAX_STACK_CHARS = 4_000;

/** The part of `process` that is used here. */
export type ProcessEvents = Pick<NodeJS.Process, 'on' | 'exit' | 'stdout' | 'stderr'>;

/** Ends the process in order, whatever ends it. */
export interface ProcessEnd {
  /** Closes `app` before a signal or a fault ends the process, and logs the fault. */
  closeOnExit(app: Pick<App, 'close'>, logger: Logger): void;
  /** The ordinary end: exits once everything printed has left, unless a signal or a fault is ending the process. */
  exit(code: number): void;
}

/**
 * Takes over how the process ends: signals close the app first, a reader that is gone (EPIPE) ends it quietly, and an
 * error that nobody caught is logged by name, code and stack. Node's own report would print all properties of the
 * error, among them the environment of a process that could not be started.
 */
export function watchProcessEnd(process: ProcessEvents, mask: (text: string) => string): ProcessEnd {
  let opened: { app: Pick<App, 'close'>; logger: Logger } | undefined;
  let ending = false;
  const end = (code: number) => {
    if (ending) return process.exit(code);
    ending = true;
    if (!opened) return process.exit(code);
    setTimeout(() => process.exit(code), CLOSE_DEADLINE_MS).unref();
    opened.app.close().then(
      () => process.exit(code),
      () => process.exit(code),
    );
  };
  for (const [signal, code] of Object.entries(SIGNAL_EXITS)) {
    process.on(signal, () => {
      opened?.logger.info({ signal }, 'ended by a signal');
      end(code);
    });
  }
  const fault = (error: unknown) => {
    const facts = errorFacts(error);
    if (opened) opened.logger.error(facts, 'ended by an error that nobody caught');
    else process.stderr.write(mask(`code-execution-mcp: ${facts.stack}\n`));
    end(EXIT.fault);
  };
  process.on('uncaughtException', fault);
  process.on('unhandledRejection', fault);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') end(EXIT.ok);
    else fault(error);
  });
  return {
    closeOnExit(app, logger) {
      opened = { app, logger };
    },
    exit(code) {
      // Writing an empty string is how to wait until everything before it has left the process.
      if (!ending) process.stdout.write('', () => end(code));
    },
  };
}

function errorFacts(error: unknown): { error: string; code?: string; stack: string } {
  if (!(error instanceof Error)) return { error: typeof error, stack: `a thrown ${typeof error}` };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return { error: error.name, ...code, stack: (error.stack ?? error.name).slice(0, MAX_STACK_CHARS) };
}
