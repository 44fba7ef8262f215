/** The names of this machine for itself, as they stand in a Host header without port. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Where the server listens. */
export interface ListenAddress {
  /** Name or address; IPv6 in brackets. */
  readonly host: string;
  /** 0: one that is free. */
  readonly port: number;
}

/** True for the addresses that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.includes(host.toLowerCase()) || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** True for the addresses that mean all of this machine. */
export function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || /^\[[0:]+\]$/.test(host);
}

/** As `listen` takes it. `localhost` is one address here: what a resolver says of it would decide who reaches us. */
export function listenHost(host: string): string {
  return host.toLowerCase() === 'localhost' ? '127.0.0.1' : host.replace(/^\[|\]$/g, '');
}
