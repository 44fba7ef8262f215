import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { presentValue } from '../../../src/server/summary/present-value.js';
import { asTable, tableText } from '../../../src/server/summary/table.js';

const DATA = new URL('../../../node_modules/vega-datasets/data/', import.meta.url);
const dataset = (name: string): unknown => JSON.parse(readFileSync(new URL(name, DATA), 'utf8'));

test('3,201 films, over 100,000 LLM tokens as JSON, are summarised in under 300', async () => {
  const films = dataset('movies.json');
  const json = JSON.stringify(films);
  const where = async () => 'whole value: read_workspace_file results/run-7f3a.json';
  const { text } = await presentValue({ type: 'list', value: films, chars: json.length }, 8000, where);
  expect(encode(json).length).toBeGreaterThan(100_000);
  expect(encode(text).length).toBeLessThan(300);
  expect(text).toMatch(/^list of 3,201 dicts · whole value/);
});

test.each(['cars.json', 'movies.json', 'barley.json'])(
  'a table of %s costs fewer LLM tokens than its JSON',
  (name) => {
    const rows = (dataset(name) as unknown[]).slice(0, 30);
    const table = asTable(rows);
    expect(table).toBeDefined();
    expect(encode(table === undefined ? '' : tableText(table)).length).toBeLessThan(
      0.7 * encode(JSON.stringify(rows)).length,
    );
  },
);
