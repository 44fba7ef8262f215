import { expect, test } from 'vitest';
import { headTail } from '../../../src/server/summary/head-tail.js';
import { parseValue } from '../../../src/server/summary/parse-value.js';
import { presentValue } from '../../../src/server/summary/present-value.js';
import { shapeOf } from '../../../src/server/summary/shape.js';
import { asTable, tableText } from '../../../src/server/summary/table.js';

const where = async () => 'whole value: read_workspace_file results/run-1.json';
const present = async (value: unknown, maxChars = 8000, type = 'list') =>
  presentValue({ type, value, chars: JSON.stringify(value).length }, maxChars, where);
const lines = (value: unknown) => {
  const { title, lines } = shapeOf(value);
  return [title, ...lines];
};

test('integers beyond 2**53 keep every digit', () => {
  expect(parseValue('[1267650600228229401496703205376, -12345678901234567890, 9007199254740991]')).toEqual([
    '1267650600228229401496703205376',
    '-12345678901234567890',
    9007199254740991,
  ]);
});

test('long digits inside strings and floats are left alone', () => {
  expect(
    parseValue(
      '{"id": "12345678901234567890", "q": "a\\"12345678901234567890", "x": 0.30000000000000004, "y": 12345678901234567890.5, "z": 1234567890123456789e2}',
    ),
  ).toEqual({
    id: '12345678901234567890',
    q: 'a"12345678901234567890',
    x: 0.30000000000000004,
    y: Number('12345678901234567890.5'),
    z: Number('1234567890123456789e2'),
  });
});

test('text that is no JSON is a value all the same', () => {
  expect(parseValue('{"a": NaN}')).toBe('{"a": NaN}');
});

test('a list of like dicts reads as a table', async () => {
  const rows = [
    { id: 1, name: 'Ann', note: null },
    { id: 2, name: 'Bob | Co', note: '' },
    { id: 3, name: '007' },
  ];
  expect((await present(rows)).text).toBe(
    'id | name | note\n1 | Ann | null\n2 | "Bob | Co" | ""\n3 | "007" |',
  );
});

test('cells that could be misread are quoted, others are not', () => {
  const row = {
    a: 'null',
    b: 'true',
    c: '-1',
    d: '2025-01-02T03:04:05',
    e: ' x',
    f: 'line\nbreak',
    g: [1, { h: 'i' }],
    j: true,
    k: 'a "b"',
  };
  expect(tableText({ columns: Object.keys(row), rows: [row] }).split('\n')[1]).toBe(
    '"null" | "true" | "-1" | 2025-01-02T03:04:05 | " x" | "line\\nbreak" | [1,{"h":"i"}] | true | "a \\"b\\""',
  );
});

test('a dict of like dicts reads as a table with its keys in the first column', async () => {
  expect((await present({ DE: { n: 3, avg: 1.5 }, FR: { n: 4, avg: 2 } }, 8000, 'dict')).text).toBe(
    'key | n | avg\nDE | 3 | 1.5\nFR | 4 | 2',
  );
});

test.each([
  ['one row', [{ a: 1 }]],
  ['rows that are not alike', [{ a: 1 }, { b: 2 }, { c: 3 }]],
  ['mixed items', [{ a: 1 }, 2]],
  ['empty dicts', [{}, {}]],
])('is no table: %s', (_, value) => {
  expect(asTable(value)).toBeUndefined();
});

test('the shorter of table and JSON is taken', async () => {
  const wordy = [{ a_rather_long_column_name: 1 }, {}];
  expect((await present([{ a: 1 }, { a: 2 }])).text).toBe('a\n1\n2');
  expect((await present(wordy)).text).toBe('[{"a_rather_long_column_name":1},{}]');
});

test('values of plain types stand alone and others carry their type', async () => {
  expect((await present({ a: 1 }, 8000, 'dict')).text).toBe('{"a":1}');
  expect((await present('10.10', 8000, 'Decimal')).text).toBe('Decimal: "10.10"');
  expect((await present([{ a: 1 }, { a: 2 }], 8000, 'DataFrame')).text).toBe('DataFrame:\na\n1\n2');
});

test('a string of several lines is shown as text, of one line as JSON', async () => {
  expect((await present('# Report\n- one', 8000, 'str')).text).toBe('# Report\n- one');
  expect((await present('42', 8000, 'str')).text).toBe('"42"');
});

test('rows that do not fit come as columns, head and tail, and the way to the whole', async () => {
  const rows = Array.from({ length: 3201 }, (_, i) => ({
    title: `Film ${i}`,
    gross: i % 64 === 0 ? null : i * 10,
    rating: 1.5 + (i % 17) / 2,
    genre: ['Drama', 'Comedy', 'Action'][i % 3],
  }));
  const { text, structured, whole } = await present(rows);
  expect(whole).toBe(false);
  expect(structured).toBe(text);
  expect(text.split('\n')).toEqual([
    'list of 3,201 dicts · whole value: read_workspace_file results/run-1.json',
    'keys: title str, gross int|null 10..31,990 (51 null), rating float 1.5..9.5, genre str (3 distinct)',
    'title | gross | rating | genre',
    'Film 0 | null | 1.5 | Drama',
    'Film 1 | 10 | 2 | Comedy',
    'Film 2 | 20 | 2.5 | Action',
    '...',
    'Film 3199 | 31990 | 3 | Comedy',
    'Film 3200 | null | 3.5 | Action',
  ]);
});

