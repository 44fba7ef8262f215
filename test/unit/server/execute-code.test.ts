import { expect, test } from 'vitest';
import { cancelledByClient } from '../../../src/core/errors.js';
import type { Run } from './harness.js';
import { connect, printed, raised, report, returned } from './harness.js';

const run = async (run: Run, args: Record<string, unknown> = {}) => {
  const server = await connect({ run });
  return { ...(await server.call('execute_code', { code: 'x', ...args })), ...server };
};

test('a small result comes whole, as text and as structure', async () => {
  const { text, structured, isError } = await run(() =>
    returned(
      { customers: 500, overdue: 23 },
      {
        output: printed('checked 500 rows\n'),
        filesChanged: [{ path: 'reports/overdue.csv', change: 'created', size: 12_345 }],
        bytesRead: 592_000,
      },
    ),
  );
  expect(text).toBe(
    'ok · 0.84 s · wrote reports/overdue.csv (12 kB) · kept ~148k LLM tokens out of context\n' +
      '{"customers":500,"overdue":23}\noutput:\nchecked 500 rows',
  );
  expect(isError).toBe(false);
  expect(structured).toEqual({
    success: true,
    result: { customers: 500, overdue: 23 },
    output: 'checked 500 rows',
    execution_time_ms: 840,
    files_changed: [{ path: 'reports/overdue.csv', change: 'created', size: 12_345 }],
  });
});

test('printing alone is an answer too', async () => {
  const { text, structured } = await run(() => returned(null, { output: printed('42\n') }));
  expect(text).toBe('ok · 0.84 s\noutput:\n42');
  expect(structured).toMatchObject({ success: true, result: null, output: '42' });
});

test('None without output is said', async () => {
  expect((await run(() => returned(null))).text).toBe('ok · 0.84 s\nNone');
});

test('without a result the new variables are listed, so that nobody concludes there was nothing', async () => {
  const { text, structured } = await run(() =>
    report(
      { kind: 'value' },
      {
        variables: [
          { name: 'total', type: 'int', preview: '45' },
          { name: 'rows', type: 'list', size: 3201, preview: "[{'a': 1}, ..." },
        ],
      },
    ),
  );
  expect(text).toBe(
    'ok · 0.84 s\nno result: set the variable `result`, end with an expression, or print\n' +
      "new variables: total int = 45; rows list of 3,201 = [{'a': 1}, ...",
  );
  expect(structured).not.toHaveProperty('result');
  expect(structured.variables).toEqual([
    { name: 'total', type: 'int', preview: '45' },
    { name: 'rows', type: 'list', size: 3201, preview: "[{'a': 1}, ..." },
  ]);
});

test('variables are not listed beside output, which is the answer then', async () => {
  const variables = [{ name: 'i', type: 'int', preview: '199999' }];
  const { text, structured } = await run(() =>
    report({ kind: 'value' }, { output: printed('done\n'), variables }),
  );
  expect(text).toBe('ok · 0.84 s\noutput:\ndone');
  expect(structured).not.toHaveProperty('variables');
});

test('nor beside an error or a result', async () => {
  const variables = [{ name: 'i', type: 'int' }];
  const failed = await run(() => raised({}, 'raised', { variables }));
  expect(failed.structured).not.toHaveProperty('variables');
  const none = await run(() => returned(null, { variables }));
  expect(none.structured).not.toHaveProperty('variables');
});

test('a value of a special type says so in both forms', async () => {
  const { text, structured } = await run(() => returned('10.10', { type: 'Decimal' }));
  expect(text).toBe('ok · 0.84 s\nDecimal: "10.10"');
  expect(structured).toMatchObject({ result: '10.10', result_type: 'Decimal' });
});

test('an integer beyond 2**53 keeps its digits', async () => {
  const { text, structured } = await run(() => returned(0, { json: String(2n ** 100n) }));
  expect(text).toContain('1267650600228229401496703205376');
  expect(structured.result).toBe('1267650600228229401496703205376');
});

