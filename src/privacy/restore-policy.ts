import { matchesName } from '../core/glob.js';
import type { ServerPrivacy } from '../core/pii.js';
import type { TokenUse } from './vault/vault.js';

/** A tool that is about to get a value in place of its token. */
export interface Destination {
  readonly server: string;
  readonly tool: string;
  /** The tool says of itself that it reaches an open world: a mail, a web request. */
  readonly reachesOut: boolean;
}

/**
 * Whether a token may become its value on the way to a tool. The operator's lists decide first, `deny` before `allow`.
 * Without them a value may go back to where it came from, and to every tool that does not say that it reaches an open
 * world: a token is worth nothing to an attacker only as long as he cannot have it mailed to himself.
 *
 * @param path of the argument: `to`, `items[0].email`.
 */
export function mayRestore(
  rules: ServerPrivacy,
  { server, tool, reachesOut }: Destination,
  path: string,
  use: TokenUse,
): boolean {
  const names = [tool, `${tool}.${path.replaceAll(/\[\d+\]/g, '')}`];
  const isListed = (globs: readonly string[]) =>
    globs.some((glob) => names.some((name) => matchesName(glob, name)));
  if (isListed(rules.restore.deny)) return false;
  if (isListed(rules.restore.allow)) return true;
  const isKnownThere = use.origins.some((origin) => origin.kind === 'agent' || origin.server === server);
  return isKnownThere || !reachesOut;
}
