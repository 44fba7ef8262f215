import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { RunProgress } from '../session/runner.js';
import { callServerTool } from './call-server-tool.js';
import type { ServerTool } from './define-tool.js';
import { INSTRUCTIONS } from './instructions.js';
import { listedInput, listedOutput } from './listed-schema.js';
import { Progress } from './progress.js';
import { ResponseGate } from './response.js';
import type { ServerDeps } from './server-deps.js';
import { serverTools } from './server-tools.js';
import { registerWorkspaceResource } from './workspace-resource.js';

/** Lists cannot change while the process lives, so clients may keep them for an hour. */
const LIST_CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/**
 * The MCP server for one connection of one principal. Cheap: it starts nothing, so `initialize` never waits for the
 * sandbox. When the connection ends, the signals of all its calls abort.
 */
export function createMcpServer(deps: ServerDeps, principal: string): McpServer {
  const server = new McpServer(
    { name: 'code-execution-mcp', title: 'Code execution', version: deps.version },
    {
      instructions: INSTRUCTIONS,
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
      cacheHints: { 'tools/list': LIST_CACHE, 'resources/templates/list': LIST_CACHE },
    },
  );
  const response = new ResponseGate(deps, principal);
  for (const tool of serverTools(deps.limits)) register(server, tool, response, deps, principal);
  registerWorkspaceResource(server, deps, principal, response);
  return server;
}

function register(
  server: McpServer,
  tool: ServerTool,
  response: ResponseGate,
  deps: ServerDeps,
  principal: string,
): void {
  const config = {
    title: tool.title,
    description: tool.description,
    inputSchema: listedInput(tool.input),
    outputSchema: listedOutput(tool.output),
    annotations: tool.annotations,
    ...(tool.meta === undefined ? {} : { _meta: { ...tool.meta } }),
  };
  server.registerTool(tool.name, config, async (args: unknown, { mcpReq }: ServerContext) => {
    const progress = new Progress(mcpReq, (text, maxChars) => response.text(text, maxChars));
    const { signal } = mcpReq;
    const call = {
      tool,
      args,
      principal,
      signal,
      progress: (step: RunProgress) => progress.report(step),
      deps,
    };
    try {
      return await callServerTool(call, response);
    } finally {
      await progress.end();
    }
  });
}
