import type { LockStore } from '../../../src/catalog/definition/definition-lock.js';
import type { ToolListing } from '../../../src/catalog/shelf.js';
import { ToolCatalog } from '../../../src/catalog/tool-catalog.js';
import type { JsonSchema, SourceProblem, ToolDefinition } from '../../../src/core/tool.js';

/** A lock that lives as long as the test. */
export class MemoryLock implements LockStore {
  text: string | undefined;
  writes = 0;

  async read(): Promise<string | undefined> {
    return this.text;
  }

  async write(text: string): Promise<void> {
    this.text = text;
    this.writes += 1;
  }
}

export function listing(
  server: string,
  tools: readonly ToolDefinition[],
  more: Partial<ToolListing['source']> = {},
): ToolListing {
  return { source: { server, kind: 'server', category: server, ...more }, tools };
}

export function definition(
  name: string,
  description = '',
  properties: Record<string, JsonSchema> = {},
  more: Partial<ToolDefinition> = {},
): ToolDefinition {
  return { name, description, inputSchema: { type: 'object', properties }, ...more };
}

/** A catalogue over listings that the test hands in, now and later. */
export function catalogOf(options: {
  live?: readonly ToolListing[];
  registry?: readonly ToolListing[];
  servers?: readonly string[];
  problems?: readonly SourceProblem[];
  lock?: LockStore;
  onDiscover?: () => void;
}) {
  const { live = [], registry = [], problems = [], lock = new MemoryLock() } = options;
  const warnings: { fields: object; message: string }[] = [];
  const listeners: ((listing: ToolListing) => void)[] = [];
  const catalog = new ToolCatalog({
    listings: {
      servers: options.servers ?? live.map((one) => one.source.server),
      discover: async () => {
        options.onDiscover?.();
        return problems;
      },
      onTools: (listener) => {
        listeners.push(listener);
        for (const one of live) listener(one);
      },
    },
    registry,
    lock,
    log: { warn: (fields, message) => void warnings.push({ fields, message }) },
    discoverMs: 1_000,
  });
  const offer = (one: ToolListing) => {
    for (const listener of listeners) listener(one);
  };
  return { catalog, warnings, offer, lock };
}
