#!/usr/bin/env node
// @ts-check
/**
 * Makes sure that this Node is new enough and that node_modules holds what package-lock.json says. Imports nothing but
 * Node itself: when it runs, nothing may be installed yet.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root folder. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** @type {[number, number]} */
const MIN_NODE = [20, 19];
const HEARTBEAT_MS = 5_000;

/** @typedef {{ version?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockEntry */

/** Checks Node and installs what is missing. Prints what it does; ends the process with a next step if it fails. */
export async function ensureInstalled() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1])) {
    fail(
      `Node ${process.versions.node} is too old: this project needs ${MIN_NODE.join('.')} or newer.`,
      'install a current Node (22 or 24), then run the same command again.',
    );
  }
  const missing = missingPackages();
  if (missing.length === 0) return;
  const command = existsSync(path.join(ROOT, 'package-lock.json')) ? 'ci' : 'install';
  const reason = existsSync(path.join(ROOT, 'node_modules'))
    ? `${missing.length} packages differ`
    : 'first time';
  console.log(`install: npm ${command} (${reason}); no install script of any package is run`);
  const started = Date.now();
  const code = await npm(
    [command, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    started,
  );
  if (code !== 0) {
    fail(
      `npm ${command} ended with code ${code}.`,
      'read the npm error above; check that the npm registry can be reached (npm ping), then run the command again.',
    );
  }
  console.log(`install: done in ${seconds(started)}`);
  const still = missingPackages();
  if (still.length > 0) {
    fail(
      `after the installation these packages are still missing: ${still.slice(0, 5).join(', ')}`,
      'delete node_modules, check "npm config get omit" (optional packages are needed), run the command again.',
    );
  }
}

/**
 * Names of packages that package-lock.json wants on this machine and node_modules does not have in that version.
 * @returns {string[]}
 */
function missingPackages() {
  const wanted = readLock(path.join(ROOT, 'package-lock.json'));
  const present = readLock(path.join(ROOT, 'node_modules', '.package-lock.json'));
  if (!wanted) return present ? [] : ['everything'];
  const missing = [];
  for (const [place, entry] of Object.entries(wanted)) {
    if (place === '' || !fitsThisMachine(entry)) continue;
    const there = present?.[place];
    if (there?.version !== entry.version || !existsSync(path.join(ROOT, place))) missing.push(place);
  }
  return missing;
}

/**
 * @param {string} file
 * @returns {Record<string, LockEntry> | undefined}
 */
function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * True for what must be there. An optional package that names no system hangs on another system's optional package.
 * @param {LockEntry} entry
 */
function fitsThisMachine(entry) {
  if (!entry.optional) return true;
  if (!entry.os) return false;
  if (!allows(entry.os, process.platform) || !allows(entry.cpu, process.arch)) return false;
  if (process.platform !== 'linux') return true;
  const report = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  const libc = report.header.glibcVersionRuntime ? 'glibc' : 'musl';
  return allows(entry.libc, libc);
}

/**
 * @param {string[] | undefined} list
 * @param {string} value
 */
function allows(list, value) {
  if (!list) return true;
  if (list.includes(`!${value}`)) return false;
  return list.includes(value) || list.every((item) => item.startsWith('!'));
}

/**
 * Runs npm with a line every few seconds, so that nobody thinks it hangs.
 * @param {string[]} args
 * @param {number} started
 * @returns {Promise<number>}
 */
function npm(args, started) {
  const script = process.env.npm_execpath;
  const child = script?.endsWith('.js')
    ? spawn(process.execPath, [script, ...args], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
    : spawn('npm', args, {
        cwd: ROOT,
        stdio: ['ignore', 'inherit', 'inherit'],
        shell: process.platform === 'win32',
      });
  const beat = setInterval(() => console.log(`install: still at it, ${seconds(started)}`), HEARTBEAT_MS);
  return new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('exit', (code) => resolve(code ?? 1));
  }).then((code) => {
    clearInterval(beat);
    return Number(code);
  });
}

/** @param {number} started */
function seconds(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`;
}

/**
 * @param {string} what
 * @param {string} next
 * @returns {never}
 */
function fail(what, next) {
  console.error(`failed: ${what}\nnext: ${next}`);
  process.exit(1);
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  await ensureInstalled();
