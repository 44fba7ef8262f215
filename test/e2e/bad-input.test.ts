import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../support/capabilities.js';
import { type Answer, type ServerProcess, startServer } from '../support/start-server.js';
import { verifies } from './verifies.js';

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer();
  await server.call('write_workspace_file', { filename: 'sales.csv', content: 'a,b\n1,2\n' });
  await server.call('write_workspace_file', { filename: 'raw.bin', content: 'gIH+/w==', encoding: 'base64' });
});

/** A refusal has a code, a message for the model, the next step, and the same facts in both parts of the answer. */
function expectRefusal(answer: Answer, code: string, says: RegExp): void {
  expect(answer.text).toMatch(says);
  expect(answer.code).toBe(code);
  expect(answer.isError).toBe(true);
  const error = answer.data.error as { message: string; hint?: string };
  expect(answer.data.success).toBe(false);
  expect(error.message.length).toBeGreaterThan(10);
  expect(answer.text).toContain(`failed · `);
  expect(answer.text).toMatch(/^next: \S.{8,}/m);
}

describe('code', () => {
  test.each<[string, Record<string, unknown>, string, RegExp]>([
    ['that is a number', { code: 42 }, 'bad_arguments', /code/],
    ['that is a list', { code: ['print(1)'] }, 'bad_arguments', /code/],
    ['that is missing', {}, 'bad_arguments', /code/],
    ['that is empty', { code: '' }, 'bad_arguments', /code/],
    ['that is white space', { code: ' \n\t ' }, 'bad_arguments', /code/],
    ['of 2 MB', { code: `x = 1\n${'# padding\n'.repeat(200_000)}` }, 'too_large', /the most is/],
    ['with a NUL', { code: 'x = "a\0b"' }, 'bad_arguments', /NUL|null/i],
    ['with a lone surrogate', { code: 'x = "\ud800"' }, 'bad_encoding', /surrogate/],
  ])(verifies('BAD-1', '%s is refused'), async (_what, args, code, says) => {
    expectRefusal(await server.call('execute_code', args), code, says);
  });
});

describe('arguments', () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    ['execute_code', { code: '1', timeout: 5 }, /timeout.*timeout_seconds/s],
    ['execute_code', { code: '1', __proto__x: 1 }, /__proto__x/],
    ['write_workspace_file', { path: 'a.txt', content: 'x' }, /path|filename/],
    ['read_workspace_file', { filename: 'sales.csv', length: 4 }, /length/],
    ['list_workspace_files', { glob: '*' }, /glob/],
    ['get_execution_stats', { verbose: true }, /verbose/],
  ])(verifies('BAD-2', '%s names an argument that it does not know'), async (tool, args, says) => {
    expectRefusal(await server.call(tool, args), 'bad_arguments', says);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['a negative time', { timeout_seconds: -1 }, /timeout_seconds/],
    ['no time', { timeout_seconds: 0 }, /timeout_seconds/],
    ['a huge time', { timeout_seconds: 1e9 }, /600/],
    ['a negative memory', { memory_mb: -5 }, /memory_mb/],
    ['a huge memory', { memory_mb: 1e7 }, /memory_mb/],
    ['a memory with a fraction', { memory_mb: 100.5 }, /memory_mb/],
    ['a negative budget', { max_output_chars: -1 }, /max_output_chars/],
    ['a time in words', { timeout_seconds: 'long' }, /timeout_seconds/],
  ])(verifies('BAD-3', '%s is refused with the range'), async (_what, args, says) => {
    expectRefusal(await server.call('execute_code', { code: '1', ...args }), 'bad_arguments', says);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['a name with a hyphen', { 'my-name': 1 }, /my-name/],
    ['a keyword', { class: 1 }, /class/],
    ['an empty name', { '': 1 }, /identifier|name/],
    ['a name with a line break', { 'a\nb': 1 }, /identifier|name/],
    ['a built-in', { list: [1] }, /list/],
    ['another built-in', { print: 1 }, /print/],
    ['a name the runtime needs', { __builtins__: {} }, /__builtins__/],
  ])(verifies('BAD-4', '%s in context_vars is refused by name'), async (_what, context_vars, says) => {
    expectRefusal(await server.call('execute_code', { code: '1', context_vars }), 'bad_arguments', says);
  });

  test.each(['', ' ', '../a', 'a/b', 'a\nb', 'x'.repeat(500), 'a\0b'])(
    verifies('BAD-8', 'the session name %j is refused'),
    async (session) => {
      const answer = await server.call('execute_code', { code: '1', session });
      expect(['bad_name', 'bad_arguments']).toContain(answer.code);
      expectRefusal(answer, String(answer.code), /session/);
    },
  );
});

