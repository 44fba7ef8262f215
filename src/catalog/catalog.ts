import type { JsonSchema, SourceProblem, ToolAnnotations, ToolDefinition, ToolSource } from '../core/tool.js';

/**
 * Standing of a definition. `accepted`: as it was when its server was first seen, or accepted by a person since. `new`:
 * appeared later. `changed`: differs from the pinned one. `shadowing`: its name claims a tool of another server.
 */
export type Review = 'accepted' | 'new' | 'changed' | 'shadowing';

/** A tool with everything the catalogue has made of it. Text is cleaned and bounded. */
export interface CatalogEntry {
  /** `server.tool` in the spelling of Python code; unique. */
  readonly id: string;
  /** Python identifiers: `tools.<pythonServer>.<pythonName>`. */
  readonly pythonServer: string;
  readonly pythonName: string;
  /** The tool's name as its server spells it, for calls. Foreign text, not cleaned: never show it. */
  readonly remoteName: string;
  readonly source: ToolSource;
  readonly definition: ToolDefinition;
  /** SHA-256 over the definition as it came, hex. */
  readonly hash: string;
  readonly review: Review;
  /** First sentence of the description; empty without one. */
  readonly summary: string;
  /** Compact Python signature with return type where known. */
  readonly signature: string;
}

export const DETAIL_LEVELS = ['name', 'summary', 'signature', 'full'] as const;
export type DetailLevel = (typeof DETAIL_LEVELS)[number];

export interface SearchHit {
  readonly entry: CatalogEntry;
  readonly score: number;
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** Tools that have a word of the query, on all pages. */
  readonly total: number;
  /** Share of the query's weight that the best five hits cover, 0 to 1. */
  readonly confidence: number;
  /** Words of the query that no tool answers to. */
  readonly unmatchedWords: readonly string[];
  readonly problems: readonly SourceProblem[];
}

/** Everything there is to know about one tool before it is called. */
export interface ToolDetails {
  readonly signature: string;
  /** The return type is that of earlier results; the tool does not declare one. */
  readonly returnsSeen: boolean;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** Python code with made-up values. */
  readonly example: string;
  readonly annotations?: ToolAnnotations;
}

/** A definition that a person should look at. */
export interface ReviewItem {
  readonly entry: CatalogEntry;
  /** For `shadowing`: the tool whose name it claims. */
  readonly claims?: string;
}

/** What tools exist: search, describe, resolve. Holds schemas, no sockets. */
export interface Catalog {
  /**
   * Best first; all tools by name for an empty query. The order does not depend on the page; the same tools and query
   * give the same order.
   */
  search(query: string, options: { category?: string; limit: number; offset: number }): Promise<SearchAnswer>;
  categories(): Promise<ReadonlyMap<string, { description: string; tools: number }>>;
  /** Servers whose tools are not (or not freshly) known. */
  problems(): Promise<readonly SourceProblem[]>;
  /**
   * By `server.tool` in Python's or the servers' own spelling (also with `:` or `/`, case and separators as they may be),
   * or by the tool's own name if it is unique. Undefined when there is none or when there are several.
   */
  resolve(name: string, category?: string): Promise<CatalogEntry | undefined>;
  /** Up to five ids near a name that {@link resolve} does not know: tools of that bare name first. */
  nearest(name: string): Promise<readonly string[]>;
  /** Python names of the servers for `''`, else of the tools of a server; undefined when there is no such server. */
  names(server: string): Promise<readonly string[] | undefined>;
  /** Text for a model; one line for `name` and `summary`, two for `signature`, a paragraph with all arguments for `full`. */
  describe(entry: CatalogEntry, level: DetailLevel): string;
  details(entry: CatalogEntry): ToolDetails;
  /**
   * The arguments of a call as the tool wants them; None for an optional argument is left out.
   * @throws CodeExecutionError `bad_arguments` in Python's words, with the nearest valid name or value.
   */
  bind(
    entry: CatalogEntry,
    positional: readonly unknown[],
    keyword: Readonly<Record<string, unknown>>,
  ): Record<string, unknown>;
  /** Remembers the shape of a result of a tool without output schema, so that its signature can show it as seen. */
  learnResult(id: string, value: unknown): void;
  counts(): Promise<{ servers: number; categories: number; tools: number }>;
  /** Definitions that are new, changed or shadowing. */
  reviews(): Promise<readonly ReviewItem[]>;
  /**
   * Pins the definition as it is now.
   * @throws CodeExecutionError `tool_unknown`.
   */
  accept(id: string): Promise<void>;
}
