import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LineLog } from '../../../src/fs/line-log.js';

let folder: string;
const errors: unknown[] = [];
const log = (maxBytes: number, name = 'audit.jsonl') =>
  new LineLog({
    file: path.join(folder, 'log', name),
    maxBytes,
    keep: 2,
    onError: (error) => errors.push(error),
  });

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'line-log-'));
  errors.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('lines are written in the order in which they were added, readable by the owner only', async () => {
  const lines = log(1_000_000);
  for (let n = 0; n < 500; n++) lines.add({ n });
  await lines.flush();
  const file = path.join(folder, 'log/audit.jsonl');
  const numbers = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).n);
  expect(numbers).toEqual(Array.from({ length: 500 }, (_, n) => n));
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a full file is rotated, and only the newest ones are kept', async () => {
  const lines = log(40);
  for (let n = 0; n < 8; n++) {
    lines.add({ n, text: 'x'.repeat(20) });
    await lines.flush();
  }
  expect(readdirSync(path.join(folder, 'log')).sort()).toEqual([
    'audit.jsonl',
    'audit.jsonl.1',
    'audit.jsonl.2',
  ]);
  expect(JSON.parse(readFileSync(path.join(folder, 'log/audit.jsonl'), 'utf8')).n).toBe(7);
  expect(JSON.parse(readFileSync(path.join(folder, 'log/audit.jsonl.2'), 'utf8')).n).toBe(5);
});

test('a log that cannot be written reports it and disturbs nobody', async () => {
  const lines = log(1_000, 'a\0b');
  lines.add({ n: 1 });
  await lines.flush();
  expect(errors).toHaveLength(1);
});
