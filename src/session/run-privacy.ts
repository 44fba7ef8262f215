import type { ToolResult } from '../core/tool.js';

/** A call of a tool, for whom and for what tokens are restored or made. */
export interface PrivateCall {
  readonly principal: string;
  readonly run: string;
  readonly server: string;
  /** Name of the tool at its server. */
  readonly tool: string;
  /** The tool says of itself that it reaches an open world: a mail, a web request. */
  readonly reachesOut: boolean;
}

/** What stands between code and tools: tokens become values on the way out, and in strict mode values tokens on the way in. */
export interface RunPrivacy {
  /**
   * The arguments as the tool gets them. `notes`: tokens that were passed on as they are, for the report of the run.
   *
   * @throws CodeExecutionError `restore_denied`: a value may not go to this tool, or its token has expired.
   */
  restoreArguments(
    call: PrivateCall,
    args: Record<string, unknown>,
  ): Promise<{ readonly args: Record<string, unknown>; readonly notes: readonly string[] }>;
  /** The result as code may see it: unchanged in egress mode, values replaced in strict mode. */
  receive(call: PrivateCall, result: ToolResult): Promise<ToolResult>;
  /** The same for the words of a failure. */
  receiveText(call: PrivateCall, text: string): Promise<string>;
  /** For one run: told of every result as it goes to the code, so that its values are known when the answer is filtered. */
  noting(principal: string): (call: PrivateCall, json: Uint8Array) => void;
  /** The text with a token in place of every value of any kind. */
  tokenise(principal: string, text: string): Promise<string>;
}
