import type { ToolDefinition } from '../core/tool.js';

/** What a server offers, as it says itself: foreign data. */
export interface Offer {
  readonly tools: readonly ToolDefinition[];
  /** The beginning of its instructions. */
  readonly description?: string;
}

/** What is remembered of a server: what it offered, or why it could not be asked. */
export type Memory = Offer | { readonly failure: string };
