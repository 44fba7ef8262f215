import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CodeExecutionError } from '../../../src/core/errors.js';
import { ContainedDir } from '../../../src/fs/contained-dir.js';
import { addVersion, type NewVersion, settle } from '../../../src/skills/change-skill.js';
import { currentSkill } from '../../../src/skills/current-skill.js';
import { SkillHistory } from '../../../src/skills/skill-history.js';
import { temporaryFolder } from '../fs/temporary-folder.js';
import { SHAPE } from './saved-request.js';

const fresh = (code: string): NewVersion => ({
  record: {
    principal: 'p',
    time: '2026-12-01T00:00:00.000Z',
    origin: 'save',
    description: 'd',
    tags: [],
    shape: SHAPE,
  },
  code,
  manifest: { name: 'a-skill', description: 'd', metadata: new Map(), body: 'Text.' },
});

async function opened() {
  const root = temporaryFolder();
  const dir = await ContainedDir.open(root);
  const code = () => readFileSync(path.join(root, 'a-skill/scripts/main.py'), 'utf8');
  return { root, dir, code };
}

/** A note of a server on this machine that is gone. */
function leaveNote(root: string): void {
  const notes = path.join(root, '.history/.writing');
  const [mine = ''] = readdirSync(notes);
  const host = mine.split('.')[1]?.split('-')[0];
  writeFileSync(path.join(notes, `a-skill.${host}-99999999-dead`), '');
}

test('a version that cannot be put into the folder is withdrawn, and the folder is as before', async () => {
  const { root, dir, code } = await opened();
  await addVersion(dir, 'a-skill', true, fresh('1'));
  const place = dir.place.bind(dir);
  let failing = true;
  dir.place = async (name, target, options) => {
    if (failing && target.text === 'a-skill/SKILL.md') {
      failing = false;
      throw new CodeExecutionError('disk_limit', 'The disk is full.');
    }
    return place(name, target, options);
  };
  await expect(addVersion(dir, 'a-skill', true, fresh('2'))).rejects.toMatchObject({ code: 'disk_limit' });
  expect([code(), await new SkillHistory(dir, 'a-skill').numbers()]).toEqual(['1', [1]]);
  expect(readdirSync(path.join(root, '.history/.writing'))).toEqual([]);
  await dir.close();
});

test('while a server stands between the two files of a version, the history answers; once it is gone, the folder is put right', async () => {
  const { root, dir, code } = await opened();
  await addVersion(dir, 'a-skill', true, fresh('1'));
  const before = readFileSync(path.join(root, 'a-skill/SKILL.md'), 'utf8');
  let seen: unknown;
  const place = dir.place.bind(dir);
  dir.place = async (name, target, options) => {
    await place(name, target, options);
    if (target.text !== 'a-skill/scripts/main.py') return;
    const current = await currentSkill(dir, 'a-skill');
    seen = current && 'skill' in current && [current.skill.files.code, current.skill.record?.version];
    leaveNote(root);
  };
  await addVersion(dir, 'a-skill', true, fresh('2'));
  expect(seen).toEqual(['2', 2]);
  dir.place = place;
  // As if it had been killed there.
  writeFileSync(path.join(root, 'a-skill/SKILL.md'), before);
  await settle(dir);
  expect([code(), readdirSync(path.join(root, '.history/.writing'))]).toEqual(['2', []]);
  expect(readFileSync(path.join(root, 'a-skill/SKILL.md'), 'utf8')).toContain('version: "2"');
  await dir.close();
});

test('what was written by hand after a server was killed is kept, not overwritten', async () => {
  const { root, dir, code } = await opened();
  const place = dir.place.bind(dir);
  dir.place = async (name, target, options) => {
    await place(name, target, options);
    if (target.text === 'a-skill/SKILL.md') leaveNote(root);
  };
  await addVersion(dir, 'a-skill', true, fresh('1'));
  writeFileSync(path.join(root, 'a-skill/scripts/main.py'), 'mine');
  await settle(dir);
  const history = new SkillHistory(dir, 'a-skill');
  expect([code(), (await history.newest())?.origin, (await history.texts(2))?.code]).toEqual([
    'mine',
    'hand',
    'mine',
  ]);
  await dir.close();
});

test('an entry that is not scripts/main.py is not copied there when a folder is put right', async () => {
  const { root, dir } = await opened();
  mkdirSync(path.join(root, 'a-skill/src'), { recursive: true });
  writeFileSync(
    path.join(root, 'a-skill/SKILL.md'),
    '---\nname: a-skill\ndescription: d\nmetadata:\n  entrypoint: src/run.py\n---\n',
  );
  writeFileSync(path.join(root, 'a-skill/src/run.py'), 'x');
  const place = dir.place.bind(dir);
  dir.place = async (name, target, options) => {
    await place(name, target, options);
    if (target.text === 'b-skill/SKILL.md') leaveNote(root);
  };
  await addVersion(dir, 'b-skill', true, fresh('1'));
  await settle(dir);
  expect(readdirSync(path.join(root, 'a-skill')).sort()).toEqual(['SKILL.md', 'src']);
  await dir.close();
});
