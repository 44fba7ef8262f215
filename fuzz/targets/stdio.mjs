// @ts-check
/** Lines of a client on standard input: src/server/stdio-transport.ts and the server behind it. */
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { serveStdio } from '../../dist/server/serve-stdio.js';
import { Workspaces } from '../../dist/workspace/workspaces.js';
import { temporaryFolder } from '../support/folders.mjs';
import { cuts, edited, hostileText, hostileValue, inPieces } from '../support/hostile.mjs';
import { insist, insistUnpolluted } from '../support/oracle.mjs';
import { serverDeps } from '../support/server-parts.mjs';
import { isActive } from '../support/showable.mjs';

/** @typedef {{ lines: readonly string[], raw: Uint8Array, cuts: readonly number[] }} Sent */

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'first',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'fuzz', version: '0' } },
};
const PING = { jsonrpc: '2.0', id: 'last-ping', method: 'ping' };

/** @returns {Promise<import('../support/campaign.mjs').Target<Sent>>} */
export async function open() {
  const { folder, remove } = temporaryFolder();
  const workspace = new Workspaces({ dataDir: folder, limitBytes: 50_000, limitFiles: 50 }).of('local');
  const report = {
    runId: 'r',
    outcome: { kind: /** @type {const} */ ('value') },
    output: { head: '', tail: '', bytes: 0, lines: 0 },
  };
  const runner = {
    run: async () => ({ ...report, durationMs: 1, filesChanged: [], notes: [], variables: [] }),
  };
  const { deps, insistNoFault } = serverDeps(runner, workspace);
  return {
    promise:
      'every line is answered by one message of JSON-RPC or by nothing, and a ping behind all of them is answered',
    runs: 30,
    input,
    async check({ lines, raw, cuts: places }) {
      const up = new PassThrough();
      const down = new PassThrough();
      const connection = serveStdio(deps, up, down);
      const answers = answersOf(down);
      up.write(`${JSON.stringify(INITIALIZE)}\n`);
      const noise = Buffer.concat([
        Buffer.from(lines.map((line) => `${line}\n`).join('')),
        Buffer.from(raw),
        Buffer.from('\n'),
      ]);
      for (const piece of inPieces(noise, places)) up.write(piece);
      up.write(`${JSON.stringify(PING)}\n`);
      const all = await answers.until((one) => one.id === PING.id);
      await connection.close();
      const requests = Math.max(lines.length + raw.filter((byte) => byte === 10).length + 1, 0);
      insist(
        all.filter(({ id }) => id !== undefined && id !== PING.id && id !== 'first').length <= requests,
        'more answers than lines',
      );
      for (const one of all) insistAnswer(one);
      insistNoFault();
      insistUnpolluted();
    },
    async close() {
      remove();
    },
  };
}

/** @typedef {{ id?: unknown, method?: unknown, result?: unknown, error?: { code: unknown, message: unknown } }} Answer */

/** @param {Answer & { jsonrpc?: unknown }} answer */
function insistAnswer({ jsonrpc, method, result, error }) {
  insist(jsonrpc === '2.0', 'an answer that is no JSON-RPC');
  insist(
    method !== undefined || (result === undefined) !== (error === undefined),
    'neither result nor error, or both',
  );
  const told = JSON.stringify(error ?? result ?? '');
  insist(
    !isActive(told.replaceAll('\\r', '')) && told.length < 1_000_000,
    () => `an answer that cannot be shown: ${told.slice(0, 300)}`,
  );
  insist(
    error === undefined || (Number.isInteger(error.code) && typeof error.message === 'string'),
    'an error without code or words',
  );
}

/** @param {PassThrough} down */
function answersOf(down) {
  /** @type {Answer[]} */
  const all = [];
  let rest = '';
  let look = () => {};
  down.setEncoding('utf8');
  down.on('data', (chunk) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) all.push(answerIn(part));
    look();
  });
  return {
    /** @param {(one: Answer) => boolean} isLast @returns {Promise<readonly Answer[]>} */
    until: (isLast) =>
      new Promise((resolve) => {
        look = () => void (all.some(isLast) && resolve(all));
        look();
      }),
  };
}

/** @param {string} line @returns {Answer} */
function answerIn(line) {
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(line);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null)
    return { id: 'no JSON', error: { code: 0, message: line } };
  return value;
}

const METHODS = [
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'initialize',
  'notifications/cancelled',
  'notifications/initialized',
  'completion/complete',
  'logging/setLevel',
  'server/discover',
  '__proto__',
];
const TOOLS = [
  'execute_code',
  'search_tools',
  'get_tool_definition',
  'list_workspace_files',
  'read_workspace_file',
  'write_workspace_file',
  'get_execution_stats',
  'toString',
];
const ARGUMENTS = [
  'code',
  'path',
  'content',
  'mode',
  'query',
  'name',
  'pattern',
  'timeout_seconds',
  'encoding',
  'limit',
  'offset',
  'context',
  'session',
  '__proto__',
];
const args = fc
  .array(fc.tuple(fc.constantFrom(...ARGUMENTS), fc.oneof(hostileText, fc.integer(), hostileValue)), {
    maxLength: 4,
  })
  .map((entries) => Object.fromEntries(entries));
const params = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name: fc.constantFrom(...TOOLS), arguments: args }) },
  {
    weight: 1,
    arbitrary: fc.record({
      uri: fc.oneof(
        hostileText,
        hostileText.map((text) => `workspace:///${text}`),
        fc.constant('workspace:///../x'),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ requestId: hostileValue, protocolVersion: hostileValue, _meta: hostileValue }),
  },
  { weight: 1, arbitrary: hostileValue },
);
const message = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        jsonrpc: fc.oneof(
          { weight: 9, arbitrary: fc.constant('2.0') },
          { weight: 1, arbitrary: hostileValue },
        ),
        id: fc.oneof(
          { weight: 6, arbitrary: fc.nat() },
          { weight: 1, arbitrary: fc.oneof(hostileText, hostileValue) },
        ),
        method: fc.oneof(
          { weight: 9, arbitrary: fc.constantFrom(...METHODS, 'tools/call', 'tools/call', 'tools/call') },
          { weight: 1, arbitrary: hostileText },
        ),
        params,
        result: hostileValue,
        error: hostileValue,
      },
      { requiredKeys: ['jsonrpc', 'method', 'params'] },
    ),
  },
  { weight: 1, arbitrary: fc.array(hostileValue, { maxLength: 2 }) },
  { weight: 1, arbitrary: hostileValue },
);
const json = message.map((value) => JSON.stringify(value) ?? 'null');
/** @type {fc.Arbitrary<Sent>} */
const input = fc.record({
  lines: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: json },
      { weight: 1, arbitrary: edited(json) },
      { weight: 1, arbitrary: hostileText },
    ),
    { maxLength: 5 },
  ),
  raw: fc.uint8Array({ maxLength: 20 }),
  cuts,
});