test('notes and lost changes of other runs are told', async () => {
  const { text, structured } = await run(() =>
    returned(1, {
      notes: ['removed the code fence around the code'],
      filesChanged: [
        { path: 'a.csv', change: 'modified', size: 10, overwroteOther: true },
        { path: 'old.csv', change: 'deleted', size: 0 },
      ],
    }),
  );
  expect(text).toBe(
    'ok · 0.84 s · wrote a.csv (10 bytes) · deleted old.csv\n1\nnote: removed the code fence around the code\n' +
      "note: a.csv was changed by another run meanwhile; this run's version replaced it",
  );
  expect(structured.notes).toHaveLength(2);
});

test('many changed files are counted in the text and bounded in the structure', async () => {
  const filesChanged = Array.from({ length: 1000 }, (_, i) => ({
    path: `f${i}`,
    change: 'created' as const,
    size: 100,
  }));
  const { text, structured } = await run(() => returned(1, { filesChanged }));
  expect(text.split('\n')[0]).toBe('ok · 0.84 s · wrote 1,000 files (100 kB)');
  expect(structured.files_changed).toHaveLength(50);
  expect(structured.files_changed_total).toBe(1000);
});

const rows = Array.from({ length: 5000 }, (_, i) => ({ id: i, name: `user${i}`, score: i % 7 }));

test('a result over the budget becomes a summary, a file, and a link that can be read', async () => {
  const { text, structured, content, workspace, client } = await run(() => returned(rows));
  expect(text.split('\n').slice(0, 3)).toEqual([
    'ok · 0.84 s · kept ~49k LLM tokens out of context',
    'list of 5,000 dicts · whole value: read_workspace_file results/run-7f3a.json',
    'keys: id int 0..4,999, name str, score int 0..6',
  ]);
  expect(text.length).toBeLessThan(500);
  expect(structured).toMatchObject({ truncated: true, resource: 'results/run-7f3a.json' });
  expect(text).toContain(structured.result as string);
  expect(JSON.parse(workspace.textOf('results/run-7f3a.json') ?? '')).toEqual(rows);
  const link = content.find((block) => block.type === 'resource_link');
  expect(link).toMatchObject({
    uri: 'workspace:///results/run-7f3a.json',
    mimeType: 'application/json',
    size: JSON.stringify(rows).length,
  });
  const { contents } = await client.readResource({ uri: 'workspace:///results/run-7f3a.json' });
  expect(contents[0]).toMatchObject({ text: expect.stringContaining('"user3"') });
});

test('max_output_chars decides what fits', async () => {
  const fits = await run(() => returned(rows.slice(0, 300)), { max_output_chars: 50_000 });
  expect(fits.structured).not.toHaveProperty('truncated');
  expect((fits.structured.result as unknown[]).length).toBe(300);
  const not = await run(() => returned(rows.slice(0, 300)), { max_output_chars: 1000 });
  expect(not.structured.truncated).toBe(true);
  expect(not.text.length).toBeLessThan(1200);
});

test('output over the budget comes as its ends, with the whole in a file', async () => {
  const all = Array.from({ length: 1204 }, (_, i) => `row ${i} ${'x'.repeat(20)}\n`).join('');
  const { text, structured, workspace } = await run(() => returned(null, { output: printed(all) }));
  expect(text).toContain(
    'output (1,204 lines, 35 kB, truncated; all of it: read_workspace_file output/run-7f3a.txt):\nrow 0 xx',
  );
  expect(text).toMatch(/\n\.\.\. \(1,\d\d\d lines left out\) \.\.\.\n/);
  expect(text).toMatch(/row 1203 x+$/);
  expect(text.length).toBeLessThan(2400);
  expect(structured).toMatchObject({ truncated: true, output_resource: 'output/run-7f3a.txt' });
  expect(workspace.textOf('output/run-7f3a.txt')).toBe(all);
});

test('output of which the host kept the ends only says what is not kept', async () => {
  const head = 'first\n'.repeat(2000);
  const tail = 'last\n'.repeat(2000);
  const output = { head, tail, bytes: 16_000_000, lines: 2_000_000 };
  const { text, workspace } = await run(() => returned(null, { output }));
  expect(text).toContain(
    'output (2,000,000 lines, 16 MB, truncated; first 12 kB and last 10 kB: read_workspace_file output/run-7f3a.txt):',
  );
  expect(text).toMatch(/first\n\.\.\. \(1,99\d,\d\d\d lines left out\) \.\.\.\nlast/);
  expect(workspace.textOf('output/run-7f3a.txt')).toBe(`${head}\n... (16 MB not kept) ...\n${tail}`);
});

