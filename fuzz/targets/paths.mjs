// @ts-check
/** Paths of clients and guests: src/fs/relative-path.ts against the rules told once more, and src/fs/contained-dir.ts against a real tree with links in it. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { ContainedDir } from '../../dist/fs/contained-dir.js';
import {
  isPlainPath,
  MAX_DEPTH,
  MAX_PART_BYTES,
  MAX_PATH_BYTES,
  quotePath,
  RelativePath,
} from '../../dist/fs/relative-path.js';
import { PLANTED, plant, SECRET, temporaryFolder } from '../support/folders.mjs';
import { edited, hostileText } from '../support/hostile.mjs';
import { attempt, attemptAsync, insist } from '../support/oracle.mjs';

/** @typedef {{ text: string, folder: boolean, write: boolean }} Asked */

/** @returns {Promise<import('../support/campaign.mjs').Target<Asked>>} */
export async function open() {
  const { folder, remove } = temporaryFolder();
  const planted = plant(folder);
  const dir = await ContainedDir.open(planted.root);
  return {
    promise:
      'any text is refused for a rule or names a place inside, where the disk agrees, and nothing outside is read or written',
    runs: 500,
    input,
    async check(asked) {
      const parsed = checkText(asked);
      if (parsed === undefined || parsed.parts.length === 0) return;
      await checkReading(dir, parsed);
      if (asked.write) await checkWriting(folder, parsed);
      insist(
        readFileSync(path.join(planted.outside, 'secret.txt'), 'utf8') === SECRET,
        'a file outside was changed',
      );
    },
    async close() {
      await dir.close();
      remove();
    },
  };
}

/** @param {Asked} asked */
function checkText({ text, folder }) {
  for (const platform of /** @type {const} */ (['win32', 'linux'])) {
    const { value } = attempt(['path_denied', 'bad_name'], () =>
      RelativePath.parse(text, { folder, platform }),
    );
    const reason = platform === 'linux' ? faultOf(text, folder) : undefined;
    if (platform === 'linux')
      insist((value === undefined) === (reason !== undefined), () => `taken though it ${reason}`);
    if (value === undefined) continue;
    insist(
      path.posix.resolve('/r', below(text)) === path.posix.join('/r', value.text),
      'resolved to another place',
    );
    insist(
      RelativePath.parse(value.text, { folder: true, platform }).text === value.text,
      'its own text is another path',
    );
    insist(value.parts.length === 0 || isPlainPath(value.parts, platform), 'a listing would not show it');
    insist(!/[\p{Cc}\\]|^\/|(^|\/)\.\.?(\/|$)/u.test(value.text), 'a part that no name may be');
    if (platform === 'linux') return value;
  }
  const quoted = quotePath(text);
  insist(
    quoted.length < 600 && !/[\p{Cc}\u2028-\u202e]/u.test(quoted),
    'a path in a message can break its line',
  );
  return undefined;
}

/** Without the name of the workspace in the guest. @param {string} text */
function below(text) {
  return /^\/workspace(?:\/|$)/.test(text) ? `.${text.slice('/workspace'.length)}` : text;
}

/** Why a text is no path here, in the words of the rules. @param {string} text @param {boolean} folder */
function faultOf(text, folder) {
  if (text.length > 2 * MAX_PATH_BYTES) return 'is too long';
  if (text.includes('\\')) return 'has a backslash';
  if (/^[a-z]:/i.test(text)) return 'has a drive';
  const rest = below(text);
  if (rest.startsWith('/')) return 'is absolute';
  /** @type {string[]} */
  const stack = [];
  let climbed = false;
  for (const part of rest.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') climbed ||= stack.pop() === undefined;
    else if (/[\p{Cc}\u2028\u2029]|\p{Surrogate}/u.test(part)) return 'has a character that no name may have';
    else if (new TextEncoder().encode(part).length > MAX_PART_BYTES) return 'has a part that is too long';
    else stack.push(part);
  }
  if (climbed) return 'leaves the root';
  const [first] = stack;
  if (first !== undefined && /^[a-z]:/i.test(first)) return 'has a drive';
  if (stack.length > MAX_DEPTH) return 'is too deep';
  if (new TextEncoder().encode(stack.join('/')).length > MAX_PATH_BYTES) return 'is too long';
  if (first !== undefined && isPrivate(first)) return 'names the private folder';
  if (folder) return undefined;
  if (first === undefined) return 'names the root';
  return text.endsWith('/') ? 'names a folder' : undefined;
}

