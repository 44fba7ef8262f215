import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { HttpServing } from './cli/app-contract.js';
import type { Config } from './config/config.js';
import { CodeExecutionError } from './core/errors.js';
import type { Logger } from './core/logger.js';
import { eraseSecret, replaceSecret } from './fs/secret-file.js';
import { isEverywhere, isLoopback, type ListenAddress } from './server/http/address.js';
import { type HttpService, serveHttp } from './server/http/serve-http.js';
import { STDIO_PRINCIPAL } from './server/serve-stdio.js';
import type { ServerDeps } from './server/server-deps.js';

/** What `serve --http` says besides the configuration. */
export type OpenHttpOptions = Partial<ListenAddress> & { readonly log: Logger };

/**
 * Serves HTTP as the configuration says. On this machine alone, and without tokens in the configuration, it makes one for
 * this run, in a file that its user can read.
 * @throws CodeExecutionError `config_error`
 */
export async function openHttp(
  deps: ServerDeps,
  config: Config,
  { log, ...address }: OpenHttpOptions,
): Promise<HttpServing & Pick<HttpService, 'close'>> {
  const { tokens: configured, sessionIdleSeconds, ...http } = config.http;
  const { host, port } = { ...http, ...address };
  const isOpen = Object.keys(configured).length === 0;
  if (isLoopback(host)) {
    // Nothing but programs of this machine; users of it are kept apart by the token.
  } else if (isOpen) throw noTokens(host);
  else if (isEverywhere(host) && http.allowedHosts.length === 0) throw noHosts(host);
  else
    log.warn({ host }, 'HTTP is served to other machines without TLS: put a proxy with TLS in front of it');
  const token = randomBytes(32).toString('base64url');
  const service = await serveHttp(deps, {
    ...http,
    host,
    port,
    tokens: isOpen ? { [STDIO_PRINCIPAL]: token } : configured,
    sessionIdleMs: sessionIdleSeconds * 1_000,
  });
  if (!isOpen) return service;
  // One port, one server, one file: it is written when the port is had.
  const tokenFile = path.join(config.dataDir, `http-token-${new URL(service.url).port || 80}`);
  try {
    replaceSecret(tokenFile, `${token}\n`);
  } catch (cause) {
    await service.close();
    const hint = 'make the data folder writable, or name tokens in the configuration (http.tokens)';
    throw new CodeExecutionError('config_error', `the token cannot be written to ${tokenFile}`, hint, {
      cause,
    });
  }
  const close = async (): Promise<void> => {
    await service.close();
    eraseSecret(tokenFile);
  };
  return { ...service, tokenFile, close };
}

function noTokens(host: string): CodeExecutionError {
  return new CodeExecutionError(
    'config_error',
    `nobody has a token, and ${host} can be reached from other machines`,
    `make a token (node -p "require('node:crypto').randomBytes(32).toString('base64url')"), put it into an environment variable, and name it in the configuration: "http": {"tokens": {"NAME": "\${VARIABLE}"}}`,
  );
}

function noHosts(host: string): CodeExecutionError {
  return new CodeExecutionError(
    'config_error',
    `${host} is every address of this machine, and no name is allowed in the Host header`,
    'list the names under which clients reach it: "http": {"allowedHosts": ["code.example.com"]}',
  );
}
