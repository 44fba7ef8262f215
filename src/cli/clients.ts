import { CLIENT_FILES, type ClientFile, type ClientName } from '../core/client-files.js';

/** A program that starts MCP servers, and where it keeps its list of them. */
export interface Client {
  /** Name on the command line. */
  readonly name: ClientName;
  readonly title: string;
  /** True when an entry says `"type": "stdio"`. */
  readonly typed: boolean;
  /** The user's own file. */
  readonly file: ClientFile;
  /** The file of a project, relative to its folder; absent when the client has none. */
  readonly projectFile?: string;
  /** What the user has to do then. */
  readonly afterwards: string;
}

export const CLIENTS: readonly Client[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    typed: true,
    file: CLIENT_FILES['claude-code'],
    projectFile: '.mcp.json',
    afterwards: 'start a new Claude Code session; /mcp shows the server',
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    typed: false,
    file: CLIENT_FILES['claude-desktop'],
    afterwards: 'quit Claude Desktop and start it again',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    typed: false,
    file: CLIENT_FILES.cursor,
    projectFile: '.cursor/mcp.json',
    afterwards: 'switch the server on in the MCP settings of Cursor',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    typed: true,
    file: CLIENT_FILES.vscode,
    projectFile: '.vscode/mcp.json',
    afterwards: 'run "MCP: List Servers" in the command palette and start it',
  },
];
