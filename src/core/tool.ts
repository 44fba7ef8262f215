/** A JSON Schema as a downstream server sent it: foreign data, any shape. */
export type JsonSchema = { readonly [key: string]: unknown } | boolean;

/** Hints of a tool about itself, by the names of the MCP specification. They may tighten what we allow, never loosen. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool of a downstream server (or of a registry folder), as it was defined there. All text in it is foreign data. */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
}

/** Where a set of definitions comes from. */
export interface ToolSource {
  /** Name of the server in the configuration, or of the registry folder's category. */
  readonly server: string;
  /** `registry`: known from a file only, searchable but not callable. */
  readonly kind: 'server' | 'registry';
  /** From the configuration, the registry folder, or the server's name. */
  readonly category: string;
  readonly description?: string;
}

/** A server whose tools are not (or not freshly) known, and why; shown once in an answer. */
export interface SourceProblem {
  readonly server: string;
  /** One sentence for the model: "did not answer within 10 s", "command not found". No paths, no secrets. */
  readonly message: string;
  /** True: definitions from the disk cache are used meanwhile. */
  readonly cached: boolean;
}

/** One part of what a tool returned. */
export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource';
      readonly uri: string;
      readonly mimeType?: string;
      readonly text?: string;
      readonly blob?: string;
    }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name?: string;
      readonly mimeType?: string;
    };

/** What a downstream call came to, unwrapped from the protocol. */
export interface ToolResult {
  /** The tool said that it failed; `content` holds its words. */
  readonly isError: boolean;
  /** Any JSON value; absent when the tool sent none. */
  readonly structured?: unknown;
  readonly content: readonly ToolContent[];
  /** In place of `structured` and `content`, for who asked for it: a result too long to make values of here. */
  readonly large?: LargeText;
}

/** JSON text that nobody on the host has parsed, for it would hold up the event loop: it may turn out to be invalid. */
export interface LargeText {
  /** Put together: UTF-8 of `{"structured": ..., "content": [...]}`, without `structured` if the tool sent none. */
  readonly parts: readonly Uint8Array[];
  readonly bytes: number;
}
