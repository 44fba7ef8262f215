// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configuration references look like that
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { inspectConfig, loadConfig } from '../../../src/config/load.js';
import type { DownstreamServer, Launch } from '../../../src/core/downstream-server.js';
import { fakeHost, PROJECT, USER } from './fake-host.js';

/** The user's file with these entries, loaded. */
async function load(servers: object, env: Record<string, string> = {}, more: object = {}) {
  const host = fakeHost({ [USER]: JSON.stringify({ mcpServers: servers, ...more }) }, env);
  const { config, warnings, shown } = await loadConfig({}, host);
  const file = join(host.root, USER);
  return {
    host,
    servers: new Map(config.servers.map((server) => [server.name, server])),
    warnings: warnings.map((warning) => warning.replace(`${file}:1: `, '')),
    shown: new Map(shown.map(({ key, value }) => [key, value])),
  };
}

function launchOf(server: DownstreamServer | undefined): Launch | undefined {
  return server?.launch;
}

test('a stdio entry gets its own variables and the few of ours that every program needs', async () => {
  const env = { HOME: '/h', PATH: '/bin', SECRET: 'no', TERM: '() { evil; }', GH_TOKEN: 'abcdef' };
  const { servers, host } = await load(
    {
      gh: {
        command: 'npx',
        args: ['-y', '${PKG:-pkg}'],
        env: { TOKEN: '${env:GH_TOKEN}' },
        cwd: 'sub',
        category: 'code',
      },
    },
    env,
  );
  expect(servers.get('gh')).toEqual({
    name: 'gh',
    category: 'code',
    launch: {
      kind: 'stdio',
      command: 'npx',
      args: ['-y', 'pkg'],
      env: { HOME: '/h', PATH: '/bin', TOKEN: 'abcdef' },
      cwd: join(host.root, 'home/.config/code-execution-mcp/sub'),
      protocol: 'legacy',
    },
    timeoutMs: 60_000,
    rules: { allow: [], deny: [], ask: [] },
    privacy: { restore: { allow: [], deny: [] } },
    fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
    secrets: ['abcdef'],
  });
});

test.each([
  [
    { url: 'https://a.example/mcp' },
    { kind: 'http', url: 'https://a.example/mcp', headers: {}, protocol: 'auto' },
  ],
  [
    { type: 'http', url: 'http://a/', headers: { A: 'b' } },
    { kind: 'http', url: 'http://a/', headers: { A: 'b' }, protocol: 'auto' },
  ],
  [
    { type: 'streamable-http', url: 'http://a/', protocol: 'modern' },
    { kind: 'http', url: 'http://a/', headers: {}, protocol: 'modern' },
  ],
  [
    { type: 'sse', url: 'http://a/sse' },
    { kind: 'sse', url: 'http://a/sse', headers: {} },
  ],
])('a remote entry %j', async (entry, expected) => {
  const { servers, warnings } = await load({ a: entry });
  expect([launchOf(servers.get('a')), warnings]).toEqual([expected, []]);
});

test('VS Code has "servers" for it, and what is disabled is left out', async () => {
  const { servers, warnings } = await load(
    { a: { command: 'x', disabled: true } },
    {},
    { servers: { a: { command: 'y' }, b: { command: 'z' } } },
  );
  expect([...servers.keys()]).toEqual(['b']);
  expect(warnings).toEqual([expect.stringContaining('server "a" is ignored: ')]);
});

const WRONG = 'has a wrong entry in the configuration, which only the operator can correct';

