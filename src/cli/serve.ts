import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConfigFlags } from '../config/config.js';
import { type CliContext, EXIT } from './context.js';
import { openApp } from './open-app.js';

/** After the client has closed standard input, answers that are nearly ready have this long, in milliseconds. */
const LAST_ANSWERS_MS = 1_000;

/** Serves MCP over standard input and output until the client is gone. */
export async function serve(context: CliContext, flags: ConfigFlags): Promise<number> {
  const { app, logger } = await openApp(context, flags);
  const gone = new AbortController();
  try {
    await Promise.race([app.serveStdio(), inputEnded(context.streams.in, gone.signal)]);
    logger.info({}, 'the client closed the connection');
    return EXIT.ok;
  } finally {
    gone.abort();
    await app.close();
  }
}

/** A transport that misses the end of its input must not keep a server alive that nobody can talk to. */
async function inputEnded(input: Readable, signal: AbortSignal): Promise<void> {
  try {
    if (!input.readableEnded && !input.destroyed) {
      await Promise.race([once(input, 'end', { signal }), once(input, 'close', { signal })]);
    }
    await delay(LAST_ANSWERS_MS, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