/** Whether a file system that folds case, width and ignorable marks could take it for the private folder. @param {string} name */
function isPrivate(name) {
  const seen = [...name.normalize('NFKC').toLowerCase()].filter(
    (one) => !/\p{Default_Ignorable_Code_Point}/u.test(one),
  );
  return /^\.code-execution[. ]*$/.test(seen.join(''));
}

const REFUSALS = ['path_denied', 'not_found', 'bad_name'];

/** What is found is what lies there, seen without following links. @param {ContainedDir} dir @param {RelativePath} asked */
async function checkReading(dir, asked) {
  const expected = lookedUp(asked.parts);
  const { value: entry, refused } = await attemptAsync(REFUSALS, () => dir.stat(asked));
  insist(
    entry?.kind === (expected === 'link' ? undefined : expected),
    () => `${refused ?? entry?.kind}, where ${expected} lies`,
  );
  const { value } = await attemptAsync(REFUSALS, () => dir.read(asked, { maxBytes: 1_000 }));
  insist(
    (value !== undefined) === (expected === 'file'),
    'something else than a file was read, or a file was not',
  );
  insist(!value || Buffer.from(value.bytes).toString() === asked.text, 'the bytes of another file');
  const { value: listing } = await attemptAsync(REFUSALS, () => dir.list(asked, 100));
  const paths = (listing?.entries ?? []).map((one) => one.path);
  insist(
    paths.every((one) => one === asked.text || one.startsWith(`${asked.text}/`)),
    'a list of another folder',
  );
}

/** @param {readonly string[]} parts */
function lookedUp(parts) {
  for (let count = 1; count < parts.length; count += 1)
    if (PLANTED.get(parts.slice(0, count).join('/')) !== 'directory') return undefined;
  return PLANTED.get(parts.join('/'));
}

/** In a root of its own: what is written lies at the place itself, and a link there is replaced and not followed. @param {string} above @param {RelativePath} asked */
async function checkWriting(above, asked) {
  const folder = path.join(above, 'written');
  mkdirSync(folder);
  const { root, outside } = plant(folder);
  const dir = await ContainedDir.open(root);
  try {
    const name = dir.newPrivateName();
    await dir.writePrivateFile(name, 0, Buffer.from('new'));
    const { refused } = await attemptAsync([...REFUSALS, 'exists'], () =>
      dir.place(name, asked, { exclusive: false }),
    );
    if (refused === undefined) {
      const place = path.join(root, asked.text);
      insist(
        lstatSync(place).isFile() && readFileSync(place, 'utf8') === 'new',
        'the file is not at its place',
      );
      insist(realpathSync(place) === place, 'a link was followed on the way');
      await dir.removeFile(asked);
    } else await dir.removePrivateFile(name);
    await attemptAsync(REFUSALS, () => dir.makeFolder(asked));
    await attemptAsync(REFUSALS, () => dir.removeTree(asked));
    insist(readdirSync(outside).join() === 'secret.txt', 'something was made or removed outside');
    insist(readFileSync(path.join(outside, 'secret.txt'), 'utf8') === SECRET, 'a file outside was changed');
  } finally {
    await dir.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const part = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...[...PLANTED.keys()].flatMap((one) => one.split('/'))) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('..', '.', '', '...', '..\u200b', '%2e%2e', '~', 'c:', 'C:x', ' '),
  },
  { weight: 2, arbitrary: fc.constantFrom('workspace', 'proc', 'self', 'root', 'outside', 'secret.txt') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '.code-execution',
      '.Code-Execution',
      '.code-execution. ',
      '.co\u00adde-execution',
      'CODE-E~1',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('x'.repeat(255), 'x'.repeat(256), '\u00e9'.repeat(128), 'e\u0301', '\ud800'),
  },
  { weight: 1, arbitrary: hostileText },
);
const joined = fc
  .tuple(
    fc.constantFrom('', '', '', '/', '//', '/workspace', '/workspace/', './', '../', '\\'),
    fc.array(part, { maxLength: 8 }),
    fc.constantFrom('/', '/', '/', '/', '//', '\\', '/./', '\0'),
    fc.constantFrom('', '', '', '/', '/.', '/..'),
    fc.constantFrom(1, 1, 1, 1, 1, 6),
  )
  .map(
    ([before, parts, between, behind, times]) =>
      before + Array(times).fill(parts.join(between)).join('/') + behind,
  );
/** @type {fc.Arbitrary<Asked>} */
const input = fc.record({
  text: fc.oneof({ weight: 3, arbitrary: joined }, { weight: 1, arbitrary: edited(joined) }),
  folder: fc.boolean(),
  write: fc.integer({ min: 0, max: 19 }).map((number) => number === 0),
});