test.each([
  [
    'an unset variable',
    { command: 'x', env: { T: '${MISSING}' } },
    'is not usable: the environment variable MISSING is not set: set it, or write ${MISSING:-default}',
    'the environment variable MISSING is not set: set it, or write ${MISSING:-default}',
  ],
  [
    'an input of VS Code',
    { command: 'x', args: ['${input:key}'] },
    'is not usable: "${input:key}" is no variable reference: write ${NAME}, ${NAME:-default} or ${env:NAME}',
    '"${input:key}" is no variable reference: write ${NAME}, ${NAME:-default} or ${env:NAME}',
  ],
  ['no object', 'npx', WRONG, 'the entry is no object'],
  ['a list', [], WRONG, 'the entry is no object'],
  ['nothing to start', {}, WRONG, 'it needs a "command" or a "url"'],
  [
    'two things to start',
    { command: 'x', url: 'http://a/' },
    WRONG,
    'it has a "command" and a "url"; one of them, or a "type", says which is meant',
  ],
  ['a type without its address', { type: 'sse' }, WRONG, 'a server of type "sse" needs a "url"'],
  ['a type that is not known', { type: 'ws', url: 'http://a/' }, WRONG, expect.stringContaining('"type": ')],
  ['an address that is none', { url: 'file:///etc/passwd' }, WRONG, '"url": Invalid URL'],
  ['arguments that are no texts', { command: 'x', args: [1] }, WRONG, expect.stringContaining('"args.0": ')],
  ['a NUL', { command: 'x', args: ['a\0b'] }, WRONG, expect.stringContaining('"args.0": ')],
  [
    'a header that splits',
    { url: 'http://a/', headers: { A: 'b\r\nC: d' } },
    WRONG,
    '"headers": a name or a value is not allowed in HTTP',
  ],
  ['a timeout in seconds', { command: 'x', timeout: 60 }, WRONG, expect.stringContaining('found 60')],
  [
    'a glob that would match nothing',
    { command: 'x', tools: { deny: ['a'.repeat(257)] } },
    WRONG,
    expect.stringContaining('"tools.deny.0": '),
  ],
  [
    'a misspelt list of tools',
    { command: 'x', tools: { denny: ['a'] } },
    WRONG,
    expect.stringContaining('"tools": '),
  ],
])('an entry with %s is refused alone', async (_, entry, message, detail) => {
  const { servers, warnings } = await load({ bad: entry, good: { command: 'y' } });
  expect(launchOf(servers.get('bad'))).toEqual({ kind: 'refused', message });
  expect(launchOf(servers.get('good'))?.kind).toBe('stdio');
  const expected = typeof detail === 'string' ? `server "bad": left out: ${detail}` : detail;
  expect(warnings).toEqual([expected]);
});

test('names are letters, digits and three signs; __proto__ is one of them', async () => {
  const host = fakeHost({
    [USER]: '{"mcpServers":{"a/b":{"command":"x"},"__proto__":{"command":"y"},"A.b-c_1":{"command":"z"}}}',
  });
  const { config } = await loadConfig({}, host);
  expect(config.servers.map(({ name, launch }) => [name, launch.kind])).toEqual([
    ['"a/b"', 'refused'],
    ['__proto__', 'stdio'],
    ['A.b-c_1', 'stdio'],
  ]);
});

test('unknown keys of an entry are warnings', async () => {
  const { servers, warnings } = await load({
    a: { command: 'x', alwaysAllow: ['y'], timeot: 1, oauth: {} },
  });
  expect(launchOf(servers.get('a'))?.kind).toBe('stdio');
  expect(warnings).toEqual([
    'server "a": unknown key "alwaysAllow"; ignored',
    'server "a": unknown key "timeot"; ignored; did you mean "timeout"?',
    'server "a": "oauth" is not supported by this version yet; ignored',
  ]);
});

test('"mcpServers" that is no object is a problem of the file', async () => {
  const host = fakeHost({ [USER]: '{"mcpServers": []}' });
  expect((await inspectConfig({}, host)).problems.map(({ message }) => message)).toEqual([
    'found [], valid: an object with a server under each name',
  ]);
});

