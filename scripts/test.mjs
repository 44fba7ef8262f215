#!/usr/bin/env node
// @ts-check
/**
 * `npm test`: installs, builds, runs every test of the server (vitest) and of the Python runtime (pytest).
 * `npm test -- FILTER` runs the vitest files whose path contains FILTER only.
 * With REQUIRE_ALL=1 or CI=true a skipped test counts as a failure of the run: a machine that tests must have everything.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from './build.mjs';
import { ensureInstalled, ROOT } from './ensure-installed.mjs';

/** @typedef {{ passed: number, failed: number, skipped: string[], problems: string[] }} Count */

const requireAll = isSet('REQUIRE_ALL') || isSet('CI');
const filters = process.argv.slice(2);

console.log(
  'This installs what is missing, builds, and runs all tests; some start real sandboxes. Minutes, not seconds.\n',
);
await ensureInstalled();
if (!build()) process.exit(1);

const folder = mkdtempSync(path.join(tmpdir(), 'code-execution-mcp-test-'));
/** @type {Count[]} */
let counts;
try {
  counts = [vitest(), ...(filters.length === 0 ? [pytest()] : [])];
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
const skipped = counts.flatMap((count) => count.skipped);
const problems = counts.flatMap((count) => count.problems);
if (skipped.length > 0) {
  console.log(`\nskipped, with what is missing:\n${skipped.map((title) => `- ${title}`).join('\n')}`);
  if (requireAll) problems.push('tests were skipped, and CI or REQUIRE_ALL is set: install what they name');
}
if (passed + failed === 0) problems.push('no test ran: the filter matches no file under test/');
if (failed > 0)
  problems.push('tests failed: the reports above say where; npm test -- FILTER runs one file again');
for (const problem of problems) console.error(`failed: ${problem}`);
console.log(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped`);
process.exit(problems.length > 0 ? 1 : 0);

/** @returns {Count} */
function vitest() {
  const report = path.join(folder, 'vitest.json');
  const bin = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [
    bin,
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...filters,
  ];
  const { status } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (!existsSync(report)) return { passed: 0, failed: 0, skipped: [], problems: ['vitest left no report'] };
  /** @type {{ testResults: { name: string, status: string, message: string, assertionResults: { status: string, fullName: string }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const tests = testResults.flatMap((file) => file.assertionResults);
  const failed = tests.filter((test) => test.status === 'failed').length;
  const passed = tests.filter((test) => test.status === 'passed').length;
  const skipped = tests
    .filter((test) => !['passed', 'failed'].includes(test.status))
    .map((test) => test.fullName);
  const broken = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const problems = broken.map(
    (file) => `${path.relative(ROOT, file.name)} could not be run: ${file.message}`,
  );
  if (status !== 0 && failed === 0 && broken.length === 0) problems.push(`vitest ended with code ${status}`);
  return { passed, failed: failed + broken.length, skipped, problems };
}

/** The tests of python/, on the system's Python: the same code runs there and in Pyodide. @returns {Count} */
function pytest() {
  const none = { passed: 0, failed: 0, problems: [] };
  if (spawnSync('python3', ['--version'], { stdio: 'ignore' }).status !== 0) {
    return { ...none, skipped: ['python/tests [needs python3: install Python 3.9 or newer]'] };
  }
  if (spawnSync('python3', ['-m', 'pytest', '--version'], { stdio: 'ignore' }).status !== 0) {
    return { ...none, skipped: ['python/tests [needs pytest: pip install -r python/requirements-dev.txt]'] };
  }
  const report = path.join(folder, 'pytest.xml');
  const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', `--junitxml=${report}`, 'tests'];
  const { status } = spawnSync('python3', args, {
    cwd: path.join(ROOT, 'python'),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  if (!existsSync(report))
    return { ...none, skipped: [], problems: [`pytest ended with code ${status} and left no report`] };
  const xml = readFileSync(report, 'utf8');
  const total = xmlCount(xml, 'tests');
  const failed = xmlCount(xml, 'failures') + xmlCount(xml, 'errors');
  const skips = [...xml.matchAll(/<testcase [^>]*\bname="([^"]*)"[^>]*><skipped [^>]*\bmessage="([^"]*)"/g)];
  const problems = status !== 0 && failed === 0 ? [`pytest ended with code ${status}`] : [];
  const skipped = skips.map(([, name, reason]) => `python/tests ${name} [${reason}]`);
  return { passed: total - failed - xmlCount(xml, 'skipped'), failed, skipped, problems };
}

/**
 * @param {string} xml
 * @param {string} attribute
 */
function xmlCount(xml, attribute) {
  return Number(xml.match(new RegExp(`<testsuite\\b[^>]*\\b${attribute}="(\\d+)"`))?.[1] ?? 0);
}

/** @param {string} name */
function isSet(name) {
  return !['', '0', 'false', undefined].includes(process.env[name]);
}
