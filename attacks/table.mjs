// @ts-check

/**
 * What became of a case.
 * @typedef {object} Verdict
 * @property {string} id
 * @property {string} kind
 * @property {'passed' | 'failed' | 'not applicable' | 'not run'} verdict
 * @property {string[]} failures What differs from the expectation, or why it was not run.
 * @property {string[]} notes
 * @property {number} ms
 */

const COLUMNS = /** @type {const} */ (['passed', 'failed', 'not run', 'not applicable']);

/**
 * One line a kind, and a last one for all.
 * @param {readonly Verdict[]} verdicts
 * @returns {string}
 */
export function tableByKind(verdicts) {
  const kinds = [...new Set(verdicts.map(({ kind }) => kind))].sort();
  const row = (/** @type {string} */ name, /** @type {readonly Verdict[]} */ own) => [
    name,
    ...COLUMNS.map((column) => String(own.filter(({ verdict }) => verdict === column).length)),
  ];
  const rows = [
    ['kind', ...COLUMNS],
    ...kinds.map((kind) =>
      row(
        kind,
        verdicts.filter((each) => each.kind === kind),
      ),
    ),
    row('all', verdicts),
  ];
  const widths =
    rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
  return rows
    .map((cells) =>
      cells
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

/** @param {Verdict} verdict @returns {string} one case with everything that is wrong with it. */
export function detail({ id, kind, verdict, failures, notes, ms }) {
  const lines = [`${verdict}  ${id} (${kind}, ${(ms / 1000).toFixed(1)} s)`];
  for (const text of [...failures, ...notes.map((note) => `note: ${note}`)]) lines.push(`    ${text}`);
  return lines.join('\n');
}

/** True if nothing stands in the way of a landing. @param {readonly Verdict[]} verdicts */
export function holds(verdicts) {
  return (
    verdicts.some(({ verdict }) => verdict === 'passed') &&
    verdicts.every(({ verdict }) => verdict === 'passed' || verdict === 'not applicable')
  );
}
