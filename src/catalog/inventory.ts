import type { ToolSource } from '../core/tool.js';
import type { CatalogEntry, Review } from './catalog.js';
import type { OfferedTool } from './definition/definition-lock.js';
import { claimedTool, knownTools } from './definition/shadowing.js';
import { summaryOf } from './describe.js';
import { NameTable } from './name-table.js';
import { MODULE_NAMES, type NameCollision, pythonIdentifiers } from './python/names.js';
import { BRIEF, pythonType } from './python/python-type.js';
import { SHORT, signatureText } from './python/signature.js';
import type { Shelf, ShelvedTool } from './shelf.js';

/** All tools of all sources together. */
export interface Inventory {
  /** By id. */
  readonly entries: readonly CatalogEntry[];
  readonly names: NameTable;
  /** Servers that have a tool, to their Python names. */
  readonly servers: ReadonlyMap<string, string>;
  readonly categories: ReadonlyMap<string, { description: string; tools: number }>;
  readonly collisions: readonly NameCollision[];
  /** Id of a tool that shadows another to the name that it claims. */
  readonly claims: ReadonlyMap<string, string>;
  entriesOf(server: string): readonly CatalogEntry[];
  /** Python names of the tools of a server, by its Python or its own name. */
  toolsOf(server: string): readonly string[] | undefined;
}

export interface InventoryParts {
  /** The first shelf that has a name of a server's tool decides; so live ones come before registry ones. */
  readonly shelves: readonly Shelf[];
  readonly servers: readonly string[];
  /** Return type of a tool without output schema, from earlier results. */
  readonly returns: (id: string) => string | undefined;
  readonly review: (server: string, tools: readonly OfferedTool[]) => ReadonlyMap<string, Review>;
}

interface Placed {
  readonly source: ToolSource;
  readonly tool: ShelvedTool;
}

export function assemble({ shelves, servers, returns, review }: InventoryParts): Inventory {
  const tools = toolsByServer(shelves);
  const known = knownTools(new Map([...tools].map(([server, placed]) => [server, placed.keys()])));
  const serverNames = pythonIdentifiers([...servers, ...tools.keys()], MODULE_NAMES);
  const collisions: NameCollision[] = [...serverNames.collisions];
  const claims = new Map<string, string>();
  const byServer = new Map<string, CatalogEntry[]>();
  for (const [server, placed] of tools) {
    const pythonServer = serverNames.of.get(server) ?? server;
    const toolNames = pythonIdentifiers(placed.keys());
    collisions.push(...toolNames.collisions);
    const claimed = new Map<string, string>();
    for (const name of placed.keys()) {
      const claim = claimedTool(name, server, known);
      if (claim !== undefined) claimed.set(name, claim);
    }
    const standing = review(server, offeredLive(placed, claimed));
    byServer.set(
      server,
      [...placed.values()].map(({ source, tool }) => {
        const pythonName = toolNames.of.get(tool.remoteName) ?? tool.remoteName;
        const id = `${pythonServer}.${pythonName}`;
        const claim = claimed.get(tool.remoteName);
        if (claim !== undefined) claims.set(id, claim);
        return entryFor(
          id,
          pythonServer,
          pythonName,
          source,
          tool,
          standing.get(tool.remoteName) ?? 'accepted',
          returns,
        );
      }),
    );
  }
  const entries = [...byServer.values()].flat().sort((a, b) => (a.id < b.id ? -1 : 1));
  const pythonServers = new Map(
    [...tools.keys()].map((server) => [server, serverNames.of.get(server) ?? server]),
  );
  return {
    entries,
    names: new NameTable(entries),
    servers: pythonServers,
    categories: categoriesOf(entries),
    collisions,
    claims,
    entriesOf: (server) => byServer.get(server) ?? [],
    toolsOf: (server) => {
      const own = [...pythonServers].find(([name, python]) => python === server || name === server)?.[0];
      return own === undefined
        ? undefined
        : byServer
            .get(own)
            ?.map((entry) => entry.pythonName)
            .sort();
    },
  };
}

function toolsByServer(shelves: readonly Shelf[]): Map<string, Map<string, Placed>> {
  const servers = new Map<string, Map<string, Placed>>();
  for (const { source, tools } of shelves) {
    if (tools.length === 0) continue;
    const placed = servers.get(source.server) ?? new Map<string, Placed>();
    servers.set(source.server, placed);
    for (const tool of tools) if (!placed.has(tool.remoteName)) placed.set(tool.remoteName, { source, tool });
  }
  return servers;
}

/** Registry files are the operator's own: nobody else changes them, so they are not pinned. */
function offeredLive(
  placed: ReadonlyMap<string, Placed>,
  claimed: ReadonlyMap<string, unknown>,
): OfferedTool[] {
  return [...placed.values()]
    .filter(({ source }) => source.kind === 'server')
    .map(({ tool }) => ({
      name: tool.remoteName,
      hash: tool.hash,
      shadows: claimed.has(tool.remoteName),
    }));
}

function entryFor(
  id: string,
  pythonServer: string,
  pythonName: string,
  source: ToolSource,
  { remoteName, definition, hash }: ShelvedTool,
  review: Review,
  returns: (id: string) => string | undefined,
): CatalogEntry {
  return {
    id,
    pythonServer,
    pythonName,
    remoteName,
    source,
    definition,
    hash,
    review,
    // Made when asked for: of thousands of entries a question shows a handful.
    get summary() {
      return summaryOf(definition.description ?? definition.title);
    },
    get signature() {
      const declared = definition.outputSchema;
      const arrow = declared === undefined ? returns(id) : pythonType(declared, BRIEF);
      return signatureText(id, definition.inputSchema, arrow, SHORT);
    },
  };
}

function categoriesOf(entries: readonly CatalogEntry[]): Map<string, { description: string; tools: number }> {
  const found = new Map<string, { servers: Map<string, string>; tools: number }>();
  for (const { source } of entries) {
    const category = found.get(source.category) ?? { servers: new Map<string, string>(), tools: 0 };
    category.servers.set(source.server, summaryOf(source.description));
    category.tools += 1;
    found.set(source.category, category);
  }
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    sorted.map(([name, { servers, tools }]) => [name, { description: about(name, servers), tools }]),
  );
}

const MAX_SERVERS = 8;

/** What the category's servers say about themselves; their names where there are several. */
function about(category: string, servers: ReadonlyMap<string, string>): string {
  if (servers.size === 1) {
    const [[name, description] = ['', '']] = servers;
    return description !== '' ? description : name === category ? '' : name;
  }
  const names = [...servers.keys()].sort();
  const more = names.length > MAX_SERVERS ? `, ... +${names.length - MAX_SERVERS}` : '';
  return names.slice(0, MAX_SERVERS).join(', ') + more;
}
