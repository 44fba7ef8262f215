// @ts-check
import { poolFull, run, withServer } from './support/bench-server.mjs';
import { median } from './support/measure.mjs';

const ROUNDS = 3;
const LIMIT_SECONDS = 1;
const LATE_BAR_MS = 2_000;
/** None of these ends by itself. */
const PROGRAMS = {
  'an endless loop': 'while True:\n    pass',
  'a loop that swallows the interrupt':
    'while True:\n    try:\n        while True: pass\n    except BaseException:\n        pass',
  'a sleep': 'import time\ntime.sleep(3600)',
  'a sum inside C code': 'sum(range(10 ** 15))',
  'a regular expression': 'import re\nre.match(r"(a+)+$", "a" * 64 + "b")',
};

/**
 * How late the answer to a run is that its time limit ends.
 * @param {{ backend?: string | undefined }} options
 * @returns {Promise<import('./support/measure.mjs').Result>}
 */
export async function bench({ backend }) {
  return withServer({ backend }, async (server) => {
    /** @type {number[]} */
    const plain = [];
    /** @type {Map<string, number[]>} */
    const late = new Map(Object.keys(PROGRAMS).map((name) => [name, []]));
    await run(server, '1');
    for (let round = 0; round < ROUNDS; round++) {
      await poolFull(server);
      plain.push((await run(server, '1')).ms);
      for (const [name, code] of Object.entries(PROGRAMS)) {
        await poolFull(server);
        const answer = await server.call('execute_code', { code, timeout_seconds: LIMIT_SECONDS });
        if (answer.code !== 'timeout') throw new Error(`${name} was not stopped:\n${answer.text}`);
        late.get(name)?.push(answer.ms - LIMIT_SECONDS * 1_000);
      }
    }
    const baseline = median(plain);
    return {
      title: 'answers after a time limit',
      notes: [
        `Time from the call to the answer less the limit of ${LIMIT_SECONDS} s; the latest of ${ROUNDS} fresh runs each, a spare ready.`,
      ],
      rows: [...late].map(([name, samples]) => ({
        name: `late by, ${name}`,
        value: Math.max(...samples),
        unit: 'ms',
        baseline,
        against: 'the run of "1"',
        bar: `<= ${LATE_BAR_MS} ms`,
        held: Math.max(...samples) <= LATE_BAR_MS,
      })),
      data: { plain, late: Object.fromEntries(late) },
    };
  });
}
