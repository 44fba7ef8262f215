import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { ServerTool } from './define-tool.js';
import { listedInput, listedOutput } from './listed-schema.js';
import type { ServerDeps } from './server-deps.js';
import { serverTools } from './server-tools.js';

/** A server tool with what `tools/list` says of it. */
export interface ListedTool {
  readonly tool: ServerTool;
  readonly inputSchema: StandardSchemaWithJSON;
  readonly outputSchema: StandardSchemaWithJSON;
}

/** All server tools. Deriving their schemas takes 8 ms, which a server of one request should not spend anew. */
export function listedTools(deps: ServerDeps): readonly ListedTool[] {
  return serverTools(deps).map((tool) => ({
    tool,
    inputSchema: listedInput(tool.input),
    outputSchema: listedOutput(tool.output),
  }));
}
