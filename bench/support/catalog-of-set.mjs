// @ts-check
import { readFileSync } from 'node:fs';
import { ToolCatalog } from '../../dist/catalog/tool-catalog.js';

/** @typedef {{ id: string, server: string, category?: string, name: string, description?: string, inputSchema?: import('../../dist/core/tool.js').JsonSchema }} SetTool */
/** @typedef {{ id: string, query: string, gold: string[], alt?: Record<string, string[]> }} SetQuery */
/** @typedef {{ name: string, tools: SetTool[], queries: SetQuery[] }} SearchSet */

/** @param {string} file @returns {SearchSet} */
export function readSet(file) {
  const set = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(set.tools) || !Array.isArray(set.queries))
    throw new Error(`${file} is no search set: it has no lists "tools" and "queries"`);
  return set;
}

/**
 * `count` tools with those of the set repeated on further servers, as a large installation repeats words.
 * @param {SetTool[]} tools
 * @param {number} count
 * @returns {SetTool[]}
 */
export function toolsUpTo(tools, count) {
  return Array.from({ length: count }, (_, index) => {
    const tool = /** @type {SetTool} */ (tools[index % tools.length]);
    const round = Math.floor(index / tools.length);
    return round === 0 ? tool : { ...tool, id: `${tool.id} ${round}`, server: `${tool.server}-${round}` };
  });
}

/**
 * Listings as registry folders hold them: one for each server and category.
 * @param {SetTool[]} tools
 */
export function listingsOf(tools) {
  /** @type {Map<string, { source: import('../../dist/core/tool.js').ToolSource, tools: import('../../dist/core/tool.js').ToolDefinition[] }>} */
  const listings = new Map();
  for (const { server, category = server, name, description, inputSchema = {} } of tools) {
    const key = JSON.stringify([server, category]);
    const listing = listings.get(key) ?? {
      source: { server, category, kind: /** @type {const} */ ('registry') },
      tools: [],
    };
    listings.set(key, listing);
    listing.tools.push({ name, ...(description === undefined ? {} : { description }), inputSchema });
  }
  return [...listings.values()];
}

/**
 * The catalogue of the product with these tools and nothing else.
 * @param {ReturnType<typeof listingsOf>} registry
 */
export function catalogOf(registry) {
  return new ToolCatalog({
    listings: { servers: [], discover: async () => [], onTools: () => undefined },
    registry,
    lock: { read: async () => undefined, write: async () => undefined },
    log: { warn: () => undefined },
    discoverMs: 0,
  });
}
