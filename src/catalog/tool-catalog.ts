import { CodeExecutionError } from '../core/errors.js';
import type { Logger } from '../core/logger.js';
import { nearest } from '../core/nearest.js';
import type { JsonSchema, SourceProblem } from '../core/tool.js';
import type { Catalog, CatalogEntry, DetailLevel, ReviewItem, SearchAnswer, ToolDetails } from './catalog.js';
import { DefinitionLock, type LockStore } from './definition/definition-lock.js';
import { entryText } from './describe.js';
import { assemble, type Inventory } from './inventory.js';
import { checkArguments } from './python/check-arguments.js';
import { exampleCall } from './python/example-call.js';
import type { NameCollision } from './python/names.js';
import { BRIEF, pythonType, WHOLE } from './python/python-type.js';
import { seenShape } from './python/seen-shape.js';
import { FULL, signatureText } from './python/signature.js';
import { SearchIndex } from './search/search-index.js';
import { searchDocument } from './search-document.js';
import { type Shelf, shelve, type ToolListing } from './shelf.js';

/** Where definitions come from; the connections to the downstream servers are one. */
export interface ToolListings {
  /** Names of all servers that may ever be listed; they settle the Python names before the first listing comes. */
  readonly servers: readonly string[];
  discover(deadlineMs: number): Promise<readonly SourceProblem[]>;
  onTools(listener: (listing: ToolListing) => void): void;
}

export interface ToolCatalogOptions {
  readonly listings: ToolListings;
  /** Definitions from registry folders: searchable, not callable. */
  readonly registry: readonly ToolListing[];
  readonly lock: LockStore;
  readonly log: Pick<Logger, 'warn'>;
  /** Longest wait for servers that are not known yet, in milliseconds. */
  readonly discoverMs: number;
}

const NEAREST = 5;
/** Collisions that are logged, each once. */
const MAX_TOLD = 1_000;
/** Shapes of results that are remembered. */
const MAX_LEARNED = 5_000;
/** Tools of one bare name that are put before the ranking. */
const MAX_EXACT = 20;
/** Above every score of the ranking. */
const EXACT_SCORE = 1_000;

/**
 * The catalogue over the listings of all sources. A listing is cleaned, hashed and indexed when it comes; what depends on
 * all sources together (Python names, standing, look-up tables) is put together before the next question.
 */
export class ToolCatalog implements Catalog {
  readonly #options: ToolCatalogOptions;
  readonly #index = new SearchIndex();
  readonly #registry: readonly Shelf[];
  readonly #live = new Map<string, Shelf>();
  readonly #arrived = new Map<string, ToolListing>();
  readonly #learned = new Map<string, JsonSchema>();
  #lock: Promise<DefinitionLock> | undefined;
  #inventory: Inventory | undefined;
  #settling: Promise<Inventory> | undefined;
  /** Grows with everything that makes the inventory wrong. */
  #age = 0;
  /** Servers in the index, to the Python names that their documents have. */
  #indexed: ReadonlyMap<string, string> = new Map();
  readonly #told = new Set<string>();

  constructor(options: ToolCatalogOptions) {
    this.#options = options;
    this.#registry = options.registry.map(shelve);
    options.listings.onTools((listing) => {
      this.#arrived.set(listing.source.server, listing);
      this.#outdate();
    });
  }

