// @ts-check
/**
 * A process that holds downstream servers: `node host.mjs FOLDER BEHAVIOUR...`. Writes `{"pids":[...]}` once all of them
 * have answered a call, and then waits to be killed.
 */
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DownstreamServers } from '../../../dist/downstream/downstream-servers.js';

const [folder = '', ...behaviours] = process.argv.slice(2);
const fake = fileURLToPath(new URL('./fake-server.mjs', import.meta.url));
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const downstream = new DownstreamServers({
  servers: behaviours.map((name) => ({
    name,
    category: name,
    launch: {
      kind: 'stdio',
      command: process.execPath,
      args: [fake, name],
      env: {},
      cwd: tmpdir(),
      protocol: 'legacy',
    },
    timeoutMs: 20_000,
    privacy: { restore: { allow: [], deny: [] } },
    rules: { allow: [], deny: [], ask: [] },
    fingerprint: '',
    secrets: [],
  })),
  cacheFolder: path.join(folder, 'tools'),
  log: silent,
  version: '0.0.0',
});
const answers = await Promise.all(
  behaviours.map((name) => downstream.call(name, 'echo', { do: 'environment' })),
);
const pids = answers.map(({ structured }) => Object(structured).pid);
process.stdout.write(`${JSON.stringify({ pids })}\n`);
setInterval(() => undefined, 1_000);
