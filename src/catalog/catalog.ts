import type { SourceProblem, ToolDefinition, ToolSource } from '../core/tool.js';

/** A tool with everything the catalogue has made of it. Text is cleaned and bounded. */
export interface CatalogEntry {
  /** `server.tool` in the spelling of Python code; unique. */
  readonly id: string;
  /** Python identifiers: `tools.<serverName>.<toolName>`. */
  readonly pythonServer: string;
  readonly pythonName: string;
  readonly source: ToolSource;
  readonly definition: ToolDefinition;
  /** SHA-256 over the definition as it came, hex. */
  readonly hash: string;
  /** `changed`: differs from the accepted definition; `shadowing`: claims the name of another server's tool. */
  readonly review: 'accepted' | 'new' | 'changed' | 'shadowing';
  /** Compact Python signature with return type where known. */
  readonly signature: string;
}

export type DetailLevel = 'name' | 'summary' | 'signature' | 'full';

export interface SearchHit {
  readonly entry: CatalogEntry;
  readonly score: number;
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  readonly total: number;
  /** Share of the query's weight that the best hits cover, 0 to 1. */
  readonly confidence: number;
  readonly unmatchedWords: readonly string[];
  readonly problems: readonly SourceProblem[];
}

/** What tools exist: search, describe, resolve. Holds schemas, no sockets. */
export interface Catalog {
  search(query: string, options: { category?: string; limit: number; offset: number }): Promise<SearchAnswer>;
  categories(): Promise<ReadonlyMap<string, { description: string; tools: number }>>;
  /** By `server.tool`, Python spelling or the tool's own name if unique; undefined when there is none. */
  resolve(name: string, category?: string): Promise<CatalogEntry | undefined>;
  /** Up to five ids near a name that does not exist. */
  nearest(name: string): Promise<readonly string[]>;
  /** Remembers the shape of a result of a tool without output schema, so that its signature can show it as seen. */
  learnResult(id: string, value: unknown): void;
  counts(): Promise<{ servers: number; categories: number; tools: number }>;
}
