import type { CallToolResult } from '@modelcontextprotocol/server';
import type { RunProgress } from '../session/runner.js';
import type { Approval, ApprovalQuestion } from '../session/tool-access.js';
import type { ServerTool } from './define-tool.js';
import { parseArguments } from './parse-arguments.js';
import { ResponseGate } from './response.js';
import type { ServerDeps } from './server-deps.js';
import { serverTools } from './server-tools.js';

export interface ServerToolCall {
  readonly tool: ServerTool;
  readonly args: unknown;
  readonly principal: string;
  readonly signal: AbortSignal;
  readonly progress: (step: RunProgress) => void;
  readonly approve?: (question: ApprovalQuestion) => Promise<Approval>;
  readonly deps: ServerDeps;
}

/** One call of a server tool, from its raw arguments to the MCP result. Never rejects. */
export function callServerTool(call: ServerToolCall, response: ResponseGate): Promise<CallToolResult> {
  const { tool, args, ...context } = call;
  return response.result(tool.name, async () => {
    // Also of a call that is refused: its error may quote what was sent.
    await call.deps.privacy?.noteSent(call.principal, args);
    return tool.handle(parseArguments(tool.input, args as Record<string, unknown>), context);
  });
}

/** A server tool without a client, for the command line: the same checks, the same answer. */
export function callOnce(
  deps: ServerDeps,
  principal: string,
  name: string,
  args: object,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const tool = serverTools(deps).find((one) => one.name === name);
  if (!tool) throw new Error(`there is no server tool ${name}`);
  const call: ServerToolCall = { tool, args, principal, signal, progress: () => undefined, deps };
  return callServerTool(call, new ResponseGate(deps, principal));
}
