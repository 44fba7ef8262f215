import { isEverywhere, isLoopback, LOOPBACK_NAMES } from './address.js';

export interface GateOptions {
  /** The address that the server listens at. */
  readonly host: string;
  /** Further names under which clients reach it, without port. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages that may call, besides those of the server's own host. */
  readonly allowedOrigins: readonly string[];
}

/**
 * Keeps out web pages. A page that a user of this machine looks at can send requests here (with its Origin), also under a
 * name of its own that it lets point to 127.0.0.1 (DNS rebinding: with its Host). Programs send no Origin.
 */
export class Gate {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  constructor({ host, allowedHosts, allowedOrigins }: GateOptions) {
    const own = isLoopback(host) ? [host, ...LOOPBACK_NAMES] : isEverywhere(host) ? [] : [host];
    this.#hosts = new Set([...own, ...allowedHosts].map((name) => name.toLowerCase()));
    this.#origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
  }

  /** Why a request may not come in; undefined if it may. */
  refuses(host: string | undefined, origin: string | undefined): string | undefined {
    const name = HOST.exec(host?.toLowerCase() ?? '')?.[1];
    if (host === undefined || name === undefined || !this.#hosts.has(name))
      return 'this Host is not allowed (http.allowedHosts)';
    if (origin === undefined || this.#isOwn(origin, host) || this.isAllowed(origin)) return undefined;
    return 'this Origin is not allowed (http.allowedOrigins)';
  }

  /** True for an origin that the configuration names. */
  isAllowed(origin: string): boolean {
    return this.#origins.has(origin.toLowerCase());
  }

  /** A proxy in front may speak TLS, so that either scheme is the server's own. */
  #isOwn(origin: string, host: string): boolean {
    const own = host.toLowerCase();
    return [`http://${own}`, `https://${own}`].includes(origin.toLowerCase());
  }
}

const HOST = /^([a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;
