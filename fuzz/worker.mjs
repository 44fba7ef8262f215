// @ts-check
/**
 * One process of a campaign: `TARGET SEED RUNS SECONDS`, where 0 runs or seconds set no limit. It tells its parent before and
 * after every batch, so that the parent knows the seed of a batch in which it hangs or dies.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { runBatch } from './support/campaign.mjs';
import { openTarget } from './targets.mjs';

/** A batch should take about so long; the first is small. */
const BATCH_MS = 2_000;
const FIRST_RUNS = 200;
/** Making a crash small may take a while. */
const LIMIT_MS = 45_000;
/** Of the whole process. What readers hold is bounded, so more is a leak. */
const MAX_RSS = 1.5 * 1024 ** 3;

const [name = '', seedText = '1', runsText = '0', secondsText = '0'] = process.argv.slice(2);
const most = Number(runsText) || Number.POSITIVE_INFINITY;
const deadline = performance.now() + (Number(secondsText) * 1_000 || Number.POSITIVE_INFINITY);
// A parent that is gone wants no more.
process.on('disconnect', () => process.exit(1));
const target = await openTarget(name);
let seed = Number(seedText) | 0;
let done = 0;
let size = FIRST_RUNS;
while (done < most && performance.now() < deadline) {
  const runs = Math.min(size, most - done);
  tell({ begin: { seed, runs } });
  const started = performance.now();
  const batch = await runBatch(target, { seed, runs, limitMs: LIMIT_MS });
  done += batch.cases;
  const { rss } = process.memoryUsage();
  if (!batch.crash && rss > MAX_RSS)
    batch.crash = {
      seed,
      error: `the process holds ${Math.round(rss / 1e6)} MB`,
      input: '(grown over many inputs)',
    };
  tell({ end: batch });
  if (batch.crash) break;
  size = Math.max(50, Math.min(4 * size, Math.round((runs * BATCH_MS) / (performance.now() - started))));
  seed = (seed + 0x6d2b79f5) | 0;
  await turn();
}
await target.close?.();
process.exit(0);

/** @param {object} message */
function tell(message) {
  process.send?.(message);
}
