// @ts-check
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startBarePyodide, stockSnapshot } from './support/bare-pyodide.mjs';
import { poolFull, run, withServer } from './support/bench-server.mjs';
import { interleave, percentile } from './support/measure.mjs';

const ROUNDS = 5;
const CSV_BYTES = 50_000_000;
const PART_BYTES = 8_000_000;
const CSV_RATIO_BAR = 1.6;
const SMALL_FILES = 1_000;
const SMALL_BAR_MS = 400;
const WRITE_MB = 20;
const WRITE_BAR_MS = 1_500;

const READ_CSV = `
import csv
rows, total = 0, 0.0
with open("big.csv", newline="") as f:
    for row in csv.DictReader(f):
        rows += 1
        total += float(row["amount"])
[rows, round(total, 2)]
`;
const MAKE_SMALL = `
import os
os.makedirs("small", exist_ok=True)
for i in range(${SMALL_FILES}):
    with open(f"small/{i}.txt", "w") as f:
        f.write(f"line one of {i}\\n" * 20)
`;
const READ_SMALL = `
import pathlib
sum(len(p.read_text()) for p in pathlib.Path("small").iterdir())
`;
const WRITE = `
block = bytes(range(256)) * 4096
with open("out.bin", "wb") as f:
    for _ in range(${WRITE_MB}):
        f.write(block[:1_000_000])
`;

/**
 * Workspace files into and out of fresh runs, transfer included.
 * @param {{ backend?: string | undefined }} options
 * @returns {Promise<import('./support/measure.mjs').Result>}
 */
export async function bench({ backend }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'code-execution-mcp-bench-'));
  const csv = csvText();
  const hostFile = path.join(folder, 'big.csv');
  writeFileSync(hostFile, csv);
  const bare = await startBarePyodide({ snapshot: stockSnapshot() });
  try {
    return await withServer({ backend }, async (server) => {
      await bare.put('big.csv', hostFile);
      const written = performance.now();
      for (let at = 0; at < csv.length; at += PART_BYTES) {
        const content = csv.slice(at, at + PART_BYTES);
        const mode = at === 0 ? 'overwrite' : 'append';
        const answer = await server.call('write_workspace_file', { filename: 'big.csv', content, mode });
        if (answer.isError) throw new Error(answer.text);
      }
      const writeMs = performance.now() - written;
      const fresh = async (/** @type {string} */ code) => {
        await poolFull(server);
        return run(server, code, { timeout_seconds: 120, max_output_chars: 2_000 });
      };
      /** @type {string[]} */
      const values = [];
      const ours = async () => {
        const answer = await fresh(READ_CSV);
        values.push(JSON.stringify(answer.data.result));
        return answer.ms;
      };
      const stock = async () => {
        const { ms, value } = await bare.run(
          `import json\n${READ_CSV.trimEnd().replace(/\n(.*)$/, '\njson.dumps($1)')}`,
        );
        values.push(JSON.stringify(JSON.parse(String(value))));
        return ms;
      };
      await ours();
      await stock();
      const samples = await interleave(ROUNDS, { ours, stock });
      if (new Set(values).size !== 1)
        throw new Error(`the engines disagree: ${[...new Set(values)].join(' and ')}`);

      await server.call('write_workspace_file', { filename: 'big.csv', content: '' });
      await fresh(MAKE_SMALL);
      const small = (await interleave(ROUNDS, { small: async () => (await fresh(READ_SMALL)).ms })).small;
      const write = (await interleave(ROUNDS, { write: async () => (await fresh(WRITE)).ms })).write;
      const csvMs = percentile(samples.ours, 0.5);
      const stockMs = percentile(samples.stock, 0.5);
      const smallMs = percentile(small, 0.5);
      const outMs = percentile(write, 0.5);
      return {
        title: 'workspace files',
        notes: [
          `Fresh runs, whole call; ${ROUNDS} rounds (the CSV in turn with the baseline, after one that is not counted); p50.`,
        ],
        rows: [
          {
            name: '50 MB CSV in and read by csv.DictReader',
            value: csvMs,
            unit: 'ms',
            baseline: stockMs,
            against: 'bare Pyodide, file in its memory',
            bar: `<= ${CSV_RATIO_BAR} x`,
            held: csvMs <= CSV_RATIO_BAR * stockMs,
          },
          {
            name: '1,000 small files in and read',
            value: smallMs,
            unit: 'ms',
            bar: `<= ${SMALL_BAR_MS} ms`,
            held: smallMs <= SMALL_BAR_MS,
          },
          {
            name: `${WRITE_MB} MB written and out`,
            value: outMs,
            unit: 'ms',
            bar: `<= ${WRITE_BAR_MS} ms`,
            held: outMs <= WRITE_BAR_MS,
          },
          { name: '50 MB through write_workspace_file, 8 MB a call', value: writeMs, unit: 'ms' },
        ],
        data: { ...samples, small, write },
      };
    });
  } finally {
    await bare.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ordinary rows: numbers, dates, names, a quoted field with a comma. */
function csvText() {
  const lines = ['id,date,customer,city,amount,note'];
  for (let i = 0, bytes = 0; bytes < CSV_BYTES; i++) {
    const day = String((i % 28) + 1).padStart(2, '0');
    const line = `${i},2025-03-${day},customer ${i % 997},"Springfield, ${i % 50}",${(i % 10_000) / 4},note ${(i * 7919) % 1_000_003}`;
    lines.push(line);
    bytes += line.length + 1;
  }
  return `${lines.join('\n')}\n`;
}
