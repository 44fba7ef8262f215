import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type ServerProcess, startServer } from '../support/start-server.js';
import { verifies } from './verifies.js';

let server: ServerProcess;
const run = (code: string, args: Record<string, unknown> = {}) =>
  server.call('execute_code', { code, ...args });

beforeAll(async () => {
  server = await startServer();
});

describe('a fresh run', () => {
  test.each<[string, string, unknown]>([
    ['the variable result', 'result = 1\n2', 1],
    ['the last expression', 'x = 20\nx + 1', 21],
    ['None as a value', 'result = None', null],
    ['a top-level await', 'import asyncio\nasync def f():\n    return 7\nawait f()', 7],
  ])(verifies('RUN-1', 'answers with %s'), async (_what, code, value) => {
    const { data } = await run(code);
    expect(data).toMatchObject({ success: true, result: value });
  });

  test(verifies('RUN-2', 'lists the variables when there is no value'), async () => {
    const { data, text } = await run('rows = [1, 2, 3]\ntotal = sum(rows)');
    expect(data).not.toHaveProperty('result');
    expect(data.variables).toMatchObject([
      { name: 'rows', type: 'list', size: 3 },
      { name: 'total', type: 'int' },
    ]);
    expect(text).toMatch(/rows.*list.*3/);
  });

  test(verifies('RUN-2', 'lists no variables beside what it printed'), async () => {
    const { data, text } = await run('for i in range(3):\n    print(i)');
    expect(text).not.toContain('variables');
    expect(data).not.toHaveProperty('variables');
  });

  test(
    verifies('RUN-3', 'knows nothing of the run before, and the error names the session argument'),
    async () => {
      await run('orders_of_march = [1, 2]');
      const { data, text } = await run('len(orders_of_march)');
      expect(data).toMatchObject({ success: false, error: { code: 'python_error', type: 'NameError' } });
      expect(text).toMatch(/^next: .*session/m);
    },
  );

  test(verifies('RUN-4', 'has the context_vars as variables'), async () => {
    const context_vars = { rows: [{ id: 1, price: 2.5 }], limit: null, größe: 'ß' };
    const { data } = await run('[rows[0]["price"] * 2, limit, größe]', { context_vars });
    expect(data.result).toEqual([5, null, 'ß']);
  });

  test(
    verifies('RUN-5', 'that fails tells type, message, line, source and the frames of the code only'),
    async () => {
      const code = 'def inner(x):\n    return 10 / x\n\ndef outer(x):\n    return inner(x)\n\nouter(0)';
      const { data, text, isError } = await run(code);
      expect(isError).toBe(true);
      expect(data.error).toMatchObject({ code: 'python_error', type: 'ZeroDivisionError', line: 2 });
      expect(text).toContain('return 10 / x');
      const files = new Set(String(data.traceback).match(/File "[^"]+"/g));
      expect(files.size).toBe(1);
      expect(String(data.traceback)).toMatch(/outer[\s\S]*inner/);
    },
  );

  test(verifies('RUN-5', 'that does not compile tells the line'), async () => {
    const { data } = await run('x = 1\nfor i in range(3)\n    print(i)');
    expect(data.error).toMatchObject({ code: 'syntax_error', line: 2 });
  });

  test(verifies('RUN-6', 'keeps both streams in order'), async () => {
    const code = 'import sys\nprint("one")\nprint("two", file=sys.stderr)\nprint("three", end="")';
    expect((await run(code)).data.output).toBe('one\ntwo\nthree');
  });

  test(
    verifies(['RUN-6', 'RUN-7'], 'that prints too much shows head and tail, the rest is a file'),
    async () => {
      const code = 'for i in range(5000):\n    print("line", i)';
      const { data, text } = await run(code, { max_output_chars: 1_000 });
      expect(text.length).toBeLessThan(2_500);
      expect(text).toContain('line 0');
      expect(text).toContain('line 4999');
      expect(data.truncated).toBe(true);
      const file = await server.call('read_workspace_file', {
        filename: String(data.output_resource),
        offset: 0,
        limit: 100,
      });
      expect(String(file.data.content)).toMatch(/^line 0\nline 1\n/);
    },
  );

  test(verifies('RUN-7', 'with a large table answers with its shape'), async () => {
    const code = '[{"id": i, "name": f"user {i}", "score": i % 7} for i in range(5000)]';
    const { data, text } = await run(code, { max_output_chars: 1_000 });
    expect(text.length).toBeLessThan(2_000);
    expect(text).toContain('5,000');
    expect(text).toMatch(/id[\s\S]*name[\s\S]*score/);
    expect(text).toContain(String(data.resource));
  });

  test.each<[string, string, RegExp]>([
    ['a Decimal', 'from decimal import Decimal\nDecimal("10.10")', /10\.10/],
    ['a datetime', 'import datetime as d\nd.datetime(2025, 1, 2, 3, 4, 5)', /2025-01-02[T ]03:04:05/],
    ['a set', '{3, 1, 2}', /1, ?2, ?3/],
    ['bytes', 'b"\\x89PNG"', /PNG|iVBOR|89504e47|base64/],
    ['not a number', '{"mean": float("nan")}', /nan/i],
    ['an int beyond 2**53', '2 ** 100', /1267650600228229401496703205376/],
    [
      'a dataclass',
      'from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\nP(41)',
      /x.{1,4}41/,
    ],
    ['a cycle', 'a = {"name": "loop"}\na["self"] = a\na', /loop[\s\S]*(cycle|circular|\.\.\.)/],
    ['a value 5,000 deep', 'a = []\nfor _ in range(5000):\n    a = [a]\na', /deep|\.\.\./],
    ['an object', 'class Thing:\n    pass\nThing()', /Thing/],
    [
      'an object whose repr fails',
      'class T:\n    def __repr__(self):\n        raise ValueError("no")\nT()',
      /T/,
    ],
  ])(verifies('RUN-8', 'answers with %s in a readable form'), async (_what, code, seen) => {
    const { data, text } = await run(code);
    expect(data.success).toBe(true);
    expect(text).toMatch(seen);
    expect(JSON.stringify(data)).toMatch(seen);
  });

  test(verifies('RUN-9', 'draws other random numbers than the one before'), async () => {
    const code = 'import random, uuid\n[random.random(), str(uuid.uuid4()), hash("a")]';
    const [first, second] = [(await run(code)).data.result, (await run(code)).data.result] as [
      unknown[],
      unknown[],
    ];
    expect(first[0]).not.toBe(second[0]);
    expect(first[1]).not.toBe(second[1]);
  });
});

describe('a session', () => {
  test(
    verifies('SESSION-1', 'keeps variables, imports and functions, also across an exception'),
    async () => {
      await run('import math\ndef area(r):\n    return math.pi * r * r\nradius = 2', { session: 'keep' });
      await run('before = 1\n1 / 0', { session: 'keep' });
      expect((await run('round(area(radius), 2) + before', { session: 'keep' })).data.result).toBe(13.57);
    },
  );

  test(verifies('SESSION-2', 'that lost its interpreter says so, and works again from empty'), async () => {
    await run('kept = 1', { session: 'lost' });
    const crash = await run('import os\nos._exit(3)', { session: 'lost' });
    expect(crash.code).toBe('crashed');
    expect(crash.text).toContain('the variables of session "lost" are gone');
    // That answer has told the loss, so the next call starts anew at once.
    expect((await run('6 * 7', { session: 'lost' })).data.result).toBe(42);
    expect((await run('kept', { session: 'lost' })).data.error).toMatchObject({ type: 'NameError' });
  });

  test(verifies('SESSION-3', 'runs one thing at a time and refuses the second as busy'), async () => {
    await run('1', { session: 'busy' });
    // Calls on one connection are taken in the order in which they come.
    const slow = run('import time\ntime.sleep(1.5)\n"first"', { session: 'busy' });
    const second = await run('"second"', { session: 'busy' });
    expect(second.code).toBe('busy');
    expect(second.text).toMatch(/^next: /m);
    expect((await slow).data.result).toBe('first');
    expect((await run('"third"', { session: 'busy' })).data.result).toBe('third');
  });

  test(verifies('SESSION-4', 'is not seen by another session nor by a fresh run'), async () => {
    await run('secret_of_a = 1', { session: 'a' });
    expect((await run('secret_of_a', { session: 'b' })).data.error).toMatchObject({ type: 'NameError' });
    expect((await run('secret_of_a')).data.error).toMatchObject({ type: 'NameError' });
  });
});

describe('the workspace of a run', () => {
  test.each<[string, string]>([
    ['a name', 'f = open("left.txt", "w")\nf.seek(10**10)\nf.write("x")'],
    [
      'an object',
      'class Log:\n    pass\nlog = Log()\nlog.f = open("left.txt", "w")\nlog.f.seek(10**10)\nlog.f.write("x")',
    ],
  ])(verifies('FILES-5', 'fails the run when a file left open by %s does not fit'), async (_what, code) => {
    const { data, text } = await run(`print("before")\n${code}\n"done"`);
    expect(data.error).toMatchObject({
      code: 'disk_limit',
      message: expect.stringContaining('left.txt was left open and could not be saved to its end'),
    });
    expect(data).not.toHaveProperty('result');
    expect(text).toMatch(/^next: the workspace is full/m);
  });

  test(verifies('FILES-5', 'fails the run when a file that nothing holds any more did not fit'), async () => {
    // By name: only Python from 3.13 on tells of such a file.
    const embedded = await startServer({ config: { sandbox: { backend: 'wasm' } } });
    const code =
      'def f():\n    file = open("left.txt", "w")\n    file.seek(10**10)\n    file.write("x")\nf()\n"done"';
    expect((await embedded.call('execute_code', { code })).data.error).toMatchObject({
      code: 'disk_limit',
      message: expect.stringContaining('left.txt was left open and could not be saved to its end'),
    });
  });

  test(verifies('FILES-5', 'has what files that nobody closed still held'), async () => {
    const code =
      'import csv\nwriter = csv.writer(open("rows.csv", "w", newline=""))\nwriter.writerow([1, 2])\n"done"';
    expect((await run(code)).data).toMatchObject({
      success: true,
      files_changed: [{ path: 'rows.csv', size: 5 }],
    });
  });

  test(verifies('FILES-1', 'is the working directory, and every change is reported'), async () => {
    await run('open("old.txt", "w").write("x")');
    const code = `
import os, pathlib
open("new.txt", "w").write("hello")
pathlib.Path("sub").mkdir(exist_ok=True)
pathlib.Path("sub/deep.txt").write_text("deep")
open("old.txt", "a").write("y")
sorted(os.listdir("."))`;
    const { data, text } = await run(code);
    expect(data.result).toEqual(expect.arrayContaining(['new.txt', 'old.txt', 'sub']));
    const changed = data.files_changed as { path: string; change: string; size: number }[];
    expect(changed).toEqual(
      expect.arrayContaining([
        { path: 'new.txt', change: 'created', size: 5 },
        { path: 'old.txt', change: 'modified', size: 2 },
        { path: 'sub/deep.txt', change: 'created', size: 4 },
      ]),
    );
    expect(changed).toHaveLength(3);
    expect(text.split('\n')[0]).toContain('new.txt');
    const removal = await run('import os\nos.remove("new.txt")');
    expect(removal.data.files_changed).toMatchObject([{ path: 'new.txt', change: 'deleted' }]);
  });

  test(verifies('FILES-2', 'is as of its start, and the last run to finish wins'), async () => {
    await server.call('write_workspace_file', { filename: 'shared.txt', content: 'start' });
    // An interpreter that is there already: starting one may take longer than the slow run.
    await run('1', { session: 'fast' });
    let fast: Promise<Answer> | undefined;
    const code =
      'import time\nprint("on", flush=True)\ntime.sleep(1.5)\nseen = open("shared.txt").read()\nopen("shared.txt", "w").write("slow")\nseen';
    const onprogress = () => {
      fast ??= run('open("shared.txt", "w").write("fast")', { session: 'fast' });
    };
    const answer = await server.call('execute_code', { code }, { onprogress });
    expect((await fast)?.data.success).toBe(true);
    expect(answer.data.result).toBe('start');
    expect(answer.text).toMatch(/note: shared\.txt was changed by another run/);
    const file = await server.call('read_workspace_file', { filename: 'shared.txt' });
    expect(file.data.content).toBe('slow');
  });
});