  async search(
    query: string,
    { category, limit, offset }: { category?: string; limit: number; offset: number },
  ): Promise<SearchAnswer> {
    const problems = await this.problems();
    const inventory = await this.#settle();
    const accepts = (entry: CatalogEntry): boolean => isIn(entry, category);
    if (query.trim() === '') return { ...listed(inventory.entries.filter(accepts), offset, limit), problems };
    const exact = inventory.names.find(query.trim(), accepts).slice(0, MAX_EXACT);
    const ids = new Set(exact.map((entry) => entry.id));
    const found = this.#index.search(query, {
      limit: offset + limit + exact.length,
      ...(category === undefined ? {} : { accepts: ({ id }) => accepts(entryOf(inventory, id)) }),
    });
    const ranked = found.hits.filter(({ id }) => !ids.has(id));
    const all = [
      ...exact.map((entry) => ({ entry, score: EXACT_SCORE })),
      ...ranked.map(({ id, score }) => ({ entry: entryOf(inventory, id), score })),
    ];
    const alsoRanked = found.hits.length - ranked.length;
    return {
      hits: all.slice(offset, offset + limit),
      total: found.total + exact.length - alsoRanked,
      confidence: exact.length > 0 ? 1 : found.confidence,
      unmatchedWords: exact.length > 0 ? [] : found.unmatchedWords,
      problems,
    };
  }

  async categories(): Promise<ReadonlyMap<string, { description: string; tools: number }>> {
    await this.problems();
    return (await this.#settle()).categories;
  }

  problems(): Promise<readonly SourceProblem[]> {
    return this.#options.listings.discover(this.#options.discoverMs);
  }

  async resolve(name: string, category?: string): Promise<CatalogEntry | undefined> {
    const known = only(await this.#find(name, category));
    if (known === undefined) await this.problems();
    else if (!isBlocked(known) || !(await (await this.#openLock()).reload())) return known;
    // It was accepted elsewhere meanwhile: by the command line, or for another server process.
    else this.#outdate();
    return only(await this.#find(name, category));
  }

  async nearest(name: string): Promise<readonly string[]> {
    await this.problems();
    const inventory = await this.#settle();
    const near = new Set(inventory.names.find(name, () => true).map((entry) => entry.id));
    const ids = inventory.entries.map((entry) => entry.id);
    const bare = name.slice(
      Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('/')) + 1,
    );
    for (const close of [nearest(name, ids), nearest(name.replace(/[:/]/, '.'), ids)]) {
      if (close !== undefined) near.add(close);
    }
    const named = nearest(
      bare,
      inventory.entries.map((entry) => entry.pythonName),
    );
    for (const entry of inventory.entries) if (entry.pythonName === named) near.add(entry.id);
    for (const { id } of this.#index.search(name, { limit: NEAREST }).hits) {
      if (inventory.names.byId(id) !== undefined) near.add(id);
    }
    return [...near].slice(0, NEAREST);
  }

  async names(server: string): Promise<readonly string[] | undefined> {
    const listed = (inventory: Inventory) =>
      server === '' ? [...new Set(inventory.servers.values())].sort() : inventory.toolsOf(server);
    const known = server === '' ? undefined : listed(await this.#settle());
    if (known !== undefined) return known;
    await this.problems();
    return listed(await this.#settle());
  }

  describe(entry: CatalogEntry, level: DetailLevel): string {
    return entryText(entry, level, level === 'full' ? this.#returns(entry) : undefined);
  }

  details(entry: CatalogEntry): ToolDetails {
    const { inputSchema, outputSchema, annotations } = entry.definition;
    return {
      signature: signatureText(entry.id, inputSchema, this.#returns(entry), FULL),
      returnsSeen: outputSchema === undefined && this.#learned.has(entry.id),
      inputSchema,
      ...(outputSchema === undefined ? {} : { outputSchema }),
      example: exampleCall(entry.id, inputSchema),
      ...(annotations === undefined ? {} : { annotations }),
    };
  }

  /** The whole return type, declared or seen. */
  #returns({ id, definition }: CatalogEntry): string | undefined {
    const seen = this.#learned.get(id);
    if (definition.outputSchema !== undefined) return pythonType(definition.outputSchema, WHOLE);
    return seen === undefined ? undefined : `${pythonType(seen, WHOLE)}  # seen`;
  }

  bind(
    entry: CatalogEntry,
    positional: readonly unknown[],
    keyword: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    const checked = checkArguments(entry.pythonName, entry.definition.inputSchema, positional, keyword);
    if (checked.ok) return checked.args;
    throw new CodeExecutionError('bad_arguments', checked.problems.join('; '), `it is ${entry.signature}`);
  }

  learnResult(id: string, value: unknown): void {
    const entry = this.#inventory?.names.byId(id);
    if (entry === undefined || entry.definition.outputSchema !== undefined) return;
    if (this.#learned.has(id) || this.#learned.size >= MAX_LEARNED) return;
    const shape = seenShape(value);
    // Null and an empty list tell nothing yet: the next result may.
    if (typeof shape !== 'object' || shape.type === 'null') return;
    if (shape.type === 'array' && shape.items === undefined) return;
    this.#learned.set(id, shape);
  }

  async counts(): Promise<{ servers: number; categories: number; tools: number }> {
    const { servers, categories, entries } = await this.#settle();
    return { servers: servers.size, categories: categories.size, tools: entries.length };
  }

  async reviews(): Promise<readonly ReviewItem[]> {
    await this.problems();
    const { entries, claims } = await this.#settle();
    return entries
      .filter((entry) => entry.review !== 'accepted')
      .map((entry) => {
        const claimed = claims.get(entry.id);
        return { entry, ...(claimed === undefined ? {} : { claims: claimed }) };
      });
  }

  async accept(id: string): Promise<void> {
    const entry = (await this.resolve(id)) ?? undefined;
    if (entry === undefined) {
      throw new CodeExecutionError('tool_unknown', `there is no tool ${JSON.stringify(id.slice(0, 100))}`);
    }
    const lock = await this.#openLock();
    lock.accept(entry.source.server, entry.remoteName, entry.hash);
    await lock.save();
    this.#outdate();
  }

  #outdate(): void {
    this.#inventory = undefined;
    this.#age += 1;
  }

  async #find(name: string, category: string | undefined): Promise<readonly CatalogEntry[]> {
    const { names } = await this.#settle();
    return names.find(name.trim(), (entry) => isIn(entry, category));
  }

  /** Takes in what has arrived. One at a time: the second caller waits for the first's result. */
  async #settle(): Promise<Inventory> {
    while (this.#inventory === undefined) {
      this.#settling ??= this.#takeIn().finally(() => {
        this.#settling = undefined;
      });
      await this.#settling;
    }
    return this.#inventory;
  }

  async #takeIn(): Promise<Inventory> {
    const lock = await this.#openLock();
    const age = this.#age;
    const arrived = [...this.#arrived.values()];
    this.#arrived.clear();
    for (const listing of arrived) {
      const shelf = shelve(listing);
      this.#live.set(shelf.source.server, shelf);
      if (shelf.leftOut > 0) {
        const { server } = shelf.source;
        this.#options.log.warn(
          { server, tools: shelf.leftOut },
          'tool definitions without a usable name were left out',
        );
      }
    }
    const inventory = assemble({
      shelves: [...this.#live.values(), ...this.#registry],
      servers: this.#options.listings.servers,
      returns: (id) => {
        const seen = this.#learned.get(id);
        return seen === undefined ? undefined : `${pythonType(seen, BRIEF)}  # seen`;
      },
      review: (server, tools) => lock.review(server, tools),
    });
    for (const collision of inventory.collisions) this.#tell(collision);
    this.#reindex(inventory, new Set(arrived.map((listing) => listing.source.server)));
    await this.#save(lock);
    // What arrived while this went on is taken in by the next round.
    if (this.#age === age) this.#inventory = inventory;
    return inventory;
  }

  #tell(collision: NameCollision): void {
    const key = JSON.stringify(collision);
    if (this.#told.has(key) || this.#told.size >= MAX_TOLD) return;
    this.#told.add(key);
    this.#options.log.warn({ ...collision }, 'two names have the same Python name; one got a number');
  }

  /** Indexes servers that are new, that were listed again, or whose Python name has changed. */
  #reindex(inventory: Inventory, listed: ReadonlySet<string>): void {
    for (const [server, pythonServer] of inventory.servers) {
      if (this.#indexed.get(server) === pythonServer && !listed.has(server)) continue;
      this.#index.replace(server, inventory.entriesOf(server).map(searchDocument));
    }
    this.#indexed = inventory.servers;
  }

  async #save(lock: DefinitionLock): Promise<void> {
    try {
      await lock.save();
    } catch (err) {
      this.#options.log.warn(
        { err },
        'the lock file of tool definitions cannot be written; changes will go unseen',
      );
    }
  }

  #openLock(): Promise<DefinitionLock> {
    // A lock that cannot be read fails the question, not the process: the next question tries again.
    this.#lock ??= DefinitionLock.open(this.#options.lock).catch((error: unknown) => {
      this.#lock = undefined;
      throw error;
    });
    return this.#lock;
  }
}

/** Without a query: all tools by name. */
function listed(
  entries: readonly CatalogEntry[],
  offset: number,
  limit: number,
): Omit<SearchAnswer, 'problems'> {
  const hits = entries.slice(offset, offset + limit).map((entry) => ({ entry, score: 0 }));
  return { hits, total: entries.length, confidence: 1, unmatchedWords: [] };
}

function isIn(entry: CatalogEntry, category: string | undefined): boolean {
  return category === undefined || entry.source.category.toLowerCase() === category.trim().toLowerCase();
}

function isBlocked({ review }: CatalogEntry): boolean {
  return review === 'changed' || review === 'shadowing';
}

function only(entries: readonly CatalogEntry[]): CatalogEntry | undefined {
  return entries.length === 1 ? entries[0] : undefined;
}

function entryOf(inventory: Inventory, id: string): CatalogEntry {
  const entry = inventory.names.byId(id);
  if (entry === undefined) throw new Error(`the index has ${id}, the inventory has not`);
  return entry;
}
