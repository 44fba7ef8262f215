// @ts-check
import { isDeepStrictEqual } from 'node:util';
import { startBarePyodide, stockSnapshot } from './support/bare-pyodide.mjs';
import { run, withServer } from './support/bench-server.mjs';
import { CPU_PROGRAMS, timedProgram } from './support/cpu-programs.mjs';
import { startCpython } from './support/cpython.mjs';
import { interleave, median } from './support/measure.mjs';

const ROUNDS = 9;
const RATIO_BAR = 1.1;

/** @typedef {{ ms: number, value: unknown }} Timed */

/**
 * Programs timed inside the interpreter: in the sandbox, in bare Pyodide, in the system's Python.
 * @returns {Promise<import('./support/measure.mjs').Result>}
 */
export async function bench() {
  const bare = await startBarePyodide({ snapshot: stockSnapshot() });
  const cpython = startCpython();
  try {
    return await withServer({ sandbox: { pool: 0 } }, async (server) => {
      /** @type {import('./support/measure.mjs').Row[]} */
      const rows = [];
      /** @type {Record<string, unknown>} */
      const data = {};
      const ratios = [];
      const fastest = [];
      for (const [name, program] of Object.entries(CPU_PROGRAMS)) {
        const code = timedProgram(program);
        /** @type {Timed[]} */
        const answers = [];
        const keep = (/** @type {unknown} */ json) => {
          const timed = /** @type {Timed} */ (JSON.parse(String(json)));
          answers.push(timed);
          return timed.ms;
        };
        const sandbox = async () => keep((await run(server, code, { session: 'cpu' })).data.result);
        const stock = async () => keep((await bare.run(code)).value);
        const native = async () => keep(await cpython?.run(code));
        const tasks = cpython ? { sandbox, stock, native } : { sandbox, stock };
        for (const task of Object.values(tasks)) await task();
        const samples = /** @type {Record<string, number[]>} */ (await interleave(ROUNDS, tasks));
        if (answers.some((answer) => !isDeepStrictEqual(answer.value, answers[0]?.value))) {
          throw new Error(
            `${name}: the engines disagree: ${JSON.stringify(answers.map((answer) => answer.value))}`,
          );
        }
        const ours = median(samples.sandbox ?? []);
        const theirs = median(samples.stock ?? []);
        ratios.push(ours / theirs);
        fastest.push(Math.min(...(samples.sandbox ?? [])) / Math.min(...(samples.stock ?? [])));
        rows.push({
          name,
          value: ours,
          unit: 'ms',
          baseline: theirs,
          against: 'bare Pyodide',
          bar: `<= ${RATIO_BAR} x`,
          held: ours <= RATIO_BAR * theirs,
        });
        if (samples.native) {
          rows.push({
            name: `  ${name} against CPython`,
            value: ours,
            unit: 'ms',
            baseline: median(samples.native),
            against: `CPython ${cpython?.version}`,
          });
        }
        data[name] = samples;
      }
      rows.push({ name: 'median of the ratios to bare Pyodide', value: median(ratios), unit: 'x' });
      // On a busy machine the fastest rounds tell more than the medians.
      rows.push({ name: 'the same of the fastest rounds', value: median(fastest), unit: 'x' });
      return {
        title: 'CPU programs',
        notes: [
          `Timed inside the interpreter; ${ROUNDS} rounds in turn after one that is not counted; medians; all engines gave the same values.`,
        ],
        rows,
        data,
      };
    });
  } finally {
    await bare.close();
    await cpython?.close();
  }
}
