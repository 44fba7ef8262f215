import type { ListenAddress } from './address.js';
import type { GateOptions } from './gate.js';

/** How HTTP is served. */
export interface HttpOptions extends ListenAddress, GateOptions {
  /** Bearer tokens by principal; at least one. */
  readonly tokens: Readonly<Record<string, string>>;
  /** A protocol session that nobody used for this long is closed, in milliseconds. */
  readonly sessionIdleMs: number;
  readonly maxSessions: number;
  readonly maxSessionsPerPrincipal: number;
}
