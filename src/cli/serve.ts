import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConfigFlags } from '../config/config.js';
import type { HttpServing } from './app-contract.js';
import { type CliContext, EXIT } from './context.js';
import { httpAddress } from './http-address.js';
import { openApp } from './open-app.js';

/** After the client has closed standard input, answers that are nearly ready have this long, in milliseconds. */
const LAST_ANSWERS_MS = 1_000;

/** Options of `serve` as the command line gives them. */
export interface ServeFlags extends ConfigFlags {
  /** The address, or true without one. Absent: standard input and output. */
  readonly http?: string | true;
}

/** Serves MCP over standard input and output until the client is gone, or over HTTP until a signal ends the process. */
export async function serve(context: CliContext, { http, ...flags }: ServeFlags): Promise<number> {
  return http === undefined ? serveStdio(context, flags) : serveHttp(context, flags, http);
}

async function serveHttp(context: CliContext, flags: ConfigFlags, flag: string | true): Promise<number> {
  const address = httpAddress(flag);
  const { app } = await openApp(context, flags);
  try {
    const { url, tokenFile, closed }: HttpServing = await app.serveHttp(address);
    // Standard output is free here, and whoever asked for any free port must learn which it is.
    const made = tokenFile && `no tokens are configured; the bearer token of this run is in ${tokenFile}\n`;
    context.streams.out.write(`listening on ${url}\n${made ?? ''}`);
    await closed;
    return EXIT.ok;
  } finally {
    await app.close();
  }
}

async function serveStdio(context: CliContext, flags: ConfigFlags): Promise<number> {
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