describe('paths', () => {
  const WRONG = [
    '../outside.txt',
    'a/../../outside.txt',
    '/etc/passwd',
    'C:\\Windows\\win.ini',
    '\\\\server\\share\\x',
    'a\0b.txt',
    'line\nbreak.txt',
    '',
    'x'.repeat(5_000),
  ];

  test.each(WRONG)(verifies('BAD-5', 'writing %j is refused'), async (filename) => {
    const answer = await server.call('write_workspace_file', { filename, content: 'x' });
    expect(['path_denied', 'bad_name', 'bad_arguments']).toContain(answer.code);
    expectRefusal(answer, String(answer.code), /path|name|workspace|filename/i);
  });

  test.each(WRONG)(verifies('BAD-5', 'reading %j is refused'), async (filename) => {
    const answer = await server.call('read_workspace_file', { filename });
    expect(['path_denied', 'bad_name', 'bad_arguments']).toContain(answer.code);
    expectRefusal(answer, String(answer.code), /path|name|workspace|filename/i);
  });

  test(verifies('BAD-5', 'listing a folder above the workspace is refused'), async () => {
    const answer = await server.call('list_workspace_files', { subpath: '../..' });
    expectRefusal(answer, 'path_denied', /workspace|path/);
  });

  test(verifies('BAD-9', 'a missing file is not found, and the nearest name is told'), async () => {
    expectRefusal(
      await server.call('read_workspace_file', { filename: 'sale.csv' }),
      'not_found',
      /sales\.csv/,
    );
  });

  test(verifies('BAD-9', 'mode create does not replace a file'), async () => {
    const args = { filename: 'sales.csv', content: 'gone', mode: 'create' };
    expectRefusal(await server.call('write_workspace_file', args), 'exists', /overwrite/);
    const file = await server.call('read_workspace_file', { filename: 'sales.csv' });
    expect(file.data.content).toBe('a,b\n1,2\n');
  });

  test('an unknown mode is refused with the valid ones', async () => {
    const args = { filename: 'x.txt', content: 'x', mode: 'truncate' };
    expectRefusal(
      await server.call('write_workspace_file', args),
      'bad_arguments',
      /overwrite.*append.*create/s,
    );
  });
});

describe('content', () => {
  test.each(['no base64!', 'YWJjZ', 'YW=j', 'é'])(verifies('BAD-7', '%j is no base64'), async (content) => {
    const args = { filename: 'x.bin', content, encoding: 'base64' };
    expectRefusal(await server.call('write_workspace_file', args), 'bad_encoding', /base64/);
  });

  test(verifies('BAD-7', 'binary content read as text is refused, and base64 is named'), async () => {
    const answer = await server.call('read_workspace_file', { filename: 'raw.bin', encoding: 'utf-8' });
    expectRefusal(answer, 'bad_encoding', /base64/);
  });

  test(verifies('FILES-3', 'binary content comes back as base64 without change'), async () => {
    const answer = await server.call('read_workspace_file', { filename: 'raw.bin', encoding: 'base64' });
    expect(answer.data).toMatchObject({ success: true, encoding: 'base64', content: 'gIH+/w==', size: 4 });
  });
});

needs('linux').describe('special files in the workspace', () => {
  beforeAll(() => {
    const folder = workspaceFolder(server.dataDir);
    symlinkSync('/etc/passwd', path.join(folder, 'link.txt'));
    symlinkSync('/etc', path.join(folder, 'linked'));
    spawnSync('mkfifo', [path.join(folder, 'pipe')]);
    mkdirSync(path.join(folder, 'plain'));
    writeFileSync(path.join(folder, 'plain', 'a.txt'), 'x');
  });

  test(verifies('BAD-6', 'links and FIFOs are not listed, plain files beside them are'), async () => {
    const answer = await server.call('list_workspace_files', {});
    const names = (answer.data.files as { name: string }[]).map((file) => file.name);
    expect(names.filter((name) => /link|pipe/.test(name))).toEqual([]);
    expect(names).toContain('plain/a.txt');
  });

  test.each(['link.txt', 'linked/passwd', 'pipe'])(verifies('BAD-6', '%s is not read'), async (filename) => {
    const answer = await server.call('read_workspace_file', { filename });
    expect(['path_denied', 'not_found']).toContain(answer.code);
    expect(answer.text).not.toContain('root:');
  });

  test(verifies(['WALL-5', 'BAD-6'], 'code does not see through links either'), async () => {
    const code = `
seen = []
for name in ("link.txt", "linked/passwd", "pipe"):
    try:
        seen.append(open(name).read())
    except OSError as error:
        seen.append(type(error).__name__)
seen`;
    const answer = await server.call('execute_code', { code });
    expect(answer.data.result).toEqual(['FileNotFoundError', 'FileNotFoundError', 'FileNotFoundError']);
  });
});

/** The one folder on disk that holds the workspace's files: found by a file that the server wrote. */
function workspaceFolder(dataDir: string): string {
  const found = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).find((file) =>
    file.endsWith('sales.csv'),
  );
  if (found === undefined) throw new Error(`no sales.csv below ${dataDir}`);
  return path.dirname(path.join(dataDir, found));
}
