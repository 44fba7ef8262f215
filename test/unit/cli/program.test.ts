import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/program.js';
import { CodeExecutionError } from '../../../src/core/errors.js';
import { fakeHost, PROJECT } from '../config/fake-host.js';
import { fakeContext } from './fake-context.js';

test('--version prints the version alone and loads neither configuration nor app', async () => {
  const context = fakeContext(fakeHost({ [PROJECT]: 'no json' }));
  expect(await runCommandLine(['--version'], context)).toBe(0);
  expect([context.out(), context.err(), context.events]).toEqual(['1.2.3\n', '', []]);
});

test('--help names every command', async () => {
  const context = fakeContext(fakeHost());
  expect(await runCommandLine(['--help'], context)).toBe(0);
  const commands = [...context.out().matchAll(/^ {2}([a-z]+)(?: |$)/gm)].map(([, name]) => name);
  expect(commands).toEqual([
    'serve',
    'run',
    'search',
    'tools',
    'skills',
    'privacy',
    'config',
    'doctor',
    'init',
    'help',
  ]);
});

const COMMANDS = 'next: one of: serve, run, search, tools, skills, privacy, config, doctor, init, help\n';

test.each([
  [['serv'], `code-execution-mcp: unknown command "serv"; did you mean serve?\n${COMMANDS}`],
  [['docter', '--json'], `code-execution-mcp: unknown command "docter"; did you mean doctor?\n${COMMANDS}`],
  [['xyzzy'], `code-execution-mcp: unknown command "xyzzy"\n${COMMANDS}`],
  [
    ['run'],
    'error: missing required argument \'file\'\nRun "code-execution-mcp --help" for the commands and their options.\n',
  ],
  [
    ['--bakend', 'wasm'],
    'error: unknown option \'--bakend\'\n(Did you mean --backend?)\nRun "code-execution-mcp --help" for the commands and their options.\n',
  ],
  [
    ['init', 'cursr'],
    'code-execution-mcp: unknown client "cursr"; did you mean cursor?\nnext: one of: claude-code, claude-desktop, cursor, vscode\n',
  ],
  [
    ['init', 'claude-desktop', '--project'],
    'code-execution-mcp: Claude Desktop has no file per project\nnext: leave out --project\n',
  ],
  [
    ['run', 'nothing.py'],
    'code-execution-mcp: there is no file nothing.py\nnext: name a Python file, or - for standard input\n',
  ],
  [['search', 'x', '--limit', 'five'], 'code-execution-mcp: --limit: found "five", valid: a whole number\n'],
  [
    ['tools', 'review', '--accept-all', '--accept', 'a.b'],
    'code-execution-mcp: --accept and --accept-all exclude each other\n',
  ],
  [
    ['tools', 'review', '--accept', 'a.b'],
    'code-execution-mcp: "a.b" is not among the definitions to look at\nnext: there are none\n',
  ],
  [
    ['tools', 'list', 'hub'],
    'code-execution-mcp: there is no server "hub"\nnext: no servers are configured: add mcpServers\n',
  ],
  [['run', '-', '--timeout', 'soon'], 'code-execution-mcp: --timeout: found "soon", valid: a number\n'],
  [
    ['run', '-', '--timeout', '601'],
    'code-execution-mcp: --timeout: found 601, valid: 0.1 to 600\nnext: the upper end is sandbox.maxTimeoutSeconds of the configuration\n',
  ],
  [
    ['run', '-', '--memory', '1024'],
    'code-execution-mcp: --memory: found 1024, valid: 64 to 512\nnext: the upper end is sandbox.memoryMb of the configuration\n',
  ],
  [
    ['--backend', 'docker'],
    'code-execution-mcp: 1 problem in the configuration:\n- --backend: sandbox.backend: found "docker", valid: "auto", "native", "wasm"\nnext: correct it, then check with: code-execution-mcp config check\n',
  ],
])(
  '%j is wrong usage: exit code 2, the reason on standard error and nothing on standard output',
  async (args, message) => {
    const context = fakeContext(fakeHost());
    expect(await runCommandLine(args, context)).toBe(2);
    expect([context.err(), context.out()]).toEqual([message, '']);
  },
);

test.each([
  ['ok', 0],
  ['failed', 1],
] as const)('run prints the answer and exits by it: %s gives %i', async (exit, code) => {
  const answer = { text: 'the answer', structured: { a: 1 }, exit };
  const context = fakeContext(fakeHost(), { answer, input: 'print(1)' });
  expect(await runCommandLine(['run', '-'], context)).toBe(code);
  expect(context.out()).toBe('the answer\n');
  expect(context.events).toEqual(['run print(1) {}', 'close']);
});

test('run takes a file and its options, and prints JSON with --json', async () => {
  const host = fakeHost({ 'project/a.py': '1 + 1' });
  const context = fakeContext(host);
  const args = ['run', join(host.cwd, 'a.py'), '--timeout', '2.5', '--memory', '128', '--json'];
  expect(await runCommandLine(args, context)).toBe(0);
  expect(JSON.parse(context.out())).toEqual({ success: true });
  expect(context.events).toEqual(['run 1 + 1 {"timeoutMs":2500,"memoryMb":128}', 'close']);
});

test.each([
  ['more than a mebibyte', '#'.repeat(1024 * 1024 + 1), 'standard input holds more than 1048576 bytes'],
])('run refuses standard input of %s', async (_, input, message) => {
  const context = fakeContext(fakeHost(), { input });
  expect(await runCommandLine(['run', '-'], context)).toBe(2);
  expect(context.err()).toBe(`code-execution-mcp: ${message}\nnext: put data in a file\n`);
});

test('a sandbox that cannot start is a fault of the machine: exit code 3, and the app is closed', async () => {
  const context = fakeContext(fakeHost(), {
    input: '1',
    app: {
      runOnce: () => Promise.reject(new CodeExecutionError('backend_unavailable', 'no deno', 'npm install')),
    },
  });
  expect(await runCommandLine(['run', '-'], context)).toBe(3);
  expect([context.err(), context.events]).toEqual([
    'code-execution-mcp: no deno\nnext: npm install\n',
    ['close'],
  ]);
});

test('an unexpected error is not swallowed: it is thrown after the app was closed', async () => {
  const context = fakeContext(fakeHost(), {
    input: '1',
    app: { runOnce: () => Promise.reject(new TypeError('bug')) },
  });
  await expect(runCommandLine(['run', '-'], context)).rejects.toThrow('bug');
  expect(context.events).toEqual(['close']);
});

test('without a command the server serves, and closes the app when the client is gone', async () => {
  const context = fakeContext(fakeHost());
  expect(await runCommandLine([], context)).toBe(0);
  expect([context.events, context.out()]).toEqual([['close'], '']);
});

test('a transport that misses the end of its input does not keep the server alive', async () => {
  const input = new PassThrough();
  input.end();
  input.resume();
  const context = fakeContext(fakeHost(), { input, app: { serveStdio: () => new Promise(() => {}) } });
  expect(await runCommandLine(['serve'], context)).toBe(0);
  expect(context.events).toEqual(['close']);
});
