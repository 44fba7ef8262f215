import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../support/project-root.js';
import { rankedSet } from './ranked-set.js';

const FOLDER = path.join(PROJECT_ROOT, '..', 'shared', 'bench', 'tool-search');

describe.skipIf(!existsSync(FOLDER))('on the development sets (skipped where they are not there)', () => {
  test.each([
    { set: 'dev.json', recall5: 0.72, all5: 0.6, ndcg10: 0.65 },
    { set: 'dev-scale.json', recall5: 0.91, all5: 0.74, ndcg10: 0.9 },
  ])('the ranking of $set holds its bars', async ({ set, recall5, all5, ndcg10 }) => {
    const score = await rankedSet(path.join(FOLDER, set));
    expect(score.recall5).toBeGreaterThanOrEqual(recall5);
    expect(score.all5).toBeGreaterThanOrEqual(all5);
    expect(score.ndcg10).toBeGreaterThanOrEqual(ndcg10);
  });
});