test('secrets are masked wherever they stand, and known for the log', async () => {
  const { shown, servers } = await load(
    {
      a: {
        command: 'x',
        args: ['--api-key', 'literal-1', '--token=literal-2', '--name', 'plain', '${DB_URL}'],
        env: { API_TOKEN: 'literal-3', REGION: 'eu-west' },
      },
      b: {
        url: 'https://user:literal-4@a.example/mcp?key=literal-5',
        headers: { Authorization: 'Bearer literal-6' },
      },
    },
    { DB_URL: 'variable-7' },
  );
  const text = [shown.get('mcpServers.a'), shown.get('mcpServers.b')].join('\n');
  expect(text).not.toMatch(/literal|variable-7/);
  expect(JSON.parse(shown.get('mcpServers.a') ?? '')).toEqual({
    command: 'x',
    args: ['--api-key', '***', '--token=***', '--name', 'plain', '***'],
    env: { API_TOKEN: '***', REGION: 'eu-west' },
  });
  expect(servers.get('a')?.secrets).toEqual(['literal-3', 'literal-1', 'literal-2']);
  expect(servers.get('b')?.secrets).toEqual(['Bearer literal-6', 'literal-6', 'literal-4', 'literal-5']);
});

test('the fingerprint changes with what is started and not with its secrets', async () => {
  const entry = { command: 'x', args: ['a'], env: { TOKEN: 'secret-1', REGION: 'eu' } };
  const variants = {
    a: entry,
    secret: { ...entry, env: { TOKEN: 'secret-2', REGION: 'eu' } },
    policy: { ...entry, tools: { deny: ['x'] }, timeout: 5_000, category: 'c' },
    region: { ...entry, env: { TOKEN: 'secret-1', REGION: 'us' } },
    argument: { ...entry, args: ['b'] },
  };
  const { servers } = await load(variants);
  const same = Object.keys(variants).filter(
    (name) => servers.get(name)?.fingerprint === servers.get('a')?.fingerprint,
  );
  expect(same).toEqual(['a', 'secret', 'policy']);
});

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

test.each([
  [{ command: 'code-execution-mcp' }, true],
  [{ command: '/usr/bin/code-execution-mcp', args: ['serve'] }, true],
  [{ command: 'C:\\npm\\code-execution-mcp.cmd' }, true],
  [{ command: 'npx', args: ['-y', 'code-execution-mcp@latest'] }, true],
  [{ command: 'cmd', args: ['/c', 'npx', '-y', 'code-execution-mcp'] }, true],
  [{ command: 'sh', args: ['-c', 'exec npx code-execution-mcp@1.2.3'] }, true],
  [{ command: 'node', args: [MAIN] }, true],
  [
    { command: 'node', args: ['dist/main.js'], cwd: fileURLToPath(new URL('../../../', import.meta.url)) },
    true,
  ],
  [{ command: 'node', args: ['/opt/node_modules/code-execution-mcp/dist/main.js'] }, true],
  [
    {
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/me/code-execution-mcp'],
    },
    false,
  ],
  [{ command: 'node', args: ['/home/me/other/dist/main.js'] }, false],
  [{ command: 'npx', args: ['code-execution-mcp-client'] }, false],
])('whether %j would start this server itself: %s', async (entry, itself) => {
  const { servers, warnings } = await load({ me: entry });
  expect(servers.has('me')).toBe(!itself);
  expect(warnings).toEqual(itself ? ['server "me" is left out: it would start this server itself'] : []);
});

test('the servers of other programs come after our own, in their order', async () => {
  const host = fakeHost({
    [USER]:
      '{"mcpServers":{"a":{"command":"own"}},"importConfigs":["cursor","vscode","claude-desktop","claude-code"]}',
    'home/.cursor/mcp.json': '{"mcpServers":{"a":{"command":"cursor"},"b":{"command":"cursor"}}}',
    'home/.config/Code/User/mcp.json':
      '{"servers":{"b":{"command":"code"},"c":{"type":"http","url":"http://a/"}},"inputs":[]}',
    'home/.claude.json': '{"numStartups": 1, "mcpServers": {"d":',
  });
  const { config, warnings } = await loadConfig({}, host);
  expect(
    config.servers.map(({ name, launch }) => [name, launch.kind === 'stdio' ? launch.command : launch.kind]),
  ).toEqual([
    ['a', 'own'],
    ['b', 'cursor'],
    ['c', 'http'],
  ]);
  const at = (file: string) => join(host.root, file);
  expect(warnings).toEqual([
    `importConfigs: claude-desktop: there is no file ${at('home/.config/Claude/claude_desktop_config.json')}`,
    `${at('home/.claude.json')}:1: importConfigs: claude-code: the file is no valid JSON: value expected`,
    `${at('home/.cursor/mcp.json')}:1: server "a" is ignored: ${at(USER)}:1 defines it already`,
    `${at('home/.config/Code/User/mcp.json')}:1: server "b" is ignored: ${at('home/.cursor/mcp.json')}:1 defines it already`,
  ]);
});

