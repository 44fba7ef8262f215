// @ts-check
import { SKILLS } from '../scripts/support/sample-skills.mjs';
import { poolFull, run, withServer } from './support/bench-server.mjs';
import { interleave, percentile } from './support/measure.mjs';

const ROUNDS = 40;
const WARM_UP = 5;
const BAR_MS = 5;
const SLUG = SKILLS.find(({ name }) => name === 'slug');
const WITHOUT = `${SLUG?.code}\nslug("A title")`;
const IMPORT = 'from skills import slug\nslug("A title")';
const SOURCE = 'exec(load_skill("slug"))\nslug("A title")';

/**
 * What the use of a saved skill adds to a fresh run with the same code in it, and what a save takes.
 * @param {{ backend?: string | undefined }} options
 * @returns {Promise<import('./support/measure.mjs').Result>}
 */
export async function bench({ backend }) {
  return withServer({ backend }, async (server) => {
    await poolFull(server);
    const save = async () => {
      const answer = await server.call('save_skill', { ...SLUG, overwrite: true });
      if (answer.isError) throw new Error(`a save of the bench failed:\n${answer.text}`);
      return answer.ms;
    };
    await save();
    const fresh = (/** @type {string} */ code) => async () => {
      await poolFull(server);
      return (await run(server, code)).ms;
    };
    const tasks = {
      without: fresh(WITHOUT),
      import: fresh(IMPORT),
      source: fresh(SOURCE),
      save: async () => {
        await poolFull(server);
        return save();
      },
    };
    await interleave(WARM_UP, tasks);
    const samples = await interleave(ROUNDS, tasks);
    const p50 = (/** @type {readonly number[]} */ list) => percentile(list, 0.5);
    const without = p50(samples.without);
    const added = p50(samples.import) - without;
    return {
      title: 'use of a saved skill in a fresh run',
      notes: [`${ROUNDS} rounds of each in turn after ${WARM_UP}, each with a spare worker ready; p50.`],
      rows: [
        { name: 'fresh run with the code in it', value: without, unit: 'ms' },
        {
          name: 'import of a skill adds',
          value: added,
          unit: 'ms',
          bar: `<= ${BAR_MS} ms`,
          held: added <= BAR_MS,
        },
        { name: 'exec of its source text adds', value: p50(samples.source) - without, unit: 'ms' },
        { name: 'save_skill, a spare worker ready', value: p50(samples.save), unit: 'ms' },
      ],
      data: samples,
    };
  });
}
