import type { ContentBlock } from '@modelcontextprotocol/server';

/** An answer laid out for both kinds of client: those that show text and those that show `structuredContent`. */
export interface Rendered<S> {
  /** For a model to read; the first line is the outcome. */
  readonly text: string;
  /** The same facts for programs. */
  readonly structured: S;
  /** Images and links that go along with the text. */
  readonly blocks?: readonly ContentBlock[];
  /** True when the answer tells of a failure that the model can mend. */
  readonly failed?: boolean;
  /** Characters of data that the model did not have to read. */
  readonly keptOutChars?: number;
}

/** An answer before it is shown: it cannot be laid out without passing its facts through a filter first. */
export interface Answer<S> {
  prepare(filter: <T>(facts: T) => Promise<T>): Promise<Rendered<S>>;
}

/**
 * An answer made of facts and a renderer. The facts are whole (the filter must see a value before it is cut); the
 * renderer bounds what it shows.
 */
export function answer<F, S>(facts: F, render: (facts: F) => Rendered<S> | Promise<Rendered<S>>): Answer<S> {
  return { prepare: async (filter) => render(await filter(facts)) };
}
