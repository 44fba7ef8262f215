import { expect, test } from 'vitest';
import { CodeExecutionError } from '../../../src/core/errors.js';
import { connect, returned } from './harness.js';

/** Arguments of execute_code, then the code, message and next step that the model gets. */
const BAD: [string, Record<string, unknown>, string, string, string][] = [
  [
    'no code',
    {},
    'bad_arguments',
    'argument "code" is missing',
    'arguments are: code, context_vars, timeout_seconds, memory_mb, session, max_output_chars',
  ],
  ['code that is no text', { code: 7 }, 'bad_arguments', '"code" must be text, got 7', 'pass text'],
  [
    'code that is a list',
    { code: ['a'] },
    'bad_arguments',
    '"code" must be text, got a list',
    'pass text; for data that is its JSON text',
  ],
  ['empty code', { code: ' \n' }, 'bad_arguments', '"code" is empty', 'pass Python source in "code"'],
  [
    '2 MB of code',
    { code: 'x'.repeat(2_000_000) },
    'too_large',
    '"code" has 2,000,000 bytes; the most is 1,048,576',
    'put data into a file (write_workspace_file) or into context_vars, and read it from the code',
  ],
  [
    'NUL in code',
    { code: 'a = 1\nb = "\0"' },
    'bad_arguments',
    '"code" has a NUL character in line 2',
    'write it as \\x00 inside a string',
  ],
  [
    'a lone surrogate in code',
    { code: 'a = "\ud83d"' },
    'bad_encoding',
    '"code" has half of a surrogate pair in line 1, which UTF-8 cannot hold',
    'write it as an escape like \\ud83d inside a string',
  ],
  [
    'a misspelt argument',
    { code: '1', timeout: 5 },
    'bad_arguments',
    'unknown argument "timeout" (did you mean "timeout_seconds"?)',
    'arguments are: code, context_vars, timeout_seconds, memory_mb, session, max_output_chars',
  ],
  [
    'a negative limit',
    { code: '1', timeout_seconds: -1 },
    'bad_arguments',
    '"timeout_seconds" is too small: -1',
    '"timeout_seconds" is at least 0.1',
  ],
  [
    'a huge limit',
    { code: '1', timeout_seconds: 1e9 },
    'bad_arguments',
    '"timeout_seconds" is too large: 1000000000',
    '"timeout_seconds" is at most 600',
  ],
  [
    'no number',
    { code: '1', timeout_seconds: 'soon' },
    'bad_arguments',
    '"timeout_seconds" must be a number, got "soon"',
    'pass a number',
  ],
  [
    'too little memory',
    { code: '1', memory_mb: 1 },
    'bad_arguments',
    '"memory_mb" is too small: 1',
    '"memory_mb" is at least 64',
  ],
  [
    'half a megabyte of memory',
    { code: '1', memory_mb: 64.5 },
    'bad_arguments',
    '"memory_mb" must be a whole number, got 64.5',
    'pass a whole number',
  ],
  [
    'too much memory',
    { code: '1', memory_mb: 4096 },
    'bad_arguments',
    '"memory_mb" is too large: 4096',
    '"memory_mb" is at most 2048',
  ],
  [
    'a session name with spaces',
    { code: '1', session: 'my session!' },
    'bad_name',
    'session name "my session!" is not allowed',
    'use 1 to 64 letters, digits, "_", "." or "-", for example "my_session_"',
  ],
  [
    'an empty session name',
    { code: '1', session: '' },
    'bad_name',
    'session name "" is not allowed',
    'use 1 to 64 letters, digits, "_", "." or "-"',
  ],
  [
    'a session name that climbs',
    { code: '1', session: '../../etc' },
    'bad_name',
    'session name "../../etc" is not allowed',
    'use 1 to 64 letters, digits, "_", "." or "-", for example ".._.._etc"',
  ],
  [
    'a variable that is no identifier',
    { code: '1', context_vars: { 'my-var': 1 } },
    'bad_arguments',
    'context_vars: "my-var" is no Python identifier',
    'rename it, for example to "my_var"',
  ],
  [
    'a variable that is a keyword',
    { code: '1', context_vars: { class: 1 } },
    'bad_arguments',
    'context_vars: "class" is a Python keyword',
    'rename it, for example to "class_"',
  ],
  [
    'a variable that hides a built-in',
    { code: '1', context_vars: { list: [] } },
    'bad_arguments',
    'context_vars: "list" would hide the built-in of that name',
    'rename it, for example to "list_"',
  ],
  [
    'a reserved variable',
    { code: '1', context_vars: { __name__: 'x' } },
    'bad_arguments',
    'context_vars: "__name__" is reserved for Python itself',
    'rename it, for example to "name__"',
  ],
  [
    'variables that are no object',
    { code: '1', context_vars: [1] },
    'bad_arguments',
    '"context_vars" must be an object, got a list',
    'pass an object',
  ],
  [
    '9 MB of variables',
    { code: '1', context_vars: { a: 'x'.repeat(9_000_000) } },
    'too_large',
    'context_vars has 9,000,008 bytes of JSON; the most is 8,388,608',
    'write the data with write_workspace_file and open it from the code',
  ],
];

test.each(BAD)('refuses %s, and the code does not run', async (_, args, code, message, hint) => {
  const server = await connect();
  const { text, structured, isError } = await server.call('execute_code', args);
  expect(structured).toEqual({ success: false, error: { code, message, hint } });
  expect(text).toBe(`failed · ${code} · ${message}\nnext: ${hint}`);
  expect(isError).toBe(true);
  expect(server.requests).toEqual([]);
});

test('several wrong arguments are all named at once', async () => {
  const { call } = await connect();
  const { structured } = await call('execute_code', { kode: '1', sesion: 'a' });
  expect(structured.error).toMatchObject({
    message:
      'argument "code" is missing; unknown argument "kode" (did you mean "code"?); unknown argument "sesion" (did you mean "session"?)',
  });
});

test('numbers, booleans and objects given as their text, and null for nothing, are taken as meant', async () => {
  const server = await connect({ run: () => returned(1) });
  const { isError } = await server.call('execute_code', {
    code: '1',
    timeout_seconds: '2.5',
    memory_mb: '128',
    context_vars: '{"x": [1, 2]}',
    session: null,
  });
  expect(isError).toBe(false);
  expect(server.requests[0]).toMatchObject({ timeoutMs: 2500, memoryMb: 128, context: { x: [1, 2] } });
});

test('names of other scripts are Python identifiers', async () => {
  const server = await connect();
  expect(
    (await server.call('execute_code', { code: '1', context_vars: { größe: 1, 名前: 2, _x: 3 } })).isError,
  ).toBe(false);
});

test.each([
  ['busy', 'session "s" runs something', 'wait, or use another session'],
  ['session_broken', 'session "s" lost its interpreter', 'start it again'],
  ['backend_unavailable', 'no sandbox here', 'run the doctor command'],
] as const)('what keeps a run from starting (%s) is told as it is', async (code, message, hint) => {
  const server = await connect({
    run: () => {
      throw new CodeExecutionError(code, message, hint);
    },
  });
  const { structured, isError } = await server.call('execute_code', { code: '1', session: 's' });
  expect(isError).toBe(true);
  expect(structured).toEqual({ success: false, error: { code, message, hint } });
});
