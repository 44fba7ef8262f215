import type { DownstreamServer } from '../core/downstream-server.js';
import type { HostEnvironment, ShownKey } from './config.js';
import { startsThisServer } from './own-entry.js';
import { type RawServer, resolveServer } from './server-entry.js';

/** The servers of all files. */
export interface ServerList {
  readonly servers: readonly DownstreamServer[];
  readonly warnings: readonly string[];
  readonly shown: readonly ShownKey[];
}

/** All entries in the order in which they count: of several with one name the first is taken. */
export function listServers(entries: readonly RawServer[], host: HostEnvironment): ServerList {
  const first = new Map<string, RawServer>();
  const servers: DownstreamServer[] = [];
  const warnings: string[] = [];
  const shown: ShownKey[] = [];
  for (const entry of entries) {
    const { name, place } = entry;
    const earlier = first.get(name);
    if (earlier) {
      warnings.push(`${place}: server "${name}" is ignored: ${earlier.place} defines it already`);
      continue;
    }
    first.set(name, entry);
    const resolved = resolveServer(entry, host);
    if (resolved.server && startsThisServer(resolved.server)) {
      warnings.push(`${place}: server "${name}" is left out: it would start this server itself`);
      continue;
    }
    warnings.push(...resolved.warnings);
    shown.push({ key: `mcpServers.${name}`, value: resolved.shown, place });
    if (resolved.server) servers.push(resolved.server);
  }
  return { servers, warnings, shown };
}
