import { type CallToolResult, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { askPerson, canAskPerson, MAX_QUESTION_CHARS, resumed, tooLate } from './ask-person.js';
import { callServerTool } from './call-server-tool.js';
import { Conversation, WaitingConversations } from './conversation.js';
import { INSTRUCTIONS } from './instructions.js';
import { type ListedTool, listedTools } from './listed-tools.js';
import { Progress } from './progress.js';
import { ResponseGate } from './response.js';
import type { ServerDeps } from './server-deps.js';
import { attachSkills } from './skills-extension.js';
import { registerWorkspaceResource } from './workspace-resource.js';

export interface ConnectionOptions {
  /** Where calls wait for a person; given where they outlive the server, which may serve one request only. */
  readonly waiting?: WaitingConversations<CallToolResult>;
  /** False for a server of one request, which nobody is told of changes through. */
  readonly lasts?: boolean;
  /** {@link listedTools} of the same deps, where many servers are made. */
  readonly tools?: readonly ListedTool[];
}

/** Lists cannot change while the process lives, so clients may keep them for an hour. */
const LIST_CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/**
 * The MCP server for one connection of one principal. Cheap: it starts nothing, so `initialize` never waits for the
 * sandbox. When the connection ends, the signals of all its calls abort.
 */
export function createMcpServer(
  deps: ServerDeps,
  principal: string,
  { waiting = new WaitingConversations(), lasts = true, tools = listedTools(deps) }: ConnectionOptions = {},
): McpServer {
  const server = new McpServer(
    { name: 'code-execution-mcp', title: 'Code execution', version: deps.version },
    {
      instructions: INSTRUCTIONS,
      capabilities: { tools: { listChanged: false }, resources: { listChanged: deps.skills !== undefined } },
      // A run may ask once for every call that it makes.
      inputRequired: { maxRounds: 200, roundTimeoutMs: 600_000 },
      cacheHints: { 'tools/list': LIST_CACHE, 'resources/templates/list': LIST_CACHE },
    },
  );
  const response = new ResponseGate(deps, principal);
  for (const tool of tools) register(server, tool, { response, deps, principal, waiting });
  registerWorkspaceResource(server, deps, principal, response);
  const { skills, log } = deps;
  if (skills) attachSkills(server, { skills, principal, response, log, lasts });
  return server;
}

interface Connection {
  readonly response: ResponseGate;
  readonly deps: ServerDeps;
  readonly principal: string;
  readonly waiting: WaitingConversations<CallToolResult>;
}

function register(mcp: McpServer, listed: ListedTool, connection: Connection): void {
  const { tool, inputSchema, outputSchema } = listed;
  const { response, deps, principal, waiting } = connection;
  const config = {
    title: tool.title,
    description: tool.description,
    inputSchema,
    outputSchema,
    annotations: tool.annotations,
    ...(tool.meta === undefined ? {} : { _meta: { ...tool.meta } }),
  };
  mcp.registerTool(tool.name, config, async (args: unknown, { mcpReq }: ServerContext) => {
    const progress = new Progress(mcpReq, (text, maxChars) => response.text(text, maxChars));
    const begin = (): Conversation<CallToolResult> =>
      new Conversation(({ signal, ask, progress }) => {
        const approve = canAskPerson(mcp, mcpReq) ? { approve: ask } : {};
        return callServerTool({ tool, args, principal, signal, progress, deps, ...approve }, response);
      });
    try {
      const state: unknown = mcpReq.requestState();
      const conversation = typeof state === 'string' ? resumed(waiting, tool.name, state, mcpReq) : begin();
      // Never run anew what was only asked about: the code would take effect twice.
      if (!conversation) return await response.result(tool.name, () => Promise.reject(tooLate()));
      const turn = await conversation.next(mcpReq.signal, (step) => progress.report(step));
      if (turn.kind === 'result') return turn.result;
      waiting.keep(turn.state, tool.name, conversation);
      if (mcpReq.envelope === undefined) cancelWhileAsking(waiting, turn.state, tool.name, mcpReq.signal);
      return await askPerson(turn.question, turn.state, (text) => response.text(text, MAX_QUESTION_CHARS));
    } finally {
      await progress.end();
    }
  });
}

/** In the 2025 era (whose requests have no envelope) the request goes on while the person thinks, and may be cancelled. */
function cancelWhileAsking(
  waiting: WaitingConversations<CallToolResult>,
  state: string,
  tool: string,
  signal: AbortSignal,
): void {
  signal.addEventListener('abort', () => waiting.take(state, tool)?.cancel(), { once: true });
}
