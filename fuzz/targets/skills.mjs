// @ts-check
/** Folders of skills that anybody may have made: src/skills/ lists each as a skill or as one with a named fault. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { SearchIndex } from '../../dist/catalog/search/search-index.js';
import { FolderSkillStore } from '../../dist/skills/folder-skill-store.js';
import { readManifest } from '../../dist/skills/read-manifest.js';
import { SECRET, temporaryFolder } from '../support/folders.mjs';
import { edited, hostileText } from '../support/hostile.mjs';
import { attemptAsync, insist, insistUnpolluted } from '../support/oracle.mjs';
import { isActive } from '../support/showable.mjs';

/** @typedef {{ name: string, manifest: string | Uint8Array, code: string | Uint8Array | undefined, link: string | undefined, asked: string, record: string }} Found */

const REFUSALS = ['not_found', 'path_denied', 'bad_name', 'too_large'];

/** @returns {Promise<import('../support/campaign.mjs').Target<readonly Found[]>>} */
export async function open() {
  const { folder, remove } = temporaryFolder();
  writeFileSync(path.join(folder, 'secret.txt'), SECRET);
  let count = 0;
  return {
    promise:
      'whatever lies in a folder of skills, each is a skill with its text or is named with its fault, and no link is followed',
    runs: 40,
    input: fc.array(found, { minLength: 1, maxLength: 2 }),
    async check(all) {
      for (const { manifest } of all) checkManifest(Buffer.from(manifest).toString('utf8'));
      const root = path.join(folder, String(count++));
      try {
        for (const one of all) put(root, one);
        await checkStore(root, all);
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    },
    async close() {
      remove();
    },
  };
}

/** @param {string} text */
function checkManifest(text) {
  const reading = readManifest(text, 'a-skill');
  if ('broken' in reading)
    return void insist(
      /^(?:has|is) /.test(reading.broken) && !reading.broken.includes('\n'),
      'a fault of several lines',
    );
  const { description, metadata } = reading.manifest;
  insist(
    description !== '' && description.length <= 1_024 && isOneLine(description),
    'a description that is none',
  );
  insist(
    [...metadata].flat().every((one) => typeof one === 'string'),
    'metadata that is no text',
  );
  insistUnpolluted();
}

/** @param {string} root @param {readonly Found[]} all */
async function checkStore(root, all) {
  /** @type {string[]} */
  const warnings = [];
  const options = {
    principal: 'local',
    root,
    readOnlyRoots: [],
    search: new SearchIndex(),
    record: () => undefined,
  };
  const store = new FolderSkillStore({
    ...options,
    log: { warn: (_fields, message) => void warnings.push(message) },
  });
  const { skills, total } = await store.find(undefined, { limit: 100, offset: 0 });
  insist(skills.length === total, 'a page of another length than the list');
  insist(!warnings.some((one) => /cannot be used/.test(one)), 'one folder spoilt the whole root');
  for (const { name, description, broken } of skills) {
    insist(isOneLine(`${name}${description}${broken ?? ''}`), 'a name or description of several lines');
    const { value: skill, refused } = await attemptAsync(REFUSALS, () => store.load(name));
    if (broken === undefined) insist(skill?.name === name || refused, 'a skill without a text');
    // A usable folder may have the same name in its other spelling.
    else
      insist(
        refused || skills.some((other) => other.name === name && other.broken === undefined),
        'a broken skill was loaded',
      );
    insist(!JSON.stringify(skill ?? '').includes(SECRET), 'a link was followed');
    await attemptAsync(REFUSALS, () => store.source(name));
  }
  for (const { name, asked } of all) {
    const { value } = await attemptAsync(REFUSALS, () => store.readFile(name, asked));
    insist(!value || !Buffer.from(value).includes(SECRET), 'a file outside was read');
    await store.find(asked, { limit: 5, offset: 0 });
  }
  await store.close();
}

/** @param {string} text */
function isOneLine(text) {
  return !/[\n\r]/.test(text) && !isActive(text);
}

const HISTORY_FILES = ['version.json', 'code.py', 'manifest.md'];

/** @param {string} root @param {Found} found */
function put(root, { name, manifest, code, link, record }) {
  const folder = path.join(root, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, 'scripts'), { recursive: true });
  writeFileSync(path.join(folder, 'SKILL.md'), manifest);
  if (code !== undefined) writeFileSync(path.join(folder, 'scripts/main.py'), code);
  const version = path.join(root, '.history', name, '1');
  mkdirSync(version, { recursive: true });
  for (const part of HISTORY_FILES) writeFileSync(path.join(version, part), record);
  if (link === undefined) return;
  rmSync(path.join(folder, link), { recursive: true, force: true });
  symlinkSync('../../secret.txt', path.join(folder, link));
}

