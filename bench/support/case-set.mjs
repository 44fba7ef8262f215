// @ts-check
import { readFileSync } from 'node:fs';

/**
 * The cases of a JSON-lines file.
 * @template T
 * @param {string | undefined} file
 * @returns {T[]}
 */
export function readCases(file) {
  if (!file) throw new Error('no file named; next: npm run bench -- python --set FILE');
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      try {
        return parseExactly(line);
      } catch {
        throw new Error(`${file}:${index + 1} is no JSON`);
      }
    });
}

/**
 * JSON.parse, but integers beyond 2**53 become their digits as text, as in an answer of the sandbox: a JavaScript number
 * would round them, and a wrong answer could pass.
 * @param {string} text
 */
function parseExactly(text) {
  const exact = text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`,
  );
  return JSON.parse(exact);
}

/**
 * Judges the cases in lanes side by side; results in the order of the cases. A case that ends its server is judged by
 * `onFault`, and the lane gets a new server.
 * @template C, R
 * @template {{ restart: () => Promise<void> }} L
 * @param {C[]} cases
 * @param {L[]} lanes
 * @param {{ judge: (lane: L, item: C) => Promise<R>, onFault: (item: C, error: unknown) => R }} judging
 * @returns {Promise<R[]>}
 */
export async function inLanes(cases, lanes, { judge, onFault }) {
  /** @type {R[]} */
  const results = new Array(cases.length);
  let next = 0;
  let done = 0;
  await Promise.all(
    lanes.map(async (lane) => {
      for (let index = next++; index < cases.length; index = next++) {
        const item = /** @type {C} */ (cases[index]);
        try {
          results[index] = await judge(lane, item);
        } catch (error) {
          results[index] = onFault(item, error);
          await lane.restart();
        }
        done += 1;
        if (done % 50 === 0) console.error(`${done} of ${cases.length}`);
      }
    }),
  );
  return results;
}
