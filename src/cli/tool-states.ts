import type { Catalog } from '../catalog/catalog.js';
import type { DownstreamServer } from '../core/downstream-server.js';
import type { Downstream } from '../downstream/downstream.js';
import type { ToolAccess } from '../session/tool-access.js';
import type { ListedTool, ServerState, ToolReview } from './app-contract.js';

/** Longest wait for the servers, in milliseconds: `npx` may have to download them. */
const DISCOVER_MS = 60_000;

export interface ToolParts {
  readonly catalog: Pick<Catalog, 'search' | 'reviews' | 'describe'>;
  readonly downstream: Pick<Downstream, 'discover'>;
  readonly access: Pick<ToolAccess, 'decide'>;
}

/** Every configured server, then every registry category, with its tools, as they are now. */
export async function serverStates(
  servers: readonly Pick<DownstreamServer, 'name' | 'category'>[],
  { catalog, access, downstream }: ToolParts,
): Promise<ServerState[]> {
  const problems = await downstream.discover(DISCOVER_MS, { live: true });
  const { hits } = await catalog.search('', { limit: Number.MAX_SAFE_INTEGER, offset: 0 });
  const tools = new Map<string, ListedTool[]>(servers.map(({ name }) => [name, []]));
  const states = servers.map(({ name, category }): ServerState => {
    const message = problems.find(({ server }) => server === name)?.message;
    const problem = message === undefined ? {} : { problem: message };
    return { name, category, tools: tools.get(name) ?? [], isRegistry: false, ...problem };
  });
  for (const { entry } of hits) {
    const { server: name, category, kind } = entry.source;
    const listed = tools.get(name) ?? [];
    if (!tools.has(name)) {
      tools.set(name, listed);
      states.push({ name, category, tools: listed, isRegistry: kind === 'registry' });
    }
    const { verdict, reason } = access.decide(entry);
    listed.push({ signature: entry.signature, verdict, reason });
  }
  return states;
}

export async function toolReviews({ catalog, downstream }: ToolParts): Promise<ToolReview[]> {
  await downstream.discover(DISCOVER_MS, { live: true });
  const found: ToolReview[] = [];
  for (const { entry, claims } of await catalog.reviews()) {
    const { id, review: standing } = entry;
    if (standing === 'accepted') continue;
    const text = catalog.describe(entry, 'full');
    found.push({ id, standing, text, ...(claims === undefined ? {} : { claims }) });
  }
  return found;
}
