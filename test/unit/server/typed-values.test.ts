import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import type { FileChange, RunValue } from '../../../src/core/outcome.js';
import { connect, printed, report } from './harness.js';

type Typed = Partial<Omit<RunValue, 'json'>>;

/** The answer to a run with this value; `value` is what its JSON holds. */
async function answerTo(
  value: unknown,
  typed: Typed,
  options: Parameters<typeof connect>[0] & {
    filesChanged?: FileChange[];
    print?: string;
    maxChars?: number;
  } = {},
) {
  const { filesChanged = [], print = '', maxChars, ...rest } = options;
  const encoded = {
    type: 'DataFrame',
    truncated: false,
    form: 'table',
    ...typed,
    json: JSON.stringify(value),
  } as const;
  const run = () => report({ kind: 'value', value: encoded }, { filesChanged, output: printed(print) });
  const server = await connect({ run, ...rest });
  const args = { code: '1', ...(maxChars === undefined ? {} : { max_output_chars: maxChars }) };
  return { ...(await server.call('execute_code', args)), server };
}

const lines = (text: string) => text.split('\n').slice(1);
const ORDERS = {
  names: ['id', 'customer', 'amount', 'day', 'note'],
  dtypes: ['int64', 'object', 'float64', 'datetime64', 'object'],
  labels: 0,
  rows: [
    [1, 'Ann Lee', 12.345678901, '2024-01-01', 'a\tb'],
    [2, null, null, '2024-01-02', '007'],
    [3, 'Bo', 18450123.756, '2024-01-03', ''],
  ],
};

describe('a table that fits', () => {
  test('is a line of names and types and one line a row: short numbers, NaN for what is missing, no padding', async () => {
    const { text, structured } = await answerTo(ORDERS, { label: '3 x 5' });
    expect(lines(text)).toEqual([
      'DataFrame 3 x 5',
      'id int64\tcustomer object\tamount float64\tday datetime64\tnote object',
      '1\tAnn Lee\t12.3457\t2024-01-01\t"a\\tb"',
      '2\tNaN\tNaN\t2024-01-02\t"007"',
      '3\tBo\t18450123.76\t2024-01-03\t""',
    ]);
    expect(structured).toMatchObject({
      result: [
        { id: 1, customer: 'Ann Lee', amount: 12.345678901, day: '2024-01-01', note: 'a\tb' },
        { id: 2, customer: null, amount: null, day: '2024-01-02', note: '007' },
        { id: 3, customer: 'Bo', amount: 18450123.756, day: '2024-01-03', note: '' },
      ],
      result_type: 'DataFrame 3 x 5',
      result_dtypes: {
        id: 'int64',
        customer: 'object',
        amount: 'float64',
        day: 'datetime64',
        note: 'object',
      },
    });
    expect(structured.truncated).toBeUndefined();
  });

  test('costs at most six tenths of the LLM tokens of its records', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => [i, `Ann ${i}`, i / 7, '2024-01-01', i % 2 === 0]);
    const { text, structured } = await answerTo({ ...ORDERS, rows }, { label: '20 x 5' });
    const records = encode(JSON.stringify(structured.result)).length;
    expect(encode(lines(text).join('\n')).length).toBeLessThan(0.6 * records);
  });

  test('has its index first, in brackets, and the type that all columns share once', async () => {
    const table = { names: ['k', 'a', 'b', 'c'], dtypes: ['object', 'int64', 'int64', 'int64'], labels: 1 };
    const { text } = await answerTo({ ...table, rows: [['x', 1, 2, 3]] }, { label: '1 x 3' });
    expect(lines(text)).toEqual(['DataFrame 1 x 3', '[k]\ta\tb\tc (all int64)', 'x\t1\t2\t3']);
  });

  test('keeps the order of columns whose names are numbers', async () => {
    const table = { names: ['b', '2', '1'], dtypes: ['int64', 'int64', 'object'], labels: 0 };
    const { text } = await answerTo({ ...table, rows: [[10, 20, 'x']] }, { label: '1 x 3' });
    expect(lines(text).slice(1)).toEqual(['b int64\t2 int64\t1 object', '10\t20\tx']);
  });

  test('without rows is its names and types; without columns a title', async () => {
    const empty = { names: ['a'], dtypes: ['float64'], labels: 0, rows: [] };
    expect(lines((await answerTo(empty, { label: '0 x 1' })).text)).toEqual(['DataFrame 0 x 1', 'a float64']);
    const nothing = { names: [], dtypes: [], labels: 0, rows: [] };
    expect(lines((await answerTo(nothing, { label: '0 x 0' })).text)).toEqual(['DataFrame 0 x 0']);
  });

  test('that is a Series is an object by its labels, and rows if a label is there twice', async () => {
    const series = (labels: string[]) => ({
      names: ['k', 'v'],
      dtypes: ['object', 'int64'],
      labels: 1,
      rows: labels.map((label, i) => [label, i]),
    });
    const typed = { type: 'Series', label: '2 int64 v' };
    expect((await answerTo(series(['a', 'b']), typed)).structured.result).toEqual({ a: 0, b: 1 });
    expect((await answerTo(series(['a', 'a']), typed)).structured.result).toEqual([
      { k: 'a', v: 0 },
      { k: 'a', v: 1 },
    ]);
  });
});

