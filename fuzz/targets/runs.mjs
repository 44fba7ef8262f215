// @ts-check
/** One run, told by forged bytes from a worker: src/session/ and what the model reads of it in src/server/. */
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { callOnce } from '../../dist/server/call-server-tool.js';
import { driveRun } from '../../dist/session/drive-run.js';
import { Workspaces } from '../../dist/workspace/workspaces.js';
import { BytesWorker } from '../support/bytes-worker.mjs';
import { temporaryFolder } from '../support/folders.mjs';
import { frameBytes, workerMessages } from '../support/frame-corpus.mjs';
import { cuts, edited, hostileText, hostileValue, inPieces, objectOf } from '../support/hostile.mjs';
import { insist, insistUnpolluted } from '../support/oracle.mjs';
import { serverDeps } from '../support/server-parts.mjs';
import { insistShowable } from '../support/showable.mjs';

/** @typedef {{ frames: readonly { header: string, payload: Uint8Array }[], cuts: readonly number[], chars: number }} Told */

/** In place of the id of the run, which nobody knows before. */
const RUN = '<run>';
const CODES =
  /^(?:call_budget|tool_\w+|restore_denied|bad_arguments|syntax_error|python_error|import_denied|timeout|(?:memory|output|disk)_limit|crashed|path_denied|bad_name|not_found|exists|too_large)$/;

/** @returns {Promise<import('../support/campaign.mjs').Target<Told>>} */
export async function open() {
  const { folder, remove } = temporaryFolder();
  const workspaces = new Workspaces({ dataDir: folder, limitBytes: 20_000, limitFiles: 20 });
  const workspace = workspaces.of('local');
  /** @type {Told} */
  let told = { frames: [], cuts: [], chars: 0 };
  const runner = {
    run: async (
      /** @type {string} */ principal,
      /** @type {import('../../dist/session/runner.js').RunRequest} */ request,
    ) => {
      const worker = new BytesWorker((self, id) => void speak(self, id, told));
      const [view, usage] = [await workspace.openView(), await workspace.usage()];
      const tools = {
        access: toolAccess(deps.catalog),
        budget: { calls: 5, parallel: 2, resultBytes: 10_000, totalBytes: 20_000 },
      };
      const driven = await driveRun({
        worker,
        view,
        usage,
        request,
        tools,
        principal,
        builtins: 'restricted',
        earlierNames: [],
      });
      return driven.report;
    },
  };
  const { deps, insistNoFault } = serverDeps(runner, workspace);
  return {
    promise:
      'whatever a worker says, the run ends in an answer that can be shown, within its length, and without a fault of the server',
    runs: 60,
    input,
    async check(input) {
      told = input;
      const args = { code: '1', max_output_chars: input.chars };
      const { content, structuredContent, isError } = await callOnce(
        deps,
        'local',
        'execute_code',
        args,
        NEVER,
      );
      const [first] = content;
      insist(first?.type === 'text', 'an answer without text');
      insistShowable(first.text, structuredContent, 40_000);
      const { success, error } = /** @type {{ success: unknown, error?: { code: string } }} */ (
        structuredContent
      );
      insist(success === (isError !== true), 'success and failure at once');
      insist(/^(?:ok|failed) · /.test(first.text), 'the first line is not the outcome');
      insist(success === true || CODES.test(error?.code ?? ''), () => `a run that ended with ${error?.code}`);
      insistNoFault();
      insistUnpolluted();
      const { bytes, files } = await workspace.usage();
      insist(bytes <= 20_000 && files <= 20, 'more files than the quota');
      if (files > 10) for (const { path } of await workspace.list()) await removed(workspace, path);
    },
    async close() {
      remove();
    },
  };
}

const NEVER = new AbortController().signal;

/** @param {import('../../dist/workspace/workspace.js').Workspace} workspace @param {string} path */
async function removed(workspace, path) {
  const view = await workspace.openView();
  await view.stageRemoval(path);
  await view.commit();
}

/** @param {BytesWorker} worker @param {string} id @param {Told} told */
async function speak(worker, id, { frames, cuts: places }) {
  const bytes = frames.map(({ header, payload }) =>
    frameBytes(Buffer.from(header.replaceAll(RUN, id)), payload),
  );
  for (const piece of inPieces(Buffer.concat(bytes), places)) {
    worker.say(piece);
    await turn();
  }
  worker.end('exited');
}

/** @param {import('../../dist/catalog/catalog.js').Catalog} catalog @returns {import('../../dist/session/tool-access.js').ToolAccess} */
function toolAccess(catalog) {
  return {
    resolve: (name) => catalog.resolve(name),
    nearest: (name) => catalog.nearest(name),
    decide: () => ({ verdict: 'allow', reason: '', howToAllow: '' }),
    bind: (entry, positional, keyword) => catalog.bind(entry, positional, keyword),
    call: async (_entry, args) => ({ isError: false, structured: args, content: [] }),
    learn: (entry, value) => catalog.learnResult(entry.id, value),
    search: async () => [],
    describe: async () => undefined,
    names: (server) => catalog.names(server),
    record: () => undefined,
  };
}

const json = hostileValue.map((value) => JSON.stringify(value) ?? 'null');
const call = fc
  .record({
    name: fc.constantFrom('crm.find', 'find', 'crm'),
    args: fc.array(hostileValue, { maxLength: 2 }),
    kwargs: objectOf(fc.constantFrom('id', '__proto__', 'x'), hostileValue),
  })
  .map((body) => JSON.stringify(body));
const payload = fc.oneof(
  { weight: 4, arbitrary: json.map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: call.map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: edited(json).map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: hostileText.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }) },
  { weight: 1, arbitrary: fc.constantFrom(30_000, 300_000).map((length) => Buffer.alloc(length, 'x\n')) },
);
const header = workerMessages(RUN).map((message) => JSON.stringify(message));
const frame = fc.oneof(
  { weight: 12, arbitrary: fc.record({ header, payload }) },
  { weight: 1, arbitrary: fc.record({ header: edited(header), payload }) },
);
const calls = fc.record({
  header: fc
    .record({
      type: fc.constant('call'),
      id: fc.nat(3),
      op: fc.constantFrom('tool', 'search', 'names'),
      name: fc.constantFrom('crm.find', 'crm', ''),
    })
    .map((message) => JSON.stringify(message)),
  payload,
});
/** @type {fc.Arbitrary<Told>} */
const input = fc.record({
  frames: fc.array(fc.oneof({ weight: 3, arbitrary: frame }, { weight: 1, arbitrary: calls }), {
    maxLength: 8,
  }),
  cuts,
  chars: fc.constantFrom(200, 1_000, 8_000),
});