test('result and output share the budget', async () => {
  const { text } = await run(() => returned(rows, { output: printed('y'.repeat(100_000)) }), {
    max_output_chars: 2000,
  });
  expect(text.length).toBeLessThan(2500);
  expect(text).toContain('list of 5,000 dicts');
  expect(text).toContain('yyyy');
});

test('a full workspace does not cost the answer', async () => {
  const server = await connect({ run: () => returned(rows) });
  server.workspace.limitBytes = 10;
  const { text, structured, isError } = await server.call('execute_code', { code: 'x' });
  expect(isError).toBe(false);
  expect(text).toContain(
    'list of 5,000 dicts · whole value: not kept (disk_limit): return less, or write it to a file yourself',
  );
  expect(structured).not.toHaveProperty('resource');
});

test('answers fill half of the workspace at most: a flood leaves room for files that were asked for', async () => {
  const server = await connect({ run: () => returned(undefined, { output: printed('y'.repeat(10_000)) }) });
  server.workspace.limitBytes = 25_000;
  const first = await server.call('execute_code', { code: 'x' });
  expect(first.text).toContain('all of it: read_workspace_file output/');
  await server.workspace.write('mine.txt', Buffer.alloc(5_000), 'create');
  const second = await server.call('execute_code', { code: 'x' });
  expect(second.text).toContain('all of it: not kept (disk_limit)');
});

test('an exception tells type, line, source, traceback of several frames and what was done before', async () => {
  const traceback =
    'Traceback (most recent call last):\n  File "<code>", line 6, in <module>\n    a(0)\n  File "<code>", line 4, in b\n    return 10 / x\nZeroDivisionError: division by zero';
  const { text, structured, isError, code } = await run(() =>
    raised(
      {
        type: 'ZeroDivisionError',
        message: 'division by zero',
        line: 4,
        source: 'return 10 / x',
        hint: 'check x first',
        traceback,
      },
      'raised',
      { output: printed('so far\n'), filesChanged: [{ path: 'c.json', change: 'created', size: 5 }] },
    ),
  );
  expect(isError).toBe(true);
  expect(code).toBe('python_error');
  expect(text).toBe(
    'failed · python_error · 0.84 s · wrote c.json (5 bytes)\n' +
      `ZeroDivisionError at line 4: division by zero\n    return 10 / x\n${traceback}\noutput:\nso far\nnext: check x first`,
  );
  expect(structured).toEqual({
    success: false,
    error: {
      code: 'python_error',
      type: 'ZeroDivisionError',
      message: 'division by zero',
      line: 4,
      hint: 'check x first',
    },
    traceback,
    output: 'so far',
    execution_time_ms: 840,
    files_changed: [{ path: 'c.json', change: 'created', size: 5 }],
  });
});

test('a traceback of one frame is not repeated in the text', async () => {
  const traceback =
    'Traceback (most recent call last):\n  File "<code>", line 1, in <module>\n    1 / 0\nZeroDivisionError: x';
  const { text, structured } = await run(() =>
    raised({ type: 'ZeroDivisionError', message: 'x', line: 1, source: '1 / 0', traceback }),
  );
  expect(text).toBe('failed · python_error · 0.84 s\nZeroDivisionError at line 1: x\n    1 / 0');
  expect(structured.traceback).toBe(traceback);
});

test.each([
  [
    'timedOut',
    'timeout',
    'failed · timeout after 30 s',
    'next: do less in one run (files written so far are kept), or raise timeout_seconds (at most 600)',
  ],
  [
    'limited',
    'memory_limit',
    'failed · memory_limit · 30 s',
    'next: work on parts of the data (iterate, do not collect), or raise memory_mb (at most 2048)',
  ],
  [
    'limited',
    'output_limit',
    'failed · output_limit · 30 s',
    'next: print less; write long output to a file',
  ],
  [
    'limited',
    'disk_limit',
    'failed · disk_limit · 30 s',
    'next: write less, or delete files in the workspace (list_workspace_files shows them)',
  ],
  [
    'crashed',
    'crashed',
    'failed · crashed · 30 s',
    'next: run it again with less data or in smaller steps; variables of this run are gone',
  ],
] as const)('%s (%s) loses nothing and names the next step', async (kind, code, first, next) => {
  const { text, structured } = await run(() =>
    raised({ code, type: 'TimeoutError', message: 'm' }, kind, {
      durationMs: 30_000,
      output: printed('page 17\n'),
    }),
  );
  expect(text.split('\n')[0]).toBe(first);
  expect(text).toContain('output:\npage 17');
  expect(text.split('\n').at(-1)).toBe(next);
  expect(structured.error).toMatchObject({ code, hint: next.slice(6) });
  expect(structured.output).toBe('page 17');
});

