import { posix, win32 } from 'node:path';
import type { HostEnvironment } from './config.js';

const NAME = 'code-execution-mcp';

/** The folders of this user on this system, following its conventions. Absolute paths, none of them made. */
export interface Directories {
  /** Holds the user's `config.json`. */
  readonly config: string;
  readonly data: string;
  readonly cache: string;
}

export function defaultDirectories(host: HostEnvironment): Directories {
  if (host.platform === 'win32') return windowsDirectories(host);
  if (host.platform === 'darwin') {
    const support = posix.join(host.home, 'Library', 'Application Support', NAME);
    return { config: support, data: support, cache: posix.join(host.home, 'Library', 'Caches', NAME) };
  }
  const config = xdg(host, 'XDG_CONFIG_HOME', '.config');
  // Workers of a server that runs as root run under another uid, which cannot pass through root's home.
  if (host.uid === 0) return { config, data: `/var/lib/${NAME}`, cache: `/var/cache/${NAME}` };
  return {
    config,
    data: xdg(host, 'XDG_DATA_HOME', '.local/share'),
    cache: xdg(host, 'XDG_CACHE_HOME', '.cache'),
  };
}

function windowsDirectories(host: HostEnvironment): Directories {
  const roaming = host.env.APPDATA || win32.join(host.home, 'AppData', 'Roaming');
  const local = host.env.LOCALAPPDATA || win32.join(host.home, 'AppData', 'Local');
  return {
    config: win32.join(roaming, NAME),
    data: win32.join(local, NAME, 'data'),
    cache: win32.join(local, NAME, 'cache'),
  };
}

/** The XDG rule: an unset, empty or relative value means the default below the home folder. */
function xdg(host: HostEnvironment, variable: string, fallback: string): string {
  const value = host.env[variable];
  const base = value && posix.isAbsolute(value) ? value : posix.join(host.home, fallback);
  return posix.join(base, NAME);
}
