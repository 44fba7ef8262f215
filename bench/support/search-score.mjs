// @ts-check
/** @typedef {import('./catalog-of-set.mjs').SetQuery} SetQuery */

/**
 * Scores of one ranking: the share of what is wanted among the first five, whether all of it is there, and nDCG over the
 * first ten. A tool counts for another that the set calls equivalent.
 * @param {SetQuery} query
 * @param {readonly string[]} ranking
 */
export function scoreOf({ gold, alt = {} }, ranking) {
  const ranks = gold.map((id) => {
    const places = [id, ...(alt[id] ?? [])].map((one) => ranking.indexOf(one)).filter((place) => place >= 0);
    return places.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...places) + 1;
  });
  const within = (/** @type {number} */ most) => ranks.filter((rank) => rank <= most);
  const gain = within(10).reduce((sum, rank) => sum + 1 / Math.log2(rank + 1), 0);
  const ideal = Array.from({ length: Math.min(10, gold.length) }, (_, place) => 1 / Math.log2(place + 2));
  return {
    recall5: within(5).length / gold.length,
    all5: within(5).length === gold.length ? 1 : 0,
    ndcg10: Math.min(1, gain / ideal.reduce((sum, one) => sum + one, 0)),
  };
}
