// @ts-check
/** What frames do to files: src/workspace/ against a model of it, over a tree with links that lead out. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { RelativePath } from '../../dist/fs/relative-path.js';
import { Workspaces } from '../../dist/workspace/workspaces.js';
import { plant, SECRET, temporaryFolder } from '../support/folders.mjs';
import { hostileText } from '../support/hostile.mjs';
import { attempt, attemptAsync, insist } from '../support/oracle.mjs';

/** @typedef {{ kind: 'part' | 'folder' | 'remove' | 'read', path: string, offset: number, text: string, last: boolean }} Step */

const REFUSALS = ['path_denied', 'bad_name', 'not_found', 'bad_arguments', 'disk_limit', 'too_large'];
const LIMITS = { limitBytes: 2_000, limitFiles: 12 };

/** @returns {Promise<import('../support/campaign.mjs').Target<readonly Step[]>>} */
export async function open() {
  const { folder, remove } = temporaryFolder();
  let count = 0;
  return {
    promise:
      'whatever paths a run stages, what was taken lies at its place, nothing outside is touched, and the quota holds',
    runs: 50,
    input: fc.array(step, { maxLength: 10 }),
    async check(steps) {
      const dataDir = path.join(folder, String(count++));
      try {
        await checkSteps(dataDir, steps);
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
    async close() {
      remove();
    },
  };
}

/** @param {string} dataDir @param {readonly Step[]} steps */
async function checkSteps(dataDir, steps) {
  const workspaces = new Workspaces({ dataDir, ...LIMITS });
  const host = workspaces.hostPathOf('local');
  mkdirSync(path.dirname(host), { recursive: true });
  const { outside } = plant(path.dirname(host), path.basename(host));
  const workspace = workspaces.of('local');
  const before = await workspace.list();
  const view = await workspace.openView();
  const model = new Map();
  for (const one of steps) await apply(view, model, one);
  const { value: changes, refused } = await attemptAsync(REFUSALS, () => view.commit());
  const after = await workspace.list();
  if (refused) insist(JSON.stringify(after) === JSON.stringify(before), 'a refused commit changed something');
  for (const [name, { text, complete }] of refused ? [] : model)
    if (complete) insist(readFileSync(path.join(host, name), 'utf8') === text, `another content in ${name}`);
  for (const { path: changed } of changes ?? [])
    insist(
      attempt([], () => RelativePath.parse(changed)).value?.text === changed,
      'a change outside of the workspace',
    );
  const usage = await workspace.usage();
  insist(usage.bytes <= LIMITS.limitBytes && usage.files <= LIMITS.limitFiles, 'more than the quota');
  insist(readdirSync(outside).join() === 'secret.txt', 'something was made or removed outside');
  insist(readFileSync(path.join(outside, 'secret.txt'), 'utf8') === SECRET, 'a file outside was changed');
}

/**
 * @param {import('../../dist/workspace/workspace.js').WorkspaceView} view
 * @param {Map<string, { text: string, complete: boolean }>} model staged files
 * @param {Step} step
 */
async function apply(view, model, { kind, path: asked, offset, text, last }) {
  const bytes = Buffer.from(text);
  if (kind === 'read') {
    const { value } = await attemptAsync(REFUSALS, () => view.read(asked));
    insist(!value || !Buffer.from(value).includes(SECRET), 'a file outside was read');
    return;
  }
  const { refused } = await attemptAsync(REFUSALS, () => {
    if (kind === 'part') return view.stage(asked, { offset, bytes, last });
    return kind === 'folder' ? view.stageFolder(asked) : view.stageRemoval(asked);
  });
  const { value: parsed } = attempt(REFUSALS, () => RelativePath.parse(asked, { folder: kind !== 'part' }));
  if (parsed === undefined) return void insist(refused, 'a path was taken that is none');
  if (kind === 'part' && refused === 'disk_limit') model.delete(parsed.text);
  if (refused) return;
  if (kind === 'remove') {
    for (const name of model.keys()) if (`${name}/`.startsWith(`${parsed.text}/`)) model.delete(name);
  } else if (kind === 'part') {
    const former = offset === 0 ? '' : (model.get(parsed.text)?.text ?? '');
    model.set(parsed.text, { text: former + bytes.toString(), complete: last });
  }
}

const place = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'a',
      'a/b',
      'a/b/deep.txt',
      'a/up',
      'a/up/x',
      'file.txt',
      'out',
      'out/x',
      'out.txt',
      'loop',
      'nowhere',
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'new.txt',
      'new/deep/er.txt',
      'new',
      '/workspace/a/c',
      './x/../y',
      'file.txt/x',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('../outside/x', '/etc/x', '.', '', '..', '.code-execution/x', 'a/../../x'),
  },
  { weight: 1, arbitrary: hostileText },
);
/** @type {fc.Arbitrary<Step>} */
const step = fc.record({
  kind: fc.constantFrom('part', 'part', 'part', 'folder', 'remove', 'read'),
  path: place,
  offset: fc.constantFrom(0, 0, 0, 3, 7),
  text: fc.constantFrom('', 'abc', 'text\n', 'x'.repeat(900)),
  last: fc.constantFrom(true, true, false),
});