const scalar = fc.oneof(
  fc.constantFrom(
    'a skill',
    '"quoted: yes"',
    "'it''s'",
    '>-\n  folded\n  text',
    '|\n  kept',
    '[a, b]',
    '{a: b}',
    '*alias',
    '&a x',
    '!!js/function x',
    '2026-01-01',
    '~',
    '---',
  ),
  hostileText,
);
const key = fc.constantFrom(
  'name',
  'description',
  'license',
  'compatibility',
  'allowed-tools',
  'metadata',
  '__proto__',
  'x',
  '<<',
);
const inner = fc.constantFrom(
  'entrypoint',
  'version',
  'updated',
  'hash',
  'tags',
  'signature',
  'functions',
  '__proto__',
  'examples',
);
const entrypoint = fc.constantFrom(
  'scripts/main.py',
  '../secret.txt',
  '../../secret.txt',
  '/etc/passwd',
  'a/../../x.py',
  'x.py',
  '999999999',
  'sha256:0',
);
const metadata = fc
  .array(fc.tuple(inner, fc.oneof(entrypoint, scalar)), { maxLength: 4 })
  .map((entries) => entries.map(([name, value]) => `\n  ${name}: ${value}`).join(''));
const entry = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(key, scalar).map(([name, value]) => `${name}: ${value}`) },
  { weight: 1, arbitrary: metadata.map((text) => `metadata:${text}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...['[', '- ', '{a: ', '? '].map((one) => `x: ${one.repeat(500)}`)),
  },
);
const body = fc.oneof(fc.constantFrom('# Title\n\nText.\n', '', '---\n'), hostileText);
const manifest = fc
  .tuple(fc.array(entry, { maxLength: 5 }), body, fc.constantFrom('\n', '\n', '\r\n', '\r'))
  .map(([lines, text, end]) =>
    `---\nname: a-skill\ndescription: d\n${lines.join('\n')}\n---\n${text}`.replaceAll('\n', end),
  );
const valid = fc.constantFrom(
  '---\nname: a-skill\ndescription: "Does it."\nmetadata:\n  entrypoint: "scripts/main.py"\n  version: "1"\n  tags: "a, b"\n---\n\n# A skill\n',
);
/** @type {fc.Arbitrary<Found>} */
const found = fc.record({
  name: fc.constantFrom(
    'a-skill',
    'b',
    'Not_A-Name',
    'a\u200bb',
    'x y',
    '.hidden',
    'class',
    'a_skill',
    'new\nline',
  ),
  manifest: fc.oneof(
    manifest,
    edited(manifest),
    edited(valid),
    valid,
    hostileText,
    fc.uint8Array({ maxLength: 40 }),
  ),
  code: fc.option(
    fc.oneof(fc.constant('def run():\n    return 1\n'), hostileText, fc.uint8Array({ maxLength: 20 })),
    { nil: undefined },
  ),
  link: fc.option(fc.constantFrom('SKILL.md', 'scripts/main.py', 'scripts', 'notes.md'), {
    nil: undefined,
    freq: 3,
  }),
  asked: fc.oneof(
    fc.constantFrom('SKILL.md', 'notes.md', '../../secret.txt', 'scripts/main.py', 'scripts', '.'),
    hostileText,
  ),
  record: fc.oneof(
    fc.constantFrom(
      '',
      '{}',
      'null',
      '{"principal":"x","time":"t","hash":"h","origin":"save","description":"d","manifestHash":"m"}',
    ),
    hostileText,
  ),
});
