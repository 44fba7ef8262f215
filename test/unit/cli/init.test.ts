import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { CLIENTS } from '../../../src/cli/clients.js';
import { runCommandLine } from '../../../src/cli/program.js';
import { fakeHost } from '../config/fake-host.js';
import { fakeContext } from './fake-context.js';

const LAUNCH = { command: '/usr/bin/node', args: ['/opt/ce/dist/main.js'] };
const TYPED = { type: 'stdio', ...LAUNCH };

const PLACES = [
  ['claude-code', [], 'home/.claude.json', 'mcpServers', TYPED],
  ['claude-code', ['--project'], 'project/.mcp.json', 'mcpServers', TYPED],
  ['claude-desktop', [], 'home/.config/Claude/claude_desktop_config.json', 'mcpServers', LAUNCH],
  ['cursor', [], 'home/.cursor/mcp.json', 'mcpServers', LAUNCH],
  ['cursor', ['--project'], 'project/.cursor/mcp.json', 'mcpServers', LAUNCH],
  ['vscode', [], 'home/.config/Code/User/mcp.json', 'servers', TYPED],
  ['vscode', ['--project'], 'project/.vscode/mcp.json', 'servers', TYPED],
] as const;

test.each(PLACES)('init %s %j --write makes %s', async (client, flags, file, key, entry) => {
  const host = fakeHost();
  const context = fakeContext(host);
  expect(await runCommandLine(['init', client, ...flags, '--write'], context)).toBe(0);
  expect(JSON.parse(readFileSync(join(host.root, file), 'utf8'))).toEqual({
    [key]: { 'code-execution': entry },
  });
  const out = context.out();
  expect(out.includes('keep it out of version control')).toBe(file.startsWith('project'));
  expect(out).toContain(`${join(host.root, file)}: added "code-execution" to "${key}".\n`);
});

test.each(PLACES)(
  'init %s %j prints the entry for %s and writes nothing',
  async (client, flags, file, key, entry) => {
    const host = fakeHost();
    const context = fakeContext(host);
    expect(await runCommandLine(['init', client, ...flags], context)).toBe(0);
    const out = context.out();
    expect(out).toContain(` reads ${join(host.root, file)}. `);
    expect(JSON.parse(out.slice(out.indexOf('{'), out.lastIndexOf('}') + 1))).toEqual({
      [key]: { 'code-execution': entry },
    });
    expect([readdirSync(host.home), readdirSync(host.cwd)]).toEqual([[], []]);
  },
);

test.each([
  ['claude-code', 'darwin', {}, '/h/.claude.json'],
  ['claude-code', 'linux', { CLAUDE_CONFIG_DIR: '/c' }, '/c/.claude.json'],
  ['claude-desktop', 'darwin', {}, '/h/Library/Application Support/Claude/claude_desktop_config.json'],
  ['claude-desktop', 'win32', { APPDATA: 'C:\\R' }, 'C:\\R\\Claude\\claude_desktop_config.json'],
  ['vscode', 'linux', { XDG_CONFIG_HOME: '/x' }, '/x/Code/User/mcp.json'],
  ['vscode', 'darwin', {}, '/h/Library/Application Support/Code/User/mcp.json'],
  ['vscode', 'win32', { APPDATA: 'C:\\R' }, 'C:\\R\\Code\\User\\mcp.json'],
] as const)('the file of %s on %s with %j is %s', (name, platform, env, path) => {
  const client = CLIENTS.find((candidate) => candidate.name === name);
  expect(client?.file.path({ env, platform, home: '/h' })).toBe(path);
});

test.each([
  ['linux', { command: 'npx', args: ['-y', 'code-execution-mcp'] }],
  ['win32', { command: 'cmd', args: ['/c', 'npx', '-y', 'code-execution-mcp'] }],
] as const)(
  'run by npx on %s, the entry names npx, since its folders come and go',
  async (platform, launch) => {
    const context = fakeContext(
      { ...fakeHost(), platform },
      { main: '/h/.npm/_npx/1a2b/node_modules/code-execution-mcp/dist/main.js' },
    );
    await runCommandLine(['init', 'cursor'], context);
    const out = context.out();
    const entry = JSON.parse(out.slice(out.indexOf('{'), out.lastIndexOf('}') + 1));
    expect(entry).toEqual({ mcpServers: { 'code-execution': launch } });
  },
);

