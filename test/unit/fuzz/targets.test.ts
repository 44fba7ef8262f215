import { expect, test } from 'vitest';
import { runBatch } from '../../../fuzz/support/campaign.mjs';
import { openTarget, TARGETS } from '../../../fuzz/targets.mjs';

/** The same inputs each time, so that no change fails by chance: `npm run fuzz` looks for new ones. FUZZ_SEED=N tries others here. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_201);

test.each(Object.keys(TARGETS))(
  '%s: the promise of the target holds for every input that is tried',
  async (name) => {
    const target = await openTarget(name);
    try {
      // Without its fast loop: what a test finds is made small by fast-check.
      const { promise, runs, input, check } = target;
      const { cases, crash } = await runBatch({ promise, runs, input, check }, { seed: SEED, runs });
      const again = `${promise}; again: npm run fuzz -- --target ${name} --seed ${crash?.seed}`;
      expect(crash, again).toBeUndefined();
      expect(cases).toBe(runs);
    } finally {
      await target.close?.();
    }
  },
);