test.each([
  ['timeout', 'timedOut', { timeout_seconds: 600 }],
  ['memory_limit', 'limited', { memory_mb: 2048 }],
] as const)('a %s at the highest limit does not name the limit as a way out', async (code, kind, args) => {
  const { call } = await connect({ run: () => raised({ code, hint: 'do less' }, kind) });
  const highest = await call('execute_code', { code: '1', ...args });
  expect(highest.text.split('\n').at(-1)).toBe('next: do less');
  const lower = await call('execute_code', { code: '1' });
  expect(lower.text.split('\n').at(-1)).toMatch(/^next: do less, or raise \w+ \(at most \d+\)$/);
  expect(lower.structured.error).toMatchObject({ hint: expect.stringContaining(', or raise ') });
});

test('a run that is refused or cancelled before it began is counted, without a duration', async () => {
  const { call, deps, logged } = await connect({
    run: () => {
      throw cancelledByClient();
    },
  });
  const { code, text } = await call('execute_code', { code: '1' });
  expect(code).toBe('cancelled');
  expect(text).toBe('failed · cancelled · the client cancelled the run before it began');
  expect(deps.statsOf('local').snapshot().runs).toEqual({ total: 1, byOutcome: { cancelled: 1 } });
  expect(logged).toEqual([]);
});

test('very long messages and tracebacks are cut, ends kept', async () => {
  const { text, structured } = await run(() =>
    raised({
      message: `start ${'m'.repeat(100_000)} end`,
      code: 'syntax_error',
      traceback: `T ${'t\n'.repeat(100_000)} last`,
    }),
  );
  expect(text.length).toBeLessThan(5000);
  expect(text).toContain('start m');
  expect(text).toContain(' end');
  expect(JSON.stringify(structured).length).toBeLessThan(9000);
});

test('terminal codes and hidden characters reach neither text nor structure', async () => {
  const { text, structured } = await run(() =>
    returned(
      { 'k\u200b': '\u202eevil' },
      {
        output: printed('\x1b[31mred\x1b[0m\n'),
        filesChanged: [{ path: 'a\nok · fake', change: 'created', size: 1 }],
      },
    ),
  );
  expect(text).toBe(
    'ok · 0.84 s · wrote a\\nok · fake (1 bytes)\n{"k\\\\u200b":"\\\\u202eevil"}\noutput:\nred',
  );
  expect(structured).toMatchObject({ result: { 'k\\u200b': '\\u202eevil' }, output: 'red' });
});

test('the request reaches the runner as it was meant, with the defaults of the configuration', async () => {
  const { requests } = await run(() => returned(1), {
    context_vars: { x: [1] },
    session: 'my.session-1',
    timeout_seconds: 1.5,
  });
  expect(requests[0]).toMatchObject({
    code: 'x',
    context: { x: [1] },
    timeoutMs: 1500,
    memoryMb: 512,
    session: 'my.session-1',
  });
  expect(requests[0]?.signal).toBeInstanceOf(AbortSignal);
  const plain = await run(() => returned(1));
  expect(plain.requests[0]).toMatchObject({ context: {}, timeoutMs: 30_000, memoryMb: 512 });
  expect(plain.requests[0]).not.toHaveProperty('session');
});

test('runs are counted by how they ended', async () => {
  const server = await connect({ run: ({ code }) => (code === 'bad' ? raised({}) : returned(1)) });
  for (const code of ['1', 'bad', '1']) await server.call('execute_code', { code });
  expect(server.deps.statsOf('local').snapshot().runs).toMatchObject({
    total: 3,
    byOutcome: { ok: 2, python_error: 1 },
  });
});