describe('a table that the run has cut', () => {
  const cut = {
    names: ['ts', 'id', 'kind', 'price'],
    dtypes: ['datetime64', 'int64', 'object', 'float64'],
    labels: 1,
    rows: [
      ['2024-01-01', 0, 'a', 0.123456],
      ['2024-01-02', 1, 'b', 2],
      ['2024-01-03', 2, 'x'.repeat(300), null],
      ['2051-05-18', 9998, 'b', 3],
      ['2051-05-19', 9999, 'a', 4],
    ],
    cut: {
      first: 3,
      total: 10_000,
      hidden: 0,
      nulls: [0, 0, 0, 12],
      min: ['2024-01-01', 0, null, 0.000123456],
      max: ['2051-05-19', 9999, null, 99.987],
      distinct: [null, null, 3, null],
    },
  };
  const typed = { label: '10000 x 3', truncated: true, file: 'result-1.csv' } as const;
  const written = [{ path: 'result-1.csv', change: 'created', size: 400_000 }] as const;

  test('tells what its columns hold, shows its ends and links its file', async () => {
    const { text, structured, content } = await answerTo(cut, typed, { filesChanged: [...written] });
    expect(text.split('\n')).toEqual([
      'ok · 0.84 s · wrote result-1.csv (400 kB) · kept ~100k LLM tokens out of context',
      'DataFrame 10000 x 3 · whole value: read_workspace_file result-1.csv',
      '[ts] 2024-01-01..2051-05-19\tid int64 0..9999\tkind object (3 distinct)\tprice float64 0.0001235..99.99 (12 NaN)',
      '2024-01-01\t0\ta\t0.1235',
      '2024-01-02\t1\tb\t2',
      expect.stringMatching(/^2024-01-03\t2\tx{20,57}\.\.\.\tNaN$/),
      '...',
      '2051-05-18\t9998\tb\t3',
      '2051-05-19\t9999\ta\t4',
    ]);
    expect(structured).toMatchObject({
      truncated: true,
      resource: 'result-1.csv',
      result_type: 'DataFrame 10000 x 3',
    });
    expect(structured.result).toBe(lines(text).join('\n'));
    expect(content[1]).toMatchObject({
      type: 'resource_link',
      uri: 'workspace:///result-1.csv',
      mimeType: 'text/csv',
    });
  });

  test.each([
    ['result-1.parquet', 'pandas.read_parquet("result-1.parquet")'],
    ['result-1.npy', 'numpy.load("result-1.npy")'],
  ])('in %s is opened by code', async (file, how) => {
    const { text } = await answerTo(
      cut,
      { ...typed, file },
      { filesChanged: [{ path: file, change: 'created', size: 9 }] },
    );
    expect(lines(text)[0]).toBe(`DataFrame 10000 x 3 · whole value: ${how}`);
  });

  test('names no file that the run has not written', async () => {
    const { text, structured, content } = await answerTo(cut, typed);
    expect(lines(text)[0]).toBe('DataFrame 10000 x 3');
    expect(structured.resource).toBeUndefined();
    expect(content).toHaveLength(1);
  });

  test('and is wide names all columns by type, and shows the first ten', async () => {
    const names = Array.from({ length: 40 }, (_, i) => (i < 38 ? String(i) : `extra ${i}`));
    const dtypes = names.map((_, i) => (i < 38 ? 'float64' : 'object'));
    const nothing = names.map(() => null);
    const about = {
      first: 1,
      total: 900,
      hidden: 60,
      nulls: nothing,
      min: nothing,
      max: nothing,
      distinct: nothing,
    };
    const rows = [names.map((_, i) => i), names.map((_, i) => i + 100)];
    const { text } = await answerTo(
      { names, dtypes, labels: 0, rows, cut: about },
      { label: '900 x 100', truncated: true },
    );
    expect(lines(text)).toEqual([
      'DataFrame 900 x 100',
      'columns: float64: 0..37; object: extra 38, extra 39, ... 60 more',
      'the first 10:',
      names
        .slice(0, 10)
        .map((name) => `${name} float64`)
        .join('\t'),
      '0\t1\t2\t3\t4\t5\t6\t7\t8\t9',
      '...',
      '100\t101\t102\t103\t104\t105\t106\t107\t108\t109',
    ]);
  });

  test('leaves printed text a quarter of the room', async () => {
    const { structured } = await answerTo(cut, typed, {
      print: 'line of output\n'.repeat(400),
      maxChars: 4000,
    });
    expect((structured.output as string).length).toBeLessThan(1100);
  });
});

