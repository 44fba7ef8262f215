import type { ToolDefinition, ToolSource } from '../core/tool.js';
import { cleanDefinition } from './definition/clean-definition.js';
import { cleanLine } from './definition/clean-text.js';
import { definitionHash } from './definition/definition-hash.js';

/** All definitions of one source, as they came. */
export interface ToolListing {
  readonly source: ToolSource;
  readonly tools: readonly ToolDefinition[];
}

/** One tool of a listing, cleaned and hashed: the work that depends on nothing but the definition itself. */
export interface ShelvedTool {
  readonly remoteName: string;
  readonly definition: ToolDefinition;
  readonly hash: string;
}

export interface Shelf {
  readonly source: ToolSource;
  readonly tools: readonly ShelvedTool[];
  /** Tools that could not be taken. */
  readonly leftOut: number;
}

const MAX_CATEGORY = 60;
const MAX_SOURCE_TEXT = 300;
/** Tools of one server. The largest that we met has 300. */
const MAX_TOOLS = 10_000;

/** Cleans a listing. Of two tools of one name the first stays; a definition that cannot be called is left out. */
export function shelve({ source, tools }: ToolListing): Shelf {
  const taken = new Map<string, ShelvedTool>();
  for (const raw of tools.slice(0, MAX_TOOLS)) {
    const definition = cleanDefinition(raw);
    if (definition === undefined || taken.has(raw.name)) continue;
    taken.set(raw.name, { remoteName: raw.name, definition, hash: definitionHash(raw) });
  }
  const description = source.description === undefined ? '' : cleanLine(source.description, MAX_SOURCE_TEXT);
  return {
    source: {
      server: source.server,
      kind: source.kind,
      category: cleanLine(source.category, MAX_CATEGORY) || 'other',
      ...(description === '' ? {} : { description }),
    },
    tools: [...taken.values()],
    leftOut: tools.length - taken.size,
  };
}
