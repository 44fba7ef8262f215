import { posix, win32 } from 'node:path';
import type { HostEnvironment } from '../config/config.js';

/** A program that starts MCP servers, and where it keeps its list of them. */
export interface Client {
  /** Name on the command line. */
  readonly name: string;
  readonly title: string;
  /** Key of the object that holds the servers. */
  readonly key: 'mcpServers' | 'servers';
  /** True when an entry says `"type": "stdio"`. */
  readonly typed: boolean;
  /** The user's own file. */
  userFile(host: HostEnvironment): string;
  /** The file of a project, relative to its folder; absent when the client has none. */
  readonly projectFile?: string;
  /** What the user has to do then. */
  readonly afterwards: string;
}

export const CLIENTS: readonly Client[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    key: 'mcpServers',
    typed: true,
    userFile: (host) => pathOf(host).join(host.env.CLAUDE_CONFIG_DIR || host.home, '.claude.json'),
    projectFile: '.mcp.json',
    afterwards: 'start a new Claude Code session; /mcp shows the server',
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    key: 'mcpServers',
    typed: false,
    userFile: (host) => pathOf(host).join(applicationData(host), 'Claude', 'claude_desktop_config.json'),
    afterwards: 'quit Claude Desktop and start it again',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    key: 'mcpServers',
    typed: false,
    userFile: (host) => pathOf(host).join(host.home, '.cursor', 'mcp.json'),
    projectFile: '.cursor/mcp.json',
    afterwards: 'switch the server on in the MCP settings of Cursor',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    key: 'servers',
    typed: true,
    userFile: (host) => pathOf(host).join(applicationData(host), 'Code', 'User', 'mcp.json'),
    projectFile: '.vscode/mcp.json',
    afterwards: 'run "MCP: List Servers" in the command palette and start it',
  },
];

/** Where desktop programs keep their settings. */
function applicationData(host: HostEnvironment): string {
  if (host.platform === 'win32') return host.env.APPDATA || win32.join(host.home, 'AppData', 'Roaming');
  if (host.platform === 'darwin') return posix.join(host.home, 'Library', 'Application Support');
  return host.env.XDG_CONFIG_HOME || posix.join(host.home, '.config');
}

function pathOf(host: HostEnvironment): typeof posix {
  return host.platform === 'win32' ? win32 : posix;
}
