import { type CallToolResult, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { askPerson, canAskPerson, MAX_QUESTION_CHARS, resumed, tooLate } from './ask-person.js';
import { callServerTool } from './call-server-tool.js';
import { Conversation, WaitingConversations } from './conversation.js';
import type { ServerTool } from './define-tool.js';
import { INSTRUCTIONS } from './instructions.js';
import { listedInput, listedOutput } from './listed-schema.js';
import { Progress } from './progress.js';
import { ResponseGate } from './response.js';
import type { ServerDeps } from './server-deps.js';
import { serverTools } from './server-tools.js';
import { attachSkills } from './skills-extension.js';
import { registerWorkspaceResource } from './workspace-resource.js';

/** Lists cannot change while the process lives, so clients may keep them for an hour. */
const LIST_CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/**
 * The MCP server for one connection of one principal. Cheap: it starts nothing, so `initialize` never waits for the
 * sandbox. When the connection ends, the signals of all its calls abort.
 */
export function createMcpServer(
  deps: ServerDeps,
  principal: string,
  waiting = new WaitingConversations<CallToolResult>(),
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
  for (const tool of serverTools(deps)) register(server, tool, { response, deps, principal, waiting });
  registerWorkspaceResource(server, deps, principal, response);
  const { skills, log } = deps;
  if (skills) attachSkills(server, { skills, principal, response, log });
  return server;
}

interface Connection {
  readonly response: ResponseGate;
  readonly deps: ServerDeps;
  readonly principal: string;
  readonly waiting: WaitingConversations<CallToolResult>;
}

function register(mcp: McpServer, tool: ServerTool, connection: Connection): void {
  const { response, deps, principal, waiting } = connection;
  const config = {
    title: tool.title,
    description: tool.description,
    inputSchema: listedInput(tool.input),
    outputSchema: listedOutput(tool.output),
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
      return await askPerson(turn.question, turn.state, (text) => response.text(text, MAX_QUESTION_CHARS));
    } finally {
      await progress.end();
    }
  });
}
