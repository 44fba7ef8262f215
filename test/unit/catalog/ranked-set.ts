import { readFileSync } from 'node:fs';
import type { ToolListing } from '../../../src/catalog/shelf.js';
import type { JsonSchema } from '../../../src/core/tool.js';
import { catalogOf } from './catalog-fixture.js';

interface SearchSet {
  tools: {
    id: string;
    server: string;
    category: string;
    name: string;
    description?: string;
    inputSchema: JsonSchema;
  }[];
  queries: { query: string; gold: string[]; alt?: Record<string, string[]> }[];
}

/** Means over the queries of a set in the format of the tool-search evaluation, 0 to 1. */
export async function rankedSet(file: string) {
  const { tools, queries }: SearchSet = JSON.parse(readFileSync(file, 'utf8'));
  const listings = new Map<string, { source: ToolListing['source']; tools: SearchSet['tools'] }>();
  for (const tool of tools) {
    const key = JSON.stringify([tool.server, tool.category]);
    const source = { server: tool.server, category: tool.category, kind: 'registry' as const };
    const listing = listings.get(key) ?? { source, tools: [] as SearchSet['tools'] };
    listings.set(key, listing);
    listing.tools.push(tool);
  }
  const ids = new Map(tools.map((tool) => [JSON.stringify([tool.server, tool.name]), tool.id]));
  const { catalog } = catalogOf({ registry: [...listings.values()] });
  const sums = { recall5: 0, all5: 0, ndcg10: 0 };
  for (const { query, gold, alt = {} } of queries) {
    const { hits } = await catalog.search(query, { limit: 10, offset: 0 });
    const order = hits.map(
      ({ entry }) => ids.get(JSON.stringify([entry.source.server, entry.remoteName])) ?? '',
    );
    const ranks = gold.map((id) => {
      const places = [id, ...(alt[id] ?? [])].map((one) => order.indexOf(one)).filter((place) => place >= 0);
      return places.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...places) + 1;
    });
    const found = ranks.filter((rank) => rank <= 5).length;
    const gain = ranks.reduce((sum, rank) => sum + (rank <= 10 ? 1 / Math.log2(rank + 1) : 0), 0);
    const ideal = gold.slice(0, 10).reduce((sum, _, place) => sum + 1 / Math.log2(place + 2), 0);
    sums.recall5 += found / gold.length / queries.length;
    sums.all5 += (found === gold.length ? 1 : 0) / queries.length;
    sums.ndcg10 += Math.min(1, gain / ideal) / queries.length;
  }
  return sums;
}
