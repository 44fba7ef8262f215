#!/usr/bin/env node
// @ts-check
/**
 * `node scripts/skills-conformance.mjs`: what others say about our skills and about our HTTP. Saves skills through the built
 * server, then asks skills-ref about the folders, the MCP Inspector (`skills/list --verify`) about the extension over stdio,
 * and the conformance suite about `serve --http`: the scenarios that need no fixtures of a test server. The suite runs in a
 * process of its own, through a proxy that adds the token. Installs what it needs below .cache; needs a build.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from './ensure-installed.mjs';
import { startHttpServer } from './support/http-process.mjs';
import { nodeBinary } from './support/node-binary.mjs';
import { SKILLS } from './support/sample-skills.mjs';
import { ENTRY, startServer } from './support/server-process.mjs';
import { startTokenProxy } from './support/token-proxy.mjs';

/** The suite and the Inspector need a newer Node than this project. */
const NODE = '24.22.3';
const PACKAGES = {
  '@modelcontextprotocol/inspector': '2.12.0',
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
};
/** By the revision in whose form they are asked; none: the suite's own choice. */
const SCENARIOS = {
  '': ['sep-2640-skills-directory', 'sep-2640-skills-enumeration', 'sep-2640-skills-manifest'],
  '2025-11-25': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'resources-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'server-sse-multiple-streams',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-unsupported-methods',
  ],
};
const LONGEST_MS = 120_000;

const prefix = path.join(ROOT, '.cache', 'conformance');
const modules = path.join(prefix, 'node_modules');
const node = nodeBinary(NODE);
const folder = mkdtempSync(path.join(tmpdir(), 'skills-conformance-'));
const skillsDir = path.join(folder, 'skills');
const home = path.join(folder, 'home');
mkdirSync(home);
let failures = 0;
try {
  install();
  await save();
  validate();
  inspect();
  await conformance();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failures > 0) {
  console.error(`failed: ${failures} of the checks above`);
  process.exit(1);
}

function install() {
  if (Object.keys(PACKAGES).every((name) => existsSync(path.join(modules, name)))) return;
  const wanted = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  const flags = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--prefix', prefix];
  const { status } = spawnSync('npm', ['install', ...flags, ...wanted], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('the packages could not be installed from npm');
}

/** As an agent saves them. */
async function save() {
  const server = await startServer({ config: { skills: { dir: skillsDir } } });
  try {
    for (const skill of SKILLS) {
      const answer = await server.call('save_skill', skill);
      if (answer.isError) throw new Error(answer.text);
    }
  } finally {
    await server.close();
  }
}

function validate() {
  const cli = path.join(ROOT, 'node_modules', 'skills-ref', 'dist', 'cli.js');
  const folders = readdirSync(skillsDir).filter((name) => !name.startsWith('.'));
  for (const name of folders) {
    const args = [cli, 'validate', path.join(skillsDir, name)];
    const { status, stdout, stderr } = run(process.execPath, args, {});
    report(`skills-ref validate ${name}`, status === 0, stdout + stderr);
  }
  report('every skill has its folder', folders.length === SKILLS.length, folders.join(' '));
}

function inspect() {
  const config = path.join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ skills: { dir: skillsDir } }));
  const args = [ENTRY, 'serve', '--config', config, '--data-dir', path.join(folder, 'data')];
  const session = path.join(folder, 'inspector.json');
  writeFileSync(session, JSON.stringify({ mcpServers: { ours: { command: process.execPath, args } } }));
  const cli = [path.join(modules, '.bin', 'mcp-inspector'), '--cli', '--config', session, '--server', 'ours'];
  for (const era of ['legacy', 'modern']) {
    const method = ['--protocol-era', era, '--method', 'skills/list', '--verify', '--require-digests'];
    const { status, stdout, stderr } = run(node, [...cli, ...method], {});
    const verified = stdout.match(/"outcome":\s*"verified"/g)?.length ?? 0;
    const name = `inspector skills/list --verify, ${era} era (${verified} of ${SKILLS.length} verified)`;
    report(name, status === 0 && verified === SKILLS.length, stdout + stderr);
  }
}

async function conformance() {
  const server = await startHttpServer({ principals: ['local'], config: { skills: { dir: skillsDir } } });
  const proxy = await startTokenProxy(server.url, server.tokens.local ?? '');
  try {
    const cli = path.join(modules, '.bin', 'conformance');
    for (const [version, scenarios] of Object.entries(SCENARIOS)) {
      for (const scenario of scenarios) {
        const form = version === '' ? [] : ['--spec-version', version];
        const args = [cli, 'server', '--url', proxy.url, '--scenario', scenario, ...form];
        const { status, stdout, stderr } = await runBeside(node, args);
        const passed = /(\d+)\/(\d+)|Passed: (\d+)/.exec(stdout)?.[0] ?? '';
        report(`conformance ${version} ${scenario} ${passed}`, status === 0, stdout + stderr);
      }
    }
  } finally {
    proxy.close();
    await server.stop();
  }
}

/**
 * As {@link run}, while the proxy in this process goes on working.
 * @param {string} command @param {string[]} args
 * @returns {Promise<{ status: number | null, stdout: string, stderr: string }>}
 */
function runBeside(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder, env: environment(), timeout: LONGEST_MS });
    const parts = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      parts.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      parts.stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, ...parts }));
  });
}

function environment() {
  return {
    ...process.env,
    HOME: home,
    USERPROFILE: home,
    MCP_INSPECTOR_SECRET_STORE: 'memory',
    NO_COLOR: '1',
  };
}

/** @param {string} command @param {string[]} args @param {import('node:child_process').SpawnSyncOptions} options */
function run(command, args, options) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    env: environment(),
    timeout: LONGEST_MS,
    ...options,
    encoding: 'utf8',
  });
  return { status, stdout: stdout ?? '', stderr: stderr ?? '' };
}

/** @param {string} name @param {boolean} held @param {string} output */
function report(name, held, output) {
  console.log(`${held ? 'ok   ' : 'FAIL '} ${name}`);
  if (held) return;
  failures += 1;
  console.log(output.replace(/^/gm, '      ').slice(-6_000));
}
