import { expect, test } from 'vitest';
import { defaultDirectories } from '../../../src/config/directories.js';

const LINUX = { platform: 'linux', home: '/home/ada', cwd: '/', env: {}, uid: 1000 } as const;

test.each([
  [
    'Linux',
    LINUX,
    {
      config: '/home/ada/.config/code-execution-mcp',
      data: '/home/ada/.local/share/code-execution-mcp',
      cache: '/home/ada/.cache/code-execution-mcp',
    },
  ],
  [
    'Linux with XDG variables',
    { ...LINUX, env: { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d', XDG_CACHE_HOME: '/k' } },
    { config: '/c/code-execution-mcp', data: '/d/code-execution-mcp', cache: '/k/code-execution-mcp' },
  ],
  [
    'Linux with relative or empty XDG variables, which do not count',
    { ...LINUX, env: { XDG_CONFIG_HOME: 'c', XDG_DATA_HOME: '', XDG_CACHE_HOME: './k' } },
    {
      config: '/home/ada/.config/code-execution-mcp',
      data: '/home/ada/.local/share/code-execution-mcp',
      cache: '/home/ada/.cache/code-execution-mcp',
    },
  ],
  [
    'root on Linux, whose workers cannot read below its home',
    { ...LINUX, home: '/home/super', uid: 0 },
    {
      config: '/home/super/.config/code-execution-mcp',
      data: '/var/lib/code-execution-mcp',
      cache: '/var/cache/code-execution-mcp',
    },
  ],
  [
    'macOS',
    { ...LINUX, platform: 'darwin', home: '/Users/ada' },
    {
      config: '/Users/ada/Library/Application Support/code-execution-mcp',
      data: '/Users/ada/Library/Application Support/code-execution-mcp',
      cache: '/Users/ada/Library/Caches/code-execution-mcp',
    },
  ],
  [
    'Windows',
    { platform: 'win32', home: 'C:\\Users\\ada', cwd: 'C:\\', env: { APPDATA: 'C:\\R' } },
    {
      config: 'C:\\R\\code-execution-mcp',
      data: 'C:\\Users\\ada\\AppData\\Local\\code-execution-mcp\\data',
      cache: 'C:\\Users\\ada\\AppData\\Local\\code-execution-mcp\\cache',
    },
  ],
] as const)('the folders on %s', (_, host, directories) => {
  expect(defaultDirectories(host)).toEqual(directories);
});
