import { posix, win32 } from 'node:path';

/** What the place of a client's file depends on. */
export interface ClientHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/** Where a program that starts MCP servers keeps the user's list of them. */
export interface ClientFile {
  /** Key of the object that holds the servers. */
  readonly key: 'mcpServers' | 'servers';
  path(host: ClientHost): string;
}

export const CLIENT_NAMES = ['claude-code', 'claude-desktop', 'cursor', 'vscode'] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

export const CLIENT_FILES: Readonly<Record<ClientName, ClientFile>> = {
  'claude-code': {
    key: 'mcpServers',
    path: (host) => pathOf(host).join(host.env.CLAUDE_CONFIG_DIR || host.home, '.claude.json'),
  },
  'claude-desktop': {
    key: 'mcpServers',
    path: (host) => pathOf(host).join(applicationData(host), 'Claude', 'claude_desktop_config.json'),
  },
  cursor: { key: 'mcpServers', path: (host) => pathOf(host).join(host.home, '.cursor', 'mcp.json') },
  vscode: {
    key: 'servers',
    path: (host) => pathOf(host).join(applicationData(host), 'Code', 'User', 'mcp.json'),
  },
};

/** Where desktop programs keep their settings. */
function applicationData(host: ClientHost): string {
  if (host.platform === 'win32') return host.env.APPDATA || win32.join(host.home, 'AppData', 'Roaming');
  if (host.platform === 'darwin') return posix.join(host.home, 'Library', 'Application Support');
  return host.env.XDG_CONFIG_HOME || posix.join(host.home, '.config');
}

function pathOf(host: ClientHost): typeof posix {
  return host.platform === 'win32' ? win32 : posix;
}
