import type { HostEnvironment } from './config.js';

const POSIX = ['HOME', 'PATH', 'SHELL', 'TERM', 'LANG', 'USER', 'TMPDIR'];
/** What programs need to start at all on Windows; the list of the MCP SDK, and the folder for temporary files. */
const WINDOWS = [
  ...[
    'APPDATA',
    'COMSPEC',
    'HOMEDRIVE',
    'HOMEPATH',
    'LOCALAPPDATA',
    'PATH',
    'PATHEXT',
    'PROCESSOR_ARCHITECTURE',
  ],
  ...[
    'PROGRAMDATA',
    'PROGRAMFILES',
    'PROGRAMFILES(X86)',
    'PROGRAMW6432',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'TMP',
  ],
  ...['USERNAME', 'USERPROFILE', 'WINDIR'],
];

/** What a downstream server gets of our environment: enough to run, and no secret. */
export function baseEnvironment({ env, platform }: HostEnvironment): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of platform === 'win32' ? WINDOWS : POSIX) {
    const value = env[name];
    // A value that begins like this is a function that bash has exported.
    if (value !== undefined && !value.startsWith('()')) found[name] = value;
  }
  return found;
}