test.each([
  [
    'comments, tabs and trailing commas',
    '{\n\t// mine\n\t"mcpServers": {\n\t\t// first\n\t\t"other": { "command": "x" }, // keep\n\t},\n\t"n": 5\n}\n',
    '{\n\t// mine\n\t"mcpServers": {\n\t\t// first\n\t\t"code-execution": {\n\t\t\t"command": "/usr/bin/node",\n\t\t\t"args": [\n\t\t\t\t"/opt/ce/dist/main.js"\n\t\t\t]\n\t\t},\n\t\t"other": { "command": "x" }, // keep\n\t},\n\t"n": 5\n}\n',
  ],
  [
    'one line',
    '{"theme":"dark","mcpServers":{"other":{}}}',
    '{"theme":"dark","mcpServers":{"code-execution": {"command":"/usr/bin/node","args":["/opt/ce/dist/main.js"]}, "other":{}}}',
  ],
  [
    'an empty list of servers and Windows line ends',
    '{\r\n  "mcpServers": {}\r\n}',
    '{\r\n  "mcpServers": {\r\n    "code-execution": {\r\n      "command": "/usr/bin/node",\r\n      "args": [\r\n        "/opt/ce/dist/main.js"\r\n      ]\r\n    }\r\n  }\r\n}',
  ],
  [
    'no list of servers',
    '{\n    "a": 1\n}\n',
    '{\n    "mcpServers": {\n        "code-execution": {\n            "command": "/usr/bin/node",\n            "args": [\n                "/opt/ce/dist/main.js"\n            ]\n        }\n    },\n    "a": 1\n}\n',
  ],
  [
    'an entry of ours with more keys and a comment',
    '{"mcpServers": {"code-execution": {"command": "old", /* mine */ "env": {"A": "1"}, "args": []}}}',
    '{"mcpServers": {"code-execution": {"command": "/usr/bin/node", /* mine */ "env": {"A": "1"}, "args": ["/opt/ce/dist/main.js"]}}}',
  ],
])('a file with %s keeps every other character', async (_, before, after) => {
  const host = fakeHost({ 'home/.cursor/mcp.json': before });
  await runCommandLine(['init', 'cursor', '--write'], fakeContext(host));
  expect(readFileSync(join(host.home, '.cursor/mcp.json'), 'utf8')).toBe(after);
});

test('the file as it was is kept beside it, and a second run changes nothing', async () => {
  const before = '{"mcpServers": {"other": {"command": "x"}}}';
  const host = fakeHost({ 'home/.cursor/mcp.json': before });
  const folder = join(host.home, '.cursor');
  await runCommandLine(['init', 'cursor', '--write'], fakeContext(host));
  const [backup, ...rest] = readdirSync(folder).filter((name) => name !== 'mcp.json');
  expect(rest).toEqual([]);
  expect(readFileSync(join(folder, String(backup)), 'utf8')).toBe(before);
  const after = readFileSync(join(folder, 'mcp.json'), 'utf8');
  expect(JSON.parse(after).mcpServers.other).toEqual({ command: 'x' });
  const again = fakeContext(host);
  expect(await runCommandLine(['init', 'cursor', '--write'], again)).toBe(0);
  expect(again.out()).toBe(`${join(folder, 'mcp.json')} has the entry already; nothing was changed.\n`);
  expect(readFileSync(join(folder, 'mcp.json'), 'utf8')).toBe(after);
  expect(readdirSync(folder)).toHaveLength(2);
});

test('an entry from another place is brought up to date and keeps what the user added to it', async () => {
  const old = { command: '/old/node', args: ['/old/main.js', 'x'], env: { CODE_EXECUTION_CONFIG: '/c' } };
  const host = fakeHost({
    'home/.cursor/mcp.json': JSON.stringify({ mcpServers: { 'code-execution': old } }),
  });
  await runCommandLine(['init', 'cursor', '--write'], fakeContext(host));
  const written = JSON.parse(readFileSync(join(host.home, '.cursor/mcp.json'), 'utf8'));
  expect(written.mcpServers['code-execution']).toEqual({ ...LAUNCH, env: old.env });
});

test.each([
  ['{"mcpServers": ', 'is no valid JSON'],
  ['{a: 1}', 'is no valid JSON'],
  ['[]', 'does not hold a JSON object'],
  ['{"mcpServers": []}', 'holds a "mcpServers" that is no object'],
])('a file that holds %s is refused and not touched', async (text, reason) => {
  const host = fakeHost();
  const path = join(host.home, '.cursor', 'mcp.json');
  mkdirSync(dirname(path));
  writeFileSync(path, text);
  const context = fakeContext(host);
  expect(await runCommandLine(['init', 'cursor', '--write'], context)).toBe(2);
  expect(context.err()).toBe(
    `code-execution-mcp: ${path} ${reason}; nothing was changed\nnext: correct the file, or add the entry by hand\n`,
  );
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect(readdirSync(dirname(path))).toEqual(['mcp.json']);
});
