#!/usr/bin/env node
// @ts-check
/** Compiles src/ to dist/ with tsc, only what changed since the last build, and makes the bin executable. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './ensure-installed.mjs';

const DIST = path.join(ROOT, 'dist');
const BIN = path.join(DIST, 'main.js');
const BUILD_INFO = path.join(ROOT, '.cache', 'build.tsbuildinfo');

/** Builds; prints one line. @returns {boolean} false when the compiler found an error (printed). */
export function build() {
  const started = Date.now();
  removeLeftovers();
  // tsc does not notice that its output was deleted, so without output it must not find its notes either.
  if (!existsSync(BIN)) rmSync(BUILD_INFO, { force: true });
  const tsc = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [tsc, '--project', ROOT, '--incremental', '--tsBuildInfoFile', BUILD_INFO];
  const { status } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) {
    console.error(
      'failed: the TypeScript compiler found the errors above\nnext: mend them, then run npm run build',
    );
    return false;
  }
  if (existsSync(BIN)) chmodSync(BIN, 0o755);
  console.log(`build: dist/ is up to date (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return true;
}

/** Removes output whose source is gone: a deleted module must not live on in dist/ and in the package. */
function removeLeftovers() {
  if (!existsSync(DIST)) return;
  for (const entry of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath ?? entry.path, entry.name);
    const source = path.join(ROOT, 'src', path.relative(DIST, file).replace(/\.(d\.ts|js)$/, '.ts'));
    if (!existsSync(source)) rmSync(file);
  }
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exit(build() ? 0 : 1);
}
