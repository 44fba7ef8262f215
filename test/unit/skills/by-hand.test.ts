import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../fs/temporary-folder.js';
import { CODE, request, SHAPE } from './saved-request.js';
import { fixture } from './skill-fixture.js';

const PAGE = { limit: 50, offset: 0 };

/** Writes a skill folder as a person or another client would. */
function writeSkill(
  root: string,
  folder: string,
  manifest: string,
  files: Readonly<Record<string, string>> = {},
): void {
  for (const [name, text] of Object.entries({ 'SKILL.md': manifest, ...files })) {
    const file = path.join(root, folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

test('code edited by hand is what loads, with a warning, and the next save keeps it as a version', async () => {
  const { store, root } = fixture();
  await store.save(request());
  const edited = `${CODE}# mine\n`;
  writeFileSync(path.join(root, 'filter-high-risk/scripts/main.py'), edited);
  const now = await store.load('filter_high_risk');
  expect([now.code, now.version, now.warnings]).toEqual([
    edited,
    1,
    ['Edited by hand after version 1 was saved: scripts/main.py.'],
  ]);
  await store.save(request({ code: 'x = 1\n', overwrite: true }));
  const saved = await store.load('filter_high_risk');
  expect(saved.versions.map(({ version, origin, principal }) => [version, origin, principal])).toEqual([
    [3, 'save', 'local'],
    [2, 'hand', 'by hand'],
    [1, 'save', 'local'],
  ]);
  expect(saved.warnings).toEqual([]);
  expect((await store.load('filter_high_risk', 2)).code).toBe(edited);
});

test('a SKILL.md edited by hand loads with its own description, and a rollback to it keeps its words', async () => {
  const { store, root } = fixture();
  await store.save(request());
  const file = path.join(root, 'filter-high-risk/SKILL.md');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/description: .*/, 'description: "My words."'));
  appendFileSync(file, '\nMy own advice.\n');
  const now = await store.load('filter_high_risk');
  expect([now.description, now.warnings]).toEqual([
    'My words.',
    ['Edited by hand after version 1 was saved: SKILL.md.'],
  ]);
  await store.save(request({ overwrite: true }));
  const back = await store.rollback('filter_high_risk', 2, 'me');
  expect([back.version, back.description]).toEqual([4, 'My words.']);
  expect(readFileSync(file, 'utf8')).toContain('My own advice.');
  expect((await store.load('filter_high_risk')).warnings).toEqual([]);
});

test('a folder put back to an older version by hand is that version, with a warning, and is not kept twice', async () => {
  const { store, root } = fixture();
  await store.save(request());
  const folder = path.join(root, 'filter-high-risk');
  const manifest = readFileSync(path.join(folder, 'SKILL.md'), 'utf8');
  await store.save(request({ code: 'x = 1\n', overwrite: true }));
  writeFileSync(path.join(folder, 'SKILL.md'), manifest);
  writeFileSync(path.join(folder, 'scripts/main.py'), CODE);
  const now = await store.load('filter_high_risk');
  expect([now.version, now.code, now.warnings]).toEqual([
    1,
    CODE,
    ['The folder holds version 1, though version 2 is newer.'],
  ]);
  const saved = await store.save(request({ code: 'x = 2\n', overwrite: true }));
  expect(saved.versions.map(({ version }) => version)).toEqual([3, 2, 1]);
});

test('a folder removed by hand is no skill any more, and saves without overwrite', async () => {
  const { store, root } = fixture();
  await store.save(request());
  rmSync(path.join(root, 'filter-high-risk'), { recursive: true });
  await expect(store.load('filter_high_risk')).rejects.toMatchObject({ code: 'not_found' });
  expect((await store.save(request())).version).toBe(2);
});

test('a skill of another client loads: its code, its entry, its missing frontmatter', async () => {
  const { store, root } = fixture();
  writeSkill(root, 'csv-tools', '# Csv tools\n\nReads CSV files.\n', {
    'scripts/main.py': 'def main(): pass\n',
  });
  writeSkill(root, 'advice', '---\nname: advice\ndescription: Only words.\n---\nBe kind.\n');
  writeSkill(root, 'other', '---\nname: other\ndescription: o\nmetadata:\n  entrypoint: src/run.py\n---\n', {
    'src/run.py': 'run = 1\n',
  });
  writeSkill(
    root,
    'escape',
    '---\nname: escape\ndescription: e\nmetadata:\n  entrypoint: ../other/src/run.py\n---\n',
  );
  const csv = await store.load('csv_tools');
  expect([csv.code, csv.description, csv.version, csv.warnings]).toEqual([
    'def main(): pass\n',
    'Reads CSV files.',
    1,
    ['SKILL.md has no frontmatter; its description is taken from the text.'],
  ]);
  expect(csv.versions).toEqual([expect.objectContaining({ version: 1, principal: 'by hand' })]);
  expect((await store.load('csv_tools', 1)).code).toBe('def main(): pass\n');
  const advice = await store.load('advice');
  expect([advice.code, advice.warnings]).toEqual([
    '',
    ['There is no scripts/main.py: the skill has instructions only and cannot be imported.'],
  ]);
  expect((await store.load('other')).code).toBe('run = 1\n');
  const escaping = await store.load('escape');
  expect([escaping.code, escaping.warnings[0]]).toEqual([
    '',
    'The entrypoint in the metadata of SKILL.md is no path of a Python file in the folder.',
  ]);
});

test('the shape of code that was not saved here is read by inspection, once it differs from what SKILL.md states', async () => {
  const inspected: string[] = [];
  const { store, root } = fixture({
    inspect: async (code, name) => {
      inspected.push(name);
      if (code.includes('broken')) throw new Error('line 1: invalid syntax');
      return { ...SHAPE, signature: 'seen()' };
    },
  });
  await store.save(request());
  expect((await store.load('filter_high_risk')).signature).toBe(SHAPE.signature);
  expect(inspected).toEqual([]);
  writeFileSync(path.join(root, 'filter-high-risk/scripts/main.py'), 'def seen(): pass\n');
  expect((await store.load('filter_high_risk')).signature).toBe('seen()');
  writeFileSync(path.join(root, 'filter-high-risk/scripts/main.py'), 'broken');
  expect((await store.load('filter_high_risk')).warnings).toContain(
    'The code cannot be read: line 1: invalid syntax',
  );
  expect(inspected).toEqual(['filter_high_risk', 'filter_high_risk']);
});

test('a folder that was saved elsewhere and copied here keeps its version, its shape and its provenance', async () => {
  const elsewhere = fixture();
  await elsewhere.store.save(request());
  const { store, root } = fixture();
  const copied = ['SKILL.md', 'scripts/main.py'].map(
    (name) => [name, readFileSync(path.join(elsewhere.root, 'filter-high-risk', name), 'utf8')] as const,
  );
  writeSkill(root, 'filter-high-risk', '', Object.fromEntries(copied));
  const skill = await store.load('filter_high_risk');
  const { docstring: _, ...stated } = SHAPE;
  expect([skill.warnings, skill.shape]).toEqual([[], stated]);
  expect(skill.versions).toEqual([expect.objectContaining({ version: 1, principal: 'local', run: 'r1' })]);
  appendFileSync(path.join(root, 'filter-high-risk/scripts/main.py'), '# more\n');
  expect((await store.load('filter_high_risk')).warnings).toEqual([
    'The code was edited by hand: it differs from the hash in the metadata of SKILL.md.',
  ]);
});

const huge = 'x'.repeat(10 * 1024 * 1024);

test.each<[string, (root: string) => void, string]>([
  [
    'a SKILL.md of 10 MB',
    (root) => writeSkill(root, 'bad', huge),
    'has a SKILL.md of more than 262144 bytes',
  ],
  [
    'a SKILL.md without closing border',
    (root) => writeSkill(root, 'bad', '---\nname: bad\n'),
    'has a SKILL.md whose frontmatter has no closing "---"',
  ],
  ['an empty SKILL.md', (root) => writeSkill(root, 'bad', ''), 'has a SKILL.md without a description'],
  [
    'a name that differs in case',
    (root) => writeSkill(root, 'bad_name', '---\ndescription: d\n---\n'),
    'has a folder name that cannot be imported (rename it to bad-name)',
  ],
  [
    'a name no identifier can have',
    (root) => writeSkill(root, '3 bad', '---\ndescription: d\n---\n'),
    'has a folder name that cannot be imported',
  ],
])('a folder with %s is listed with the reason and does not load', async (_what, make, fault) => {
  const { store, root, warnings } = fixture();
  make(root);
  const { skills } = await store.find(undefined, PAGE);
  expect(skills).toEqual([
    expect.objectContaining({ broken: fault, description: `cannot be used: it ${fault}` }),
  ]);
  expect(warnings).toEqual([`a skill ${fault}`]);
  await expect(store.load(skills[0]?.name ?? '')).rejects.toMatchObject({ code: 'path_denied' });
  expect((await store.find('bad', PAGE)).total).toBe(0);
});

test('code that is too long or no UTF-8 is not loaded', async () => {
  const { store, root } = fixture();
  writeSkill(root, 'long', '---\ndescription: d\n---\n', { 'scripts/main.py': 'x'.repeat(256 * 1024 + 1) });
  writeSkill(root, 'bytes', '---\ndescription: d\n---\n');
  mkdirSync(path.join(root, 'bytes/scripts'));
  writeFileSync(path.join(root, 'bytes/scripts/main.py'), Buffer.from([0xff, 0xfe]));
  await expect(store.load('long')).rejects.toMatchObject({
    message: 'The skill "long" has a file scripts/main.py of more than 262144 bytes, the most that is read.',
  });
  await expect(store.load('bytes')).rejects.toMatchObject({
    message: 'The skill "bytes" has a file scripts/main.py that is no UTF-8 text.',
  });
});

test('a folder that cannot be read is not overwritten', async () => {
  const { store, root } = fixture();
  writeSkill(root, 'filter-high-risk', '---\nname: x\n');
  await expect(store.save(request({ overwrite: true }))).rejects.toMatchObject({
    code: 'path_denied',
    message: 'The skill filter_high_risk has a SKILL.md whose frontmatter has no closing "---".',
  });
  expect(readFileSync(path.join(root, 'filter-high-risk/SKILL.md'), 'utf8')).toBe('---\nname: x\n');
  await store.remove('filter_high_risk');
  expect((await store.save(request())).version).toBe(2);
});

test('a skill folder that is a link is refused, wherever it leads', async () => {
  const { store, root } = fixture();
  const target = temporaryFolder();
  writeSkill(target, 'linked', '---\nname: linked\ndescription: d\n---\n', { 'scripts/main.py': 'x' });
  symlinkSync(path.join(target, 'linked'), path.join(root, 'linked'));
  const { skills } = await store.find(undefined, PAGE);
  expect(skills.map(({ name, broken }) => [name, broken?.slice(0, 22)])).toEqual([
    ['linked', 'is a link or special f'],
  ]);
  await expect(store.load('linked')).rejects.toMatchObject({ code: 'path_denied' });
  await expect(store.save(request({ name: 'linked', overwrite: true }))).rejects.toMatchObject({
    code: 'path_denied',
  });
  expect(readdirSync(path.join(target, 'linked')).sort()).toEqual(['SKILL.md', 'scripts']);
});

test('links inside a folder are never followed: not for SKILL.md, the code, other files, nor when writing', async () => {
  const { store, root } = fixture();
  const secret = path.join(temporaryFolder(), 'secret.txt');
  writeFileSync(secret, 'SECRET');
  await store.save(request());
  const folder = path.join(root, 'filter-high-risk');
  mkdirSync(path.join(folder, 'references'));
  symlinkSync(secret, path.join(folder, 'references/notes.md'));
  const skill = await store.load('filter_high_risk');
  expect([skill.files.length, skill.warnings]).toEqual([
    2,
    ['1 links or special files in the folder are left out; links are not followed.'],
  ]);
  await expect(store.readFile('filter_high_risk', 'references/notes.md')).rejects.toMatchObject({
    code: 'path_denied',
    message: '"references/notes.md" is a link, a folder or a special file.',
    hint: 'It has: SKILL.md, scripts/main.py.',
  });
  rmSync(path.join(folder, 'scripts/main.py'));
  symlinkSync(secret, path.join(folder, 'scripts/main.py'));
  await expect(store.load('filter_high_risk')).rejects.toMatchObject({ code: 'path_denied' });
  rmSync(path.join(folder, 'scripts'), { recursive: true });
  symlinkSync(path.dirname(secret), path.join(folder, 'scripts'));
  await expect(store.save(request({ code: 'new', overwrite: true }))).rejects.toMatchObject({
    code: 'path_denied',
  });
  rmSync(path.join(folder, 'SKILL.md'));
  symlinkSync(secret, path.join(folder, 'SKILL.md'));
  expect((await store.find(undefined, PAGE)).skills[0]?.broken).toContain('is a link');
  expect(readdirSync(path.dirname(secret))).toEqual(['secret.txt']);
});

test('a save that cannot be put into the folder leaves no version', async () => {
  const { store, root } = fixture();
  writeSkill(root, 'filter-high-risk', '---\nname: filter-high-risk\ndescription: d\n---\n', {
    'scripts/main.py/file.txt': 'a folder in the way',
  });
  await expect(store.save(request({ overwrite: true }))).rejects.toMatchObject({ code: 'path_denied' });
  expect(existsSync(path.join(root, '.history/filter-high-risk/1'))).toBe(false);
});

test.each(['../other/SKILL.md', '/etc/passwd', 'a\\b', '', 'scripts', '.'])(
  'the path %j of a file is refused',
  async (file) => {
    const { store, root } = fixture();
    await store.save(request());
    writeSkill(root, 'other', '---\nname: other\ndescription: d\n---\n');
    await expect(store.readFile('filter_high_risk', file)).rejects.toMatchObject({ code: 'path_denied' });
  },
);

test('a file that is not there is refused with those that are', async () => {
  const { store } = fixture();
  await store.save(request());
  await expect(store.readFile('filter_high_risk', 'nothing.md')).rejects.toMatchObject({
    code: 'not_found',
    message: '"nothing.md" is not in the folder of the skill.',
    hint: 'It has: SKILL.md, scripts/main.py.',
  });
});

test('a root that is a link is followed, for the operator has named it', async () => {
  const target = temporaryFolder();
  const link = path.join(temporaryFolder(), 'skills');
  symlinkSync(target, link);
  const { store } = fixture({ root: link });
  await store.save(request());
  expect(existsSync(path.join(target, 'filter-high-risk/SKILL.md'))).toBe(true);
});