test('a missing key is counted apart from null', () => {
  const rows = Array.from({ length: 10 }, (_, i) => (i === 0 ? { a: i } : { a: i, b: i < 3 ? null : 'x' }));
  expect(lines(rows)[1]).toBe('keys: a int 0..9, b str|null (1 distinct, 2 null, 1 missing)');
});

test('numbers come with minimum, maximum and mean', () => {
  expect(lines(Array.from({ length: 1001 }, (_, i) => i))).toEqual([
    'list of 1,001: int 0..1,000, mean 500',
    'first 3: 0, 1, 2',
    'last 2: 999, 1000',
  ]);
});

test('lists of lists tell their inner length', () => {
  expect(lines(Array.from({ length: 100 }, (_, i) => [i, 'x']))[0]).toBe('list of 100: list of 2');
  expect(lines(Array.from({ length: 100 }, (_, i) => Array.from({ length: i }, () => 0)))[0]).toBe(
    'list of 100: list of 0 to 99',
  );
});

test('a dict is described key by key, nested values by their shape', () => {
  const value = {
    rows: Array.from({ length: 500 }, (_, i) => ({ i, x: 'y' })),
    numbers: Array.from({ length: 300 }, (_, i) => i / 2),
    meta: { source: 'a'.repeat(200), page: 3 },
    total: 7,
    ok: true,
  };
  expect(lines(value)).toEqual([
    'dict of 5 keys',
    'rows: list of 500 dicts (i, x)',
    'numbers: list of 300: float 0..149.5, mean 74.75',
    `meta: dict of 2 keys {source: str of 200: ${'a'.repeat(97)}..., page: 3}`,
    'total: 7',
    'ok: true',
  ]);
});

test('a dict of many keys shows the first and the last', () => {
  const value = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]));
  expect(lines(value)).toEqual([
    'dict of 5,000 keys, values int 0..4,999, mean 2,499.5',
    'k0: 0',
    'k1: 1',
    'k2: 2',
    '...',
    'k4998: 4998',
    'k4999: 4999',
  ]);
});

test('a long string shows its ends and counts what lies between', () => {
  const text = Array.from({ length: 2000 }, (_, i) => `line ${i}`).join('\n');
  const [title, ...rest] = lines(text);
  const body = rest.join('\n');
  expect(title).toBe('str of 18,889 characters, 2,000 lines');
  expect(body).toMatch(/^line 0\nline 1\n[\s\S]*\n\.\.\.\nline [\s\S]*line 1999$/);
});

test('a summary stays small whatever the value and the budget', async () => {
  const wide = Array.from({ length: 500 }, (_, i) =>
    Object.fromEntries(Array.from({ length: 40 }, (_, c) => [`column_${c}`, `${i}`.repeat(30)])),
  );
  const nested = Array.from({ length: 30 }, () => 'x'.repeat(5000));
  for (const value of [
    wide,
    nested,
    { a: wide, b: nested },
    'z'.repeat(1e6),
    Array.from({ length: 3 }, () => wide),
  ]) {
    for (const maxChars of [500, 8000, 100_000]) {
      const { text, whole } = await present(value, maxChars);
      expect(whole).toBe(false);
      expect(text.length).toBeLessThanOrEqual(Math.min(maxChars, 2400));
    }
  }
});

test('hidden characters count as the escapes they become when deciding whether a value fits', async () => {
  const { whole, text } = await present(Array.from({ length: 1000 }, () => '\u202e'));
  expect(whole).toBe(false);
  expect(text).not.toMatch(/\u202e/);
});

test('very deep values are shown without breaking anything', async () => {
  const deep = JSON.parse(`${'{"a":'.repeat(1200)}1${'}'.repeat(1200)}`);
  expect((await present(deep, 8000, 'dict')).text).toContain('deeper than 60 levels');
  const deeper = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
  expect((await presentValue({ type: 'list', value: deeper, chars: 40_000 }, 400, where)).whole).toBe(false);
});

// So many rows that comparing each with each would take minutes at best.
test('10 MB of short rows are summarised in linear time', async () => {
  const json = JSON.stringify(Array.from({ length: 400_000 }, (_, i) => ({ id: i, g: `g${i % 12}` })));
  const { text } = await presentValue(
    { type: 'list', value: parseValue(json), chars: json.length },
    8000,
    where,
  );
  expect(text).toContain('list of 400,000 dicts');
});

test('text is cut at lines and both ends are kept', () => {
  const text = Array.from({ length: 100 }, (_, i) => `row ${i}`).join('\n');
  expect(headTail(text, 60)).toBe(
    'row 0\nrow 1\nrow 2\n... (92 lines left out) ...\nrow 95\nrow 96\nrow 97\nrow 98\nrow 99',
  );
  expect(headTail('x'.repeat(100), 30)).toBe(
    `${'x'.repeat(10)}\n... (70 characters left out) ...\n${'x'.repeat(20)}`,
  );
  expect(headTail('short', 30)).toBe('short');
});
