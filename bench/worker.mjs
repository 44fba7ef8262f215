// @ts-check
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WasmSandbox } from '../dist/sandbox/wasm/wasm-sandbox.js';
import { startBarePyodide, stockSnapshot } from './support/bare-pyodide.mjs';
import { interleave, percentile } from './support/measure.mjs';

const PAIRS = 11;
const RATIO_BAR = 0.65;
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * A worker from nothing to ready (it has computed 1+1), with all layers that this machine has, against the stock Pyodide
 * loader with its own snapshot in the same Deno without any layer.
 * @returns {Promise<import('./support/measure.mjs').Result>}
 */
export async function bench() {
  const snapshot = stockSnapshot();
  const cacheDir = mkdtempSync(path.join(tmpdir(), 'code-execution-mcp-cache-'));
  // Workers of a root server run under another uid and have to reach it.
  chmodSync(cacheDir, 0o755);
  const sandbox = new WasmSandbox({ cacheDir, memoryMb: 512, workspaceMb: 256, pool: 0, logger: SILENT });
  try {
    const ours = async () => {
      const begin = performance.now();
      const worker = await sandbox.acquire({ principal: 'bench' });
      const ms = performance.now() - begin;
      await worker.kill();
      return ms;
    };
    const stock = async () => {
      const bare = await startBarePyodide({ snapshot });
      await bare.close();
      return bare.readyMs;
    };
    await ours();
    await stock();
    const samples = await interleave(PAIRS, { ours, stock });
    const value = percentile(samples.ours, 0.5);
    const baseline = percentile(samples.stock, 0.5);
    return {
      title: 'worker',
      notes: [`${PAIRS} pairs in turn after one that is not counted; p50; time until 1+1 is computed.`],
      rows: [
        {
          name: 'worker ready',
          value,
          unit: 'ms',
          baseline,
          against: 'stock Pyodide, its snapshot',
          bar: `<= ${RATIO_BAR} x`,
          held: value <= RATIO_BAR * baseline,
        },
      ],
      data: samples,
    };
  } finally {
    await sandbox[Symbol.asyncDispose]();
    rmSync(cacheDir, { recursive: true, force: true });
  }
}