test('an unknown program to import from is a problem', async () => {
  const host = fakeHost({ [USER]: '{"importConfigs":["emacs"]}' });
  expect((await inspectConfig({}, host)).problems.map(({ message }) => message)).toEqual([
    'found ["emacs"], valid: a list, each of "claude-code", "claude-desktop", "cursor", "vscode"',
  ]);
});

const STRANGE = JSON.stringify({
  mcpServers: { evil: { command: 'rm', args: ['-rf', '/'] } },
  importConfigs: ['cursor'],
  registry: ['/etc'],
  trustedProjects: ['.'],
});
const CURSOR = { 'home/.cursor/mcp.json': '{"mcpServers":{"b":{"command":"cursor"}}}' };

test('a project file starts nothing, and cannot trust itself', async () => {
  const host = fakeHost({ [PROJECT]: STRANGE, ...CURSOR });
  const { config, warnings } = await loadConfig({}, host);
  expect([config.servers, config.registry]).toEqual([[], []]);
  const how = `the project is not trusted. To trust it, add "${host.cwd}" to "trustedProjects" in your own configuration, or start with --config .code-execution.json`;
  const file = join(host.root, PROJECT);
  expect(warnings).toEqual([
    `${file}:1: "importConfigs" is ignored: ${how}`,
    `${file}:1: "registry" is ignored: ${how}`,
    `${file}:1: "trustedProjects" counts in the file of the user only; ignored`,
    `${file}:1: the servers "evil" are ignored: ${how}`,
  ]);
});

test.each([
  ['the user lists the folder', { [USER]: '{"trustedProjects":["~/../project"]}' }, {}],
  ['the user lists a link to it', { [USER]: '{"trustedProjects":["~/link"]}' }, {}],
  ['the file is named', {}, { config: '.code-execution.json' }],
])('a project file counts when %s', async (_, files, flags) => {
  const host = fakeHost({ [PROJECT]: STRANGE, ...CURSOR, ...files });
  symlinkSync(host.cwd, join(host.home, 'link'));
  const { config } = await loadConfig(flags, host);
  expect(config.servers.map(({ name }) => name)).toEqual(['evil', 'b']);
  expect(config.registry).toEqual(['/etc']);
});

test('trust in a folder is no trust in the folders below it', async () => {
  const host = fakeHost({ [USER]: '{"trustedProjects":["~/.."]}', [PROJECT]: STRANGE });
  expect((await loadConfig({}, host)).config.servers).toEqual([]);
});

test('a trusted project file wins over the file of the user', async () => {
  const host = fakeHost({
    [USER]:
      '{"trustedProjects":["~/../project"],"mcpServers":{"a":{"command":"user"},"c":{"command":"user"}}}',
    [PROJECT]: '{"mcpServers":{"a":{"command":"project"}}}',
  });
  const { config } = await loadConfig({}, host);
  expect(config.servers.map(({ name, launch }) => [name, launch.kind === 'stdio' && launch.command])).toEqual(
    [
      ['a', 'project'],
      ['c', 'user'],
    ],
  );
});

test('paths of registries start at the folder of their file', async () => {
  const host = fakeHost({ [USER]: '{"registry":["./registry","~/other","/abs"]}' });
  mkdirSync(join(host.home, 'other'));
  expect((await loadConfig({}, host)).config.registry).toEqual([
    join(host.home, '.config/code-execution-mcp/registry'),
    join(host.home, 'other'),
    '/abs',
  ]);
});
