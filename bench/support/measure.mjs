// @ts-check
/**
 * One line of a bench's table.
 * @typedef {object} Row
 * @property {string} name
 * @property {number} value
 * @property {string} unit
 * @property {number} [baseline] The figure of the baseline in the same run.
 * @property {string} [against] What the baseline is.
 * @property {string} [bar] The bar, for people.
 * @property {boolean} [held] Whether the bar was held; absent: no bar.
 */

/**
 * What a bench gives back: a table, and everything measured for the JSON.
 * @typedef {{ title: string, notes: string[], rows: Row[], data?: unknown }} Result
 */

/**
 * The value below which a share of the samples lies (nearest rank).
 * @param {readonly number[]} samples
 * @param {number} share 0 to 1
 * @returns {number}
 */
export function percentile(samples, share) {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))];
  if (value === undefined) throw new Error('percentile of no samples');
  return value;
}

/** @param {readonly number[]} samples */
export function median(samples) {
  return percentile(samples, 0.5);
}

/**
 * Rows for the percentiles of a latency.
 * @param {string} name
 * @param {readonly number[]} samples Milliseconds.
 * @param {number} [p50Bar] Bar of the p50 in milliseconds.
 * @returns {Row[]}
 */
export function latencyRows(name, samples, p50Bar) {
  const p50 = percentile(samples, 0.5);
  const bar = p50Bar === undefined ? {} : { bar: `<= ${p50Bar} ms`, held: p50 <= p50Bar };
  return [
    { name: `${name}, p50 of ${samples.length}`, value: p50, unit: 'ms', ...bar },
    { name: `${name}, p95`, value: percentile(samples, 0.95), unit: 'ms' },
    { name: `${name}, p99`, value: percentile(samples, 0.99), unit: 'ms' },
  ];
}

/**
 * Runs the tasks in turn, so that a machine that gets busy hurts all alike.
 * @template {Record<string, () => Promise<number>>} T
 * @param {number} rounds
 * @param {T} tasks Each gives its sample.
 * @returns {Promise<Record<keyof T, number[]>>}
 */
export async function interleave(rounds, tasks) {
  const samples = /** @type {Record<keyof T, number[]>} */ ({});
  for (const name of Object.keys(tasks)) samples[/** @type {keyof T} */ (name)] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [name, task] of Object.entries(tasks))
      samples[/** @type {keyof T} */ (name)].push(await task());
  }
  return samples;
}

/**
 * @param {() => Promise<unknown>} task
 * @returns {Promise<number>} Milliseconds.
 */
export async function timed(task) {
  const started = performance.now();
  await task();
  return performance.now() - started;
}

/**
 * A result as a table for a terminal.
 * @param {Result} result
 * @returns {string}
 */
export function table({ title, notes, rows }) {
  const cells = rows.map((row) => [
    row.name,
    figure(row.value, row.unit),
    row.baseline === undefined ? '' : `${figure(row.baseline, row.unit)} ${row.against ?? ''}`.trim(),
    row.baseline === undefined ? '' : `${(row.value / row.baseline).toFixed(2)} x`,
    row.bar === undefined ? '' : `${row.bar}: ${row.held ? 'held' : 'MISSED'}`,
  ]);
  const lines = [['figure', 'value', 'baseline, same run', 'ratio', 'bar'], ...cells];
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [`\n## ${title}`, ...notes, ...text].join('\n');
}

/**
 * @param {number} value
 * @param {string} unit
 */
function figure(value, unit) {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(digits)} ${unit}`;
}
