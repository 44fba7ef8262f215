/** One HTTP request of a principal, from its body to the end of its answer. */
export interface Exchange {
  /** Without body. Its signal aborts when the client leaves before the answer has ended. */
  readonly request: Request;
  /** The JSON of a POST; else undefined. */
  readonly body: unknown;
  /** Resolves when the answer has ended, also when the client left. */
  readonly ended: Promise<void>;
}

/** The messages of a body: one, or a batch. */
export function messagesOf(body: unknown): readonly unknown[] {
  if (body === undefined) return [];
  return Array.isArray(body) ? body : [body];
}
