#!/usr/bin/env node
// @ts-check
/**
 * `node scripts/skills-conformance.mjs`: what others say about our skills. Saves some through the built server, then asks
 * skills-ref about the folders, the MCP Inspector (`skills/list --verify`) about the extension over stdio, and the
 * conformance suite (`sep-2640-*`) about it over HTTP. Installs what it needs below .cache; needs a build.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from './ensure-installed.mjs';
import { nodeBinary } from './support/node-binary.mjs';
import { SKILLS } from './support/sample-skills.mjs';
import { ENTRY, startServer } from './support/server-process.mjs';

/** The suite and the Inspector need a newer Node than this project. */
const NODE = '24.22.3';
const PACKAGES = {
  '@modelcontextprotocol/inspector': '2.12.0',
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
};
const SCENARIOS = ['sep-2640-skills-directory', 'sep-2640-skills-enumeration', 'sep-2640-skills-manifest'];
const HTTP_MAIN = path.join(ROOT, 'scripts', 'support', 'skills-http-main.mjs');
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
  const server = spawn(process.execPath, [HTTP_MAIN, skillsDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const url = await new Promise((resolve, reject) => {
      server.stdout.once('data', (data) => resolve(String(data).trim()));
      server.once('exit', (code) => reject(new Error(`the HTTP entry ended with ${code}`)));
    });
    const cli = path.join(modules, '.bin', 'conformance');
    for (const scenario of SCENARIOS) {
      const { status, stdout, stderr } = run(node, [cli, 'server', '--url', url, '--scenario', scenario], {});
      const passed = /(\d+)\/(\d+)|Passed: (\d+)/.exec(stdout)?.[0] ?? '';
      report(`conformance ${scenario} ${passed}`, status === 0, stdout + stderr);
    }
  } finally {
    server.kill();
  }
}

/** @param {string} command @param {string[]} args @param {import('node:child_process').SpawnSyncOptions} options */
function run(command, args, options) {
  const env = {
    ...process.env,
    HOME: home,
    USERPROFILE: home,
    MCP_INSPECTOR_SECRET_STORE: 'memory',
    NO_COLOR: '1',
  };
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    env,
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
