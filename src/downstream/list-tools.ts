import { type ReadDefinition, readDefinition } from '../core/read-definition.js';
import type { ToolDefinition } from '../core/tool.js';

/** Pages asked for; at the usual 50 tools a page the tools run out first. */
const MAX_PAGES = 500;
const MAX_TOOLS = 5_000;
/** All definitions of one server, as JSON text. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Faults that are told one by one. */
const TOLD_FAULTS = 5;

/** All tools of a server, as far as they are within the limits. */
export interface ToolList {
  readonly tools: readonly ToolDefinition[];
  /** What was left out and why; for the log. */
  readonly warnings: readonly string[];
  /** Set when tools are missing because of a limit; for the model. */
  readonly cutOff?: string;
}

/** One page of `tools/list` as the server sent it. */
export type FetchPage = (cursor: string | undefined) => Promise<unknown>;

/** Reads page after page. What is wrong with one tool costs that tool only. */
export async function listTools(fetchPage: FetchPage): Promise<ToolList> {
  const collected = new Collected();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const answer = await fetchPage(cursor);
    const { tools, nextCursor } = Object(answer) as Record<string, unknown>;
    if (!Array.isArray(tools)) throw new Error('the list of tools has no tools in it');
    for (const tool of tools) if (!collected.add(readDefinition(tool))) return collected.list();
    if (typeof nextCursor !== 'string' || nextCursor === '') return collected.list();
    // A page that leads back to one that was read would go on for ever.
    if (cursors.has(nextCursor)) return collected.list('repeats its pages');
    if (page === MAX_PAGES) return collected.list(`lists its tools on more than ${MAX_PAGES} pages`);
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
}

class Collected {
  readonly #tools = new Map<string, ToolDefinition>();
  readonly #faults: string[] = [];
  #bytes = 0;
  #cutOff: string | undefined;

  /** False when no more tools are taken. */
  add(read: ReadDefinition): boolean {
    if ('fault' in read) this.#faults.push(`a tool is left out: ${read.fault}`);
    else if (this.#tools.has(read.definition.name))
      this.#faults.push('a tool is left out: its name occurs twice');
    else if (this.#tools.size === MAX_TOOLS) this.#cutOff = `lists more than ${MAX_TOOLS} tools`;
    else if (this.#bytes + read.bytes > MAX_BYTES) this.#cutOff = 'lists definitions of more than 16 MiB';
    else {
      this.#tools.set(read.definition.name, read.definition);
      this.#bytes += read.bytes;
    }
    return this.#cutOff === undefined;
  }

  list(cutOff = this.#cutOff): ToolList {
    const more = this.#faults.length - TOLD_FAULTS;
    const warnings = [
      ...this.#faults.slice(0, TOLD_FAULTS),
      ...(more > 0 ? [`${more} more tools are left out`] : []),
      ...(cutOff ? [`the server ${cutOff}`] : []),
    ];
    const tools = [...this.#tools.values()];
    return {
      tools,
      warnings,
      ...(cutOff ? { cutOff: `${cutOff}; the first ${tools.length} are known` } : {}),
    };
  }
}
