// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../ensure-installed.mjs';

const DATA = path.join(ROOT, 'node_modules', 'vega-datasets', 'data', 'birdstrikes.csv');
const SEASONS = ['winter', 'spring', 'summer', 'autumn'];

/** @typedef {Record<string, string>} Report One row of birdstrikes.csv. */

/**
 * Writes the 10,000 bird strikes of vega-datasets as 200 text files, one for each of the 50 airports and each season,
 * every strike a form of nine lines.
 * @param {string} folder
 * @returns {Map<string, Report[]>} The reports of each file, by its name.
 */
export function writeReports(folder) {
  /** @type {Map<string, Report[]>} */
  const files = new Map();
  for (const report of strikes()) {
    const month = Number(report['Flight Date']?.slice(5, 7));
    const airport = report['Airport Name']?.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const file = `${airport}-${SEASONS[Math.floor((month % 12) / 3)]}.txt`;
    files.set(file, [...(files.get(file) ?? []), report]);
  }
  for (const [file, reports] of files) writeFileSync(path.join(folder, file), reports.map(form).join('\n'));
  return files;
}

/** @returns {Report[]} */
function strikes() {
  const [head = '', ...lines] = readFileSync(DATA, 'utf8').trim().split(/\r?\n/);
  const names = head.split(',');
  return lines.map((line) => {
    const cells = [...line.matchAll(/"([^"]*)"|[^",]+|(?<=^|,)(?=,|$)/g)].map(
      ([cell, quoted]) => quoted ?? cell,
    );
    if (cells.length !== names.length)
      throw new Error(`birdstrikes.csv has a line that cannot be read: ${line}`);
    return Object.fromEntries(names.map((name, column) => [name, cells[column] ?? '']));
  });
}

/**
 * @param {Report} report
 * @param {number} index
 */
function form(report, index) {
  const speed = report['Speed IAS in knots'] || 'unknown';
  return `Strike report ${index + 1}
Date: ${report['Flight Date']}, ${report['Time of day']}
Airport: ${report['Airport Name']}, ${report['Origin State']}
Operator: ${report['Aircraft Airline Operator']}
Aircraft: ${report['Aircraft Make Model']}
Phase: ${report['Phase of flight']}, speed ${speed}
Wildlife: ${report['Wildlife Species']} (${report['Wildlife Size']})
Damage: ${report['Effect Amount of damage']}
Cost: repair $${report['Cost Repair']}, other $${report['Cost Other']}, total $${report['Cost Total $']}
`;
}
