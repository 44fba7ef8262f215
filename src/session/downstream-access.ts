import type { Catalog, CatalogEntry } from '../catalog/catalog.js';
import { decide, type ToolRules, type Verdict } from '../core/policy.js';
import type { ToolAnnotations, ToolResult } from '../core/tool.js';
import type { Downstream } from '../downstream/downstream.js';
import type { CallOptions, CallRecord, FoundTool, ToolAccess, ToolDecision } from './tool-access.js';

export interface DownstreamAccessParts {
  readonly catalog: Catalog;
  readonly downstream: Pick<Downstream, 'call'>;
  /** What the operator says about the tools of a server. */
  readonly rulesOf: (server: string) => ToolRules;
  readonly record: (line: CallRecord) => void;
}

/** Joins catalogue, policy, connections and audit into what a run sees. */
export class DownstreamAccess implements ToolAccess {
  readonly #parts: DownstreamAccessParts;

  constructor(parts: DownstreamAccessParts) {
    this.#parts = parts;
  }

  bind(
    entry: CatalogEntry,
    positional: readonly unknown[],
    keyword: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    return this.#parts.catalog.bind(entry, positional, keyword);
  }

  resolve(name: string): Promise<CatalogEntry | undefined> {
    return this.#parts.catalog.resolve(name);
  }

  nearest(name: string): Promise<readonly string[]> {
    return this.#parts.catalog.nearest(name);
  }

  /**
   * The definition's own hints and a changed definition may tighten the operator's rules, never loosen them; consent is
   * never an argument.
   */
  decide(entry: CatalogEntry): ToolDecision {
    const { server, kind } = entry.source;
    const { name, annotations } = entry.definition;
    if (kind === 'registry') {
      return deny(
        'it is known from a registry file only; no server offers it',
        `add a server that offers it to mcpServers`,
      );
    }
    if (entry.review === 'changed' || entry.review === 'shadowing') {
      const why =
        entry.review === 'changed'
          ? 'its definition has changed since it was accepted'
          : 'it claims the name of a tool of another server';
      return deny(why, 'the operator looks at it and accepts it with: code-execution-mcp tools review');
    }
    const verdict = this.#verdict(entry, annotations);
    if (verdict === 'deny') return deny('the configuration denies it', 'use another tool, or ask the user');
    if (verdict === 'ask') {
      const listed = this.#verdict(entry) === 'ask';
      const rules = `mcpServers.${server}.tools`;
      return listed
        ? {
            verdict,
            reason: 'the configuration lists it under ask',
            howToAllow: `the operator allows it for good by taking it out of ${rules}.ask`,
          }
        : {
            verdict,
            reason: 'the tool says that it may destroy data',
            howToAllow: `the operator allows it for good with ${rules}.allow: ["${name}"]`,
          };
    }
    return { verdict, reason: '', howToAllow: '' };
  }

  /** The stricter one, should the name as it is shown differ from the name as it came: neither spelling evades a rule. */
  #verdict({ source, definition, remoteName }: CatalogEntry, annotations?: ToolAnnotations): Verdict {
    const rules = this.#parts.rulesOf(source.server);
    const verdicts = [definition.name, remoteName].map((name) => decide(rules, name, annotations));
    return STRICTEST_FIRST.find((one) => verdicts.includes(one)) ?? 'deny';
  }

  call(entry: CatalogEntry, args: Record<string, unknown>, options: CallOptions): Promise<ToolResult> {
    const { server } = entry.source;
    return this.#parts.downstream.call(server, entry.remoteName, args, { ...options, acceptLarge: true });
  }

  learn(entry: CatalogEntry, value: unknown): void {
    this.#parts.catalog.learnResult(entry.id, value);
  }

  async search(query: string, category: string | undefined, limit: number): Promise<readonly FoundTool[]> {
    const options = { limit, offset: 0, ...(category === undefined ? {} : { category }) };
    const { hits } = await this.#parts.catalog.search(query, options);
    return hits.map(({ entry }) => ({
      name: entry.id,
      signature: entry.signature,
      description: firstSentence(entry.definition.description ?? ''),
    }));
  }

  async describe(name: string): Promise<string | undefined> {
    const entry = await this.#parts.catalog.resolve(name);
    return entry === undefined ? undefined : this.#parts.catalog.describe(entry, 'full');
  }

  async names(server: string): Promise<readonly string[] | undefined> {
    return this.#parts.catalog.names(server);
  }

  record(line: CallRecord): void {
    this.#parts.record(line);
  }
}

const STRICTEST_FIRST: readonly Verdict[] = ['deny', 'ask', 'allow'];

function deny(reason: string, howToAllow: string): ToolDecision {
  return { verdict: 'deny', reason, howToAllow };
}

function firstSentence(text: string): string {
  const end = text.search(/[.!?](?:\s|$)|\n/);
  return (end < 0 ? text : text.slice(0, end + 1)).trim().slice(0, 300);
}
