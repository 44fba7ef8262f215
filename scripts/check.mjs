#!/usr/bin/env node
// @ts-check
/**
 * `npm run check`: everything that can be said about the project without running it. All steps run, all findings are
 * printed. With REQUIRE_ALL=1 or CI=true a step that cannot run here is a failure.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { build } from './build.mjs';
import { ensureInstalled, ROOT } from './ensure-installed.mjs';

await ensureInstalled();
if (!build()) process.exit(1);

const { brokenLinks, brokenSnippets } = await import('./support/check-docs.mjs');
const { forbiddenText, longFiles } = await import('./support/check-text.mjs');
const { projectFiles } = await import('./support/project-files.mjs');

const PLAIN = { ...process.env, NO_COLOR: '1' };
const files = projectFiles();
const requireAll = [process.env.CI, process.env.REQUIRE_ALL].some(
  (value) => value && value !== '0' && value !== 'false',
);

/** A step gives its findings, or undefined if it cannot run here. @type {[string, () => string[] | undefined][]} */
const steps = [
  [
    'format and lint (biome)',
    () => command(bin('@biomejs/biome/bin/biome'), ['check', '--error-on-warnings', '--colors=off', '.']),
  ],
  ['types of src', () => command(bin('typescript/bin/tsc'), ['--noEmit', '--project', 'tsconfig.json'])],
  [
    'types of test, bench, scripts',
    () => command(bin('typescript/bin/tsc'), ['--project', 'tsconfig.test.json']),
  ],
  ['import boundaries', () => command(bin('vitest/vitest.mjs'), ['run', 'test/architecture.test.ts'])],
  ['python format (ruff)', () => python('ruff', ['format', '--check', '--no-cache', 'src', 'tests'])],
  ['python lint (ruff)', () => python('ruff', ['check', '--no-cache', 'src', 'tests'])],
  ['python types (mypy)', () => python('mypy', ['--cache-dir', path.join(ROOT, '.cache', 'mypy')])],
  [
    'generated reference is fresh',
    () => command([path.join(ROOT, 'scripts', 'generate-reference.mjs')], ['--check']),
  ],
  ['JSON in the documentation', () => brokenSnippets(files)],
  ['links in the documentation', () => brokenLinks(files)],
  ['length of files', () => longFiles(files)],
  ['text of one machine', () => forbiddenText(files)],
];

let failed = 0;
let skipped = 0;
for (const [name, run] of steps) {
  const started = Date.now();
  const findings = run();
  const time = `${((Date.now() - started) / 1000).toFixed(1)} s`;
  if (findings === undefined) {
    skipped += 1;
    console.log(`skip  ${name}: not installed (pip install -r python/requirements-dev.txt)`);
  } else if (findings.length === 0) {
    console.log(`ok    ${name} (${time})`);
  } else {
    failed += 1;
    console.log(
      `FAIL  ${name} (${time})\n${findings.map((finding) => finding.replace(/^/gm, '      ')).join('\n')}`,
    );
  }
}
console.log(
  `\n${steps.length - failed - skipped} checks held, ${failed} did not, ${skipped} could not run here`,
);
if (failed > 0)
  console.log('next: npm run format mends what can be mended by machine; the rest is named above');
process.exit(failed > 0 || (requireAll && skipped > 0) ? 1 : 0);

/** @param {string} file */
function bin(file) {
  return [path.join(ROOT, 'node_modules', file)];
}

/**
 * @param {string[]} script
 * @param {string[]} args
 * @returns {string[]}
 */
function command(script, args) {
  return outcome(
    spawnSync(process.execPath, [...script, ...args], { cwd: ROOT, encoding: 'utf8', env: PLAIN }),
  );
}

/**
 * @param {string} tool
 * @param {string[]} args
 * @returns {string[] | undefined}
 */
function python(tool, args) {
  const cwd = path.join(ROOT, 'python');
  if (spawnSync('python3', ['-m', tool, '--version'], { cwd, stdio: 'ignore' }).status !== 0)
    return undefined;
  return outcome(spawnSync('python3', ['-m', tool, ...args], { cwd, encoding: 'utf8' }));
}

/** @param {{ status: number | null, stdout: string, stderr: string }} result */
function outcome({ status, stdout, stderr }) {
  return status === 0 ? [] : [`${stdout}${stderr}`.trim() || `ended with code ${status}`];
}
