import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { decodePart } from './file-kind.js';
import type { ResponseGate } from './response.js';
import type { ServerDeps } from './server-deps.js';
import { MAX_READ_BYTES } from './tools/read-workspace-file.js';

/** Serves workspace files at `workspace:///path`: what the links in answers point to. One read gives 100 kB at most. */
export function registerWorkspaceResource(
  server: McpServer,
  deps: ServerDeps,
  principal: string,
  response: ResponseGate,
): void {
  server.registerResource(
    'workspace-file',
    new ResourceTemplate('workspace:///{+path}', { list: undefined }),
    { title: 'Workspace file', description: 'A file of the workspace (its first 100 kB)' },
    async (uri): Promise<ReadResourceResult> => {
      try {
        return { contents: [await read(uri, deps, principal, response)] };
      } catch (error) {
        const { code, message, hint } = response.describe('resources/read', error);
        if (code === 'not_found') throw new ResourceNotFoundError(uri.href);
        const text = hint === undefined ? message : `${message}. ${hint}`;
        throw new ProtocolError(
          code === 'internal' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams,
          await response.text(`${code}: ${text}`, 1000),
        );
      }
    },
  );
}

async function read(
  uri: URL,
  deps: ServerDeps,
  principal: string,
  response: ResponseGate,
): Promise<ReadResourceResult['contents'][number]> {
  const path = decodeURIComponent(uri.pathname.replace(/^\//, ''));
  const workspace = await deps.workspace(principal);
  const { size } = await workspace.stat(path);
  const bytes = await workspace.read(path, { offset: 0, length: MAX_READ_BYTES });
  const part = decodePart(bytes, bytes.length >= size);
  if (part === undefined) return { uri: uri.href, blob: Buffer.from(bytes).toString('base64') };
  const text = await response.text(part.text, 2 * MAX_READ_BYTES);
  const rest = size - part.length;
  const more = `\n... (${rest} bytes left out; read_workspace_file with offset ${part.length} gives them)`;
  return { uri: uri.href, mimeType: 'text/plain', text: rest > 0 ? text + more : text };
}
