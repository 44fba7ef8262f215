// @ts-check
/**
 * `node skills-http-main.mjs FOLDER`: the skills of a folder over HTTP, for the conformance suite, which speaks nothing
 * else. For tests only: no authentication. Prints its URL and ends with its standard input.
 */
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { SearchIndex } from '../../dist/catalog/search/search-index.js';
import { createMcpServer } from '../../dist/server/server.js';
import { SkillInspection } from '../../dist/session/skill-inspection.js';
import { StoredSkills } from '../../dist/session/stored-skills.js';
import { SkillStores } from '../../dist/skills/skill-stores.js';
import { Stats } from '../../dist/stats/stats.js';

const [folder = ''] = process.argv.slice(2);
const PRINCIPAL = 'local';
const log = {
  warn: (/** @type {object} */ fields, /** @type {string} */ message) => console.error(message, fields),
  error: (/** @type {object} */ fields, /** @type {string} */ message) => console.error(message, fields),
};
/** Whoever asks for what is not about skills. */
const notHere = () => Promise.reject(new Error('this server has skills only'));
const stores = new SkillStores({
  dataDir: folder,
  ownPrincipal: PRINCIPAL,
  ownRoot: folder,
  readOnlyRoots: [],
  createSearch: () => new SearchIndex(),
  log,
  record: () => {},
});
const skills = new StoredSkills({
  storeOf: async (principal) => stores.of(principal),
  inspection: new SkillInspection({ runner: { run: notHere }, memoryMb: 0 }),
  hasTool: async () => false,
  smallIndex: () => new SearchIndex(),
});
/** @type {import('../../dist/server/server-deps.js').ServerDeps} */
const deps = {
  version: '0.0.0',
  runner: { run: notHere },
  workspace: notHere,
  sandbox: { info: notHere, pool: () => ({ ready: 0, starting: 0, active: 0, target: 0 }) },
  stats: new Stats(),
  catalog: /** @type {any} */ ({}),
  hasTools: false,
  decide: () => ({ verdict: 'deny', reason: '', howToAllow: '' }),
  skills,
  limits: { timeoutSeconds: 1, maxTimeoutSeconds: 1, memoryMb: 64, maxMemoryMb: 64, maxOutputChars: 8_000 },
  matchesGlob: () => false,
  log,
};

const handler = createMcpHandler(() => createMcpServer(deps, PRINCIPAL));
const server = createServer(async (request, response) => {
  const body = request.method === 'GET' || request.method === 'HEAD' ? undefined : Readable.toWeb(request);
  const answer = await handler.fetch(
    new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method ?? 'GET',
      headers: /** @type {Record<string, string>} */ (request.headers),
      ...(body ? { body: /** @type {any} */ (body), duplex: 'half' } : {}),
    }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body) Readable.fromWeb(/** @type {any} */ (answer.body)).pipe(response);
  else response.end();
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`);
});
process.stdin.resume().on('end', () => process.exit(0));