test('a whole table that does not fit, because the filter made it longer, shows its ends and goes into a file', async () => {
  const rows = Array.from({ length: 30 }, (_, i) => [i, `name ${i}`]);
  const table = { names: ['id', 'name'], dtypes: ['int64', 'object'], labels: 0, rows };
  const { text, structured, server } = await answerTo(table, { label: '30 x 2' }, { maxChars: 600 });
  expect(lines(text)).toEqual([
    'DataFrame 30 x 2 · whole value: read_workspace_file results/run-7f3a.json',
    'id int64\tname object',
    ...['0\tname 0', '1\tname 1', '2\tname 2', '...', '28\tname 28', '29\tname 29'],
  ]);
  expect(structured.resource).toBe('results/run-7f3a.json');
  expect(JSON.parse(server.workspace.textOf('results/run-7f3a.json') ?? '')[29]).toEqual({
    id: 29,
    name: 'name 29',
  });
});

describe('an array', () => {
  const typed = { type: 'ndarray', form: 'array', label: '2 x 2 float64' } as const;

  test('that fits is JSON with short numbers; the structure has them whole', async () => {
    const value = [
      [1 / 3, 2],
      [1e-9, 123456.789],
    ];
    const { text, structured } = await answerTo(value, typed);
    expect(lines(text)).toEqual(['ndarray 2 x 2 float64: [[0.333333,2],[1e-9,123456.79]]']);
    expect(structured).toMatchObject({ result: value, result_type: 'ndarray 2 x 2 float64' });
  });

  test('that the run has cut is its range and its corners', async () => {
    const value = {
      min: 0.123456,
      max: 9,
      mean: 4.5,
      'not finite': 2,
      values: '[[1 ... 2]\n ...\n [3 ... 4]]',
    };
    const file = 'result-2.csv';
    const { text } = await answerTo(
      value,
      { ...typed, label: '300 x 300 float64', truncated: true, file },
      { filesChanged: [{ path: file, change: 'created', size: 10 }] },
    );
    expect(lines(text)).toEqual([
      'ndarray 300 x 300 float64 · whole value: read_workspace_file result-2.csv',
      'min 0.123456, max 9, mean 4.5, not finite 2',
      ...['[[1 ... 2]', ' ...', ' [3 ... 4]]'],
    ]);
  });
});

describe('what the filter sees of a table', () => {
  const table = {
    names: ['email', 'age'],
    dtypes: ['object', 'int64'],
    labels: 0,
    rows: [
      ['jane@example.org', 30],
      ['bob@example.org', 40],
    ],
  };

  test('is every cell under the name of its column, row by row, and no type under a name', async () => {
    let seen: unknown;
    const filter = async <T>(_principal: string, facts: T): Promise<T> => {
      if (Object.hasOwn(facts as object, 'value')) seen = facts;
      return facts;
    };
    await answerTo(table, { label: '2 x 2' }, { privacy: { filter } });
    expect(seen).toMatchObject({
      value: {
        value: [
          [{ email: null }, { age: null }],
          [{ email: 'jane@example.org' }, { age: 30 }],
          [{ email: 'bob@example.org' }, { age: 40 }],
        ],
      },
      dtypes: ['object', 'int64'],
    });
  });

  test('changes text and structure alike, names of columns too', async () => {
    const filter = async <T>(_principal: string, facts: T): Promise<T> =>
      JSON.parse(JSON.stringify(facts).replaceAll('jane@example.org', 'TOKEN').replaceAll('age', '7'));
    const { text, structured } = await answerTo(table, { label: '2 x 2' }, { privacy: { filter } });
    expect(lines(text)).toEqual([
      'DataFrame 2 x 2',
      'email object\t7 int64',
      'TOKEN\t30',
      'bob@example.org\t40',
    ]);
    expect(structured.result).toEqual([
      { email: 'TOKEN', 7: 30 },
      { email: 'bob@example.org', 7: 40 },
    ]);
    expect(structured.result_dtypes).toEqual({ email: 'object', 7: 'int64' });
  });
});

test('a table of a run that gives it no size is a table all the same', async () => {
  const { text, structured } = await answerTo(ORDERS, {});
  expect(lines(text)[0]).toBe('DataFrame');
  expect(structured.result).toHaveLength(3);
});

test.each<[string, unknown]>([
  ['a row of another length', { names: ['a'], dtypes: ['x'], labels: 0, rows: [[1, 2]] }],
  ['too few types', { names: ['a'], dtypes: [], labels: 0, rows: [] }],
  ['an index of more columns than there are', { names: ['a'], dtypes: ['x'], labels: 2, rows: [] }],
  ['a cut without ranges', { names: ['a'], dtypes: ['x'], labels: 0, rows: [], cut: { first: 3, total: 9 } }],
  ['no names', [1, 2, 3]],
])('a forged table with %s is shown as the JSON that it is', async (_what, value) => {
  const { text, structured } = await answerTo(value, { label: '1 x 1' });
  expect(structured.result).toEqual(value);
  expect(lines(text)[0]).toMatch(/^DataFrame: [[{]/);
});
