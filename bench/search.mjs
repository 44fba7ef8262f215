// @ts-check
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { searchTools } from '../dist/server/tools/search-tools.js';
import { llmTokens } from '../scripts/support/tokens.mjs';
import { catalogOf, listingsOf, readSet, toolsUpTo } from './support/catalog-of-set.mjs';
import { median, percentile } from './support/measure.mjs';
import { scoreOf } from './support/search-score.mjs';

/** @typedef {import('./support/catalog-of-set.mjs').SearchSet} SearchSet */

const MAIN = fileURLToPath(new URL('./support/build-catalog-main.mjs', import.meta.url));
const RANKED = 10;
const LARGE = 8_000;
const TOKENS_BAR = 200;
/** Fresh processes per build figure; the least disturbed one counts. */
const BUILDS = 3;

/**
 * Ranks the queries of a set with the product's catalogue: quality, latency, build time, tokens of a default answer.
 * @param {{ set?: string | undefined, rankings?: string | undefined }} options
 * @returns {Promise<import('./support/measure.mjs').Result>}
 */
export async function bench({ set: file = '', rankings }) {
  const set = readSet(file);
  const ranked = await rankAll(set);
  if (rankings !== undefined)
    writeFileSync(rankings, `${JSON.stringify(Object.fromEntries(ranked.orders))}\n`);
  const scores = set.queries.map((query) => scoreOf(query, ranked.orders.get(query.id) ?? []));
  const percent = (/** @type {'recall5' | 'all5' | 'ndcg10'} */ key) =>
    (100 * scores.reduce((sum, score) => sum + score[key], 0)) / scores.length;
  const large = await latencies(toolsUpTo(set.tools, LARGE), set.queries.slice(0, 300));
  const tokens = await answerTokens(set);
  const row = (
    /** @type {string} */ name,
    /** @type {number} */ value,
    /** @type {string} */ unit,
    bar = 0,
  ) => ({
    name,
    value,
    unit,
    ...(bar === 0 ? {} : { bar: `<= ${bar} ${unit}`, held: value <= bar }),
  });
  return {
    title: `search in ${set.name}: ${set.tools.length} tools, ${set.queries.length} queries`,
    notes: [
      'Cold builds are of fresh processes, the best of three; more tools than the set has are its own, repeated.',
      ...(rankings === undefined ? [] : [`Rankings: ${rankings}`]),
    ],
    rows: [
      row('recall@5', percent('recall5'), '%'),
      row('all@5', percent('all5'), '%'),
      row('nDCG@10', percent('ndcg10'), '%'),
      row(`query at ${set.tools.length} tools, p50`, median(ranked.ms), 'ms'),
      row(`query at ${set.tools.length} tools, p95`, percentile(ranked.ms, 0.95), 'ms'),
      row(`query at ${LARGE} tools, p50`, median(large), 'ms', 1),
      row('index of 1,000 tools, cold', coldBuild(file, 1_000, 'index'), 'ms', 150),
      row(`index of ${LARGE} tools, cold`, coldBuild(file, LARGE, 'index'), 'ms', 1_000),
      row('whole catalogue of 1,000 tools, cold', coldBuild(file, 1_000, 'catalogue'), 'ms'),
      row('LLM tokens of a default answer, mean', tokens, 'tokens', TOKENS_BAR),
    ],
    data: { scores: Object.fromEntries(set.queries.map((query, index) => [query.id, scores[index]])) },
  };
}

/** @param {SearchSet} set */
async function rankAll({ tools, queries }) {
  const ids = new Map(tools.map((tool) => [JSON.stringify([tool.server, tool.name]), tool.id]));
  const catalog = catalogOf(listingsOf(tools));
  await catalog.counts();
  /** @type {Map<string, string[]>} */
  const orders = new Map();
  const ms = [];
  for (const { id, query } of queries) {
    const started = performance.now();
    const { hits } = await catalog.search(query, { limit: RANKED, offset: 0 });
    ms.push(performance.now() - started);
    orders.set(
      id,
      hits.flatMap(({ entry }) => ids.get(JSON.stringify([entry.source.server, entry.remoteName])) ?? []),
    );
  }
  return { orders, ms };
}

/**
 * @param {SearchSet['tools']} tools
 * @param {SearchSet['queries']} queries
 */
async function latencies(tools, queries) {
  const catalog = catalogOf(listingsOf(tools));
  await catalog.counts();
  const ms = [];
  for (const { query } of queries) {
    const started = performance.now();
    await catalog.search(query, { limit: 5, offset: 0 });
    ms.push(performance.now() - started);
  }
  return ms;
}

/**
 * @param {string} file
 * @param {number} tools
 * @param {'index' | 'catalogue'} what
 */
function coldBuild(file, tools, what) {
  const times = Array.from({ length: BUILDS }, () =>
    Number(execFileSync(process.execPath, [MAIN, file, String(tools), what], { encoding: 'utf8' })),
  );
  return Math.min(...times);
}

/**
 * The text of search_tools as a model reads it, with all arguments left at their defaults.
 * @param {SearchSet} set
 */
async function answerTokens({ tools, queries }) {
  const listings = listingsOf(tools).map(({ source, tools: own }) => ({
    source: { ...source, kind: /** @type {const} */ ('server') },
    tools: own,
  }));
  const tool = searchTools(catalogOf(listings), { maxOutputChars: 8_000 });
  let sum = 0;
  for (const { query } of queries) {
    const args = tool.input.parse({ query: query.slice(0, 4_000) });
    const answer = await tool.handle(args, /** @type {never} */ (undefined));
    const { text } = await answer.prepare(async (facts) => facts);
    sum += llmTokens(text);
  }
  return sum / queries.length;
}
