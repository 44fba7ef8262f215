import type { ServerPrivacy } from './pii.js';
import type { ToolRules } from './policy.js';

/** Which handshake a server gets. `auto` tries the 2026 protocol and falls back to the `initialize` handshake. */
export type ProtocolChoice = 'auto' | 'legacy' | 'modern';

/** How a downstream server is reached. All references are expanded; nothing here is for a model to read. */
export type Launch =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** The whole environment of the process. */
      readonly env: Readonly<Record<string, string>>;
      /** Absolute path. */
      readonly cwd: string;
      readonly protocol: ProtocolChoice;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly protocol: ProtocolChoice;
    }
  /** The transport that Streamable HTTP replaced. */
  | { readonly kind: 'sse'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  /** The entry is wrong. `message` is one sentence for the model, without values: "the variable X is not set". */
  | { readonly kind: 'refused'; readonly message: string };

/** One entry of `mcpServers`, resolved. */
export interface DownstreamServer {
  /** Letters, digits, `-`, `_` and `.`. */
  readonly name: string;
  readonly category: string;
  readonly launch: Launch;
  /** The most that one call may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly rules: ToolRules;
  readonly privacy: ServerPrivacy;
  /** Changes when what is started changes, not when a secret does; keys the cache of definitions. */
  readonly fingerprint: string;
  /** Values that no log line may show. */
  readonly secrets: readonly string[];
}
