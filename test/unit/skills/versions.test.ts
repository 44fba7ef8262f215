import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SKILL_LIMITS as LIMITS } from '../../../src/skills/skill-limits.js';
import { CODE, request } from './saved-request.js';
import { fixture } from './skill-fixture.js';

const NEXT = 'def filter_high_risk(rows, limit=0.9):\n    return []\n';
const OUTCOME = { passed: 2, failed: 0, time: '2026-12-01T00:00:00.000Z' };
const versionsOf = (skill: { versions: readonly { version: number }[] }) =>
  skill.versions.map(({ version }) => version);

/** A store with two versions of one skill. */
async function twoVersions() {
  const made = fixture();
  await made.store.save(request({ test: OUTCOME }));
  await made.store.save(request({ code: NEXT, overwrite: true, description: 'Better.' }));
  return made;
}

test('saving again without overwrite is refused, and tells the version that is there', async () => {
  const { store, events } = fixture();
  await store.save(request());
  await expect(store.save(request({ code: NEXT }))).rejects.toMatchObject({
    code: 'exists',
    message: 'The skill filter_high_risk is already there (version 1).',
    hint: 'Pass overwrite=true to save a new version (the former one is kept), or use another name.',
  });
  expect((await store.load('filter_high_risk')).code).toBe(CODE);
  expect(events).toHaveLength(1);
});

test('every save is a version; former ones load by number with what they were', async () => {
  const { store } = await twoVersions();
  const now = await store.load('filter-high-risk');
  expect([now.version, now.code, now.description, versionsOf(now)]).toEqual([2, NEXT, 'Better.', [2, 1]]);
  const former = await store.load('filter_high_risk', 1);
  expect([former.version, former.code, former.description, former.test]).toEqual([
    1,
    CODE,
    request().description,
    OUTCOME,
  ]);
  expect(now.test).toBeUndefined();
});

test('a version that does not exist is refused with those that do', async () => {
  const { store } = await twoVersions();
  await expect(store.load('filter_high_risk', 7)).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no version 7 of the skill "filter_high_risk".',
    hint: 'Kept are: 1, 2.',
  });
});

test('a rollback makes a former version the newest, as one of its own with the outcome of its test', async () => {
  const { store, root, events } = await twoVersions();
  const skill = await store.rollback('filter_high_risk', 1, 'me');
  expect([skill.version, skill.code, skill.description, skill.test]).toEqual([
    3,
    CODE,
    request().description,
    OUTCOME,
  ]);
  expect(skill.versions[0]).toMatchObject({ version: 3, origin: 'rollback', from: 1, principal: 'me' });
  expect(readFileSync(path.join(root, 'filter-high-risk/scripts/main.py'), 'utf8')).toBe(CODE);
  expect(events.at(-1)).toMatchObject({
    event: 'rollback',
    skill: 'filter_high_risk',
    principal: 'me',
    version: 3,
  });
});

test('the difference of two versions is in the unified format, by default to the code of now', async () => {
  const { store } = await twoVersions();
  const difference = [
    '--- filter_high_risk version 1',
    '+++ filter_high_risk version 2 (now)',
    '@@ -1,2 +1,2 @@',
    '-def filter_high_risk(rows, limit=0.8):',
    '-    return [r for r in rows if r["risk"] > limit]',
    '+def filter_high_risk(rows, limit=0.9):',
    '+    return []',
  ].join('\n');
  expect(await store.diff('filter_high_risk', 1)).toBe(difference);
  expect(await store.diff('filter_high_risk', 1, 2)).toBe(difference.replace(' (now)', ''));
  expect(await store.diff('filter_high_risk', 2, 2)).toBe('');
});

test('a removed skill is gone, can be named, and a rollback brings it back with the files of other clients', async () => {
  const { store, root, events } = await twoVersions();
  mkdirSync(path.join(root, 'filter-high-risk/assets'));
  writeFileSync(path.join(root, 'filter-high-risk/assets/logo.txt'), 'logo');
  await store.remove('filter_high_risk', { by: 'me' });
  expect(existsSync(path.join(root, 'filter-high-risk'))).toBe(false);
  expect((await store.find(undefined, { limit: 5, offset: 0 })).total).toBe(0);
  await expect(store.load('filter_high_risk')).rejects.toMatchObject({
    code: 'not_found',
    message: 'The skill "filter_high_risk" was removed; its versions are kept.',
    hint: 'Save it again, or have it brought back: code-execution-mcp skills rollback filter_high_risk 2.',
  });
  expect(events.at(-1)).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    event: 'remove',
    skill: 'filter_high_risk',
    principal: 'me',
    version: 3,
  });
  const back = await store.rollback('filter_high_risk', 2, 'me');
  expect([back.version, back.code, versionsOf(back)]).toEqual([4, NEXT, [4, 2, 1]]);
  expect(readFileSync(path.join(root, 'filter-high-risk/assets/logo.txt'), 'utf8')).toBe('logo');
});

test('a removed skill can be saved anew without overwrite; numbers go on', async () => {
  const { store } = await twoVersions();
  await store.remove('filter_high_risk');
  expect(versionsOf(await store.save(request()))).toEqual([4, 2, 1]);
});

test('a purge leaves nothing', async () => {
  const { store, root } = await twoVersions();
  await store.remove('filter_high_risk', { purge: true });
  expect(readdirSync(path.join(root, '.history/.tests'))).toEqual([]);
  expect(readdirSync(root)).toEqual(['.history']);
  expect(readdirSync(path.join(root, '.history')).sort()).toEqual(['.gitignore', '.tests', '.writing']);
  await expect(store.rollback('filter_high_risk', 1, 'me')).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no skill "filter_high_risk".',
  });
});

test('the versions of a removed skill can be purged later', async () => {
  const { store, root } = await twoVersions();
  await store.remove('filter_high_risk');
  await store.remove('filter_high_risk', { purge: true });
  expect(existsSync(path.join(root, '.history/filter-high-risk'))).toBe(false);
  await expect(store.remove('filter_high_risk')).rejects.toMatchObject({ code: 'not_found' });
});

test('the oldest versions beyond the limit go, with their outcomes', async () => {
  const { store, root } = fixture({ limits: { ...LIMITS, versions: 3 } });
  for (let number = 1; number <= 5; number += 1)
    await store.save(request({ code: `x = ${number}\n`, overwrite: true, test: OUTCOME }));
  expect(versionsOf(await store.load('filter_high_risk'))).toEqual([5, 4, 3]);
  expect(readdirSync(path.join(root, '.history/filter-high-risk')).sort()).toEqual(['3', '4', '5']);
  expect(readdirSync(path.join(root, '.history/.tests')).sort()).toEqual(
    [3, 4, 5].map((version) => `filter-high-risk.${version}.json`),
  );
});

test('a skill may be called like a folder of the history', async () => {
  const { store } = fixture();
  await store.save(request({ name: 'writing', test: OUTCOME }));
  await store.save(request({ name: 'tests', overwrite: true }));
  expect(versionsOf(await store.save(request({ name: 'writing', overwrite: true })))).toEqual([2, 1]);
  expect((await store.load('writing', 1)).test).toEqual(OUTCOME);
});

test('an outcome recorded later belongs to its version, and to no other code', async () => {
  const { store, root } = await twoVersions();
  const failed = { passed: 0, failed: 1, message: 'line 1', time: OUTCOME.time };
  await store.recordTest('filter-high-risk', 2, failed);
  expect((await store.load('filter_high_risk')).test).toEqual(failed);
  expect((await store.find('filter high risk', { limit: 1, offset: 0 })).skills[0]?.test).toEqual(failed);
  writeFileSync(path.join(root, 'filter-high-risk/scripts/main.py'), '# mine\n');
  expect((await store.load('filter_high_risk')).test).toBeUndefined();
  await store.recordTest('filter_high_risk', 2, OUTCOME);
  expect((await store.load('filter_high_risk')).test).toEqual(OUTCOME);
  await expect(store.recordTest('filter_high_risk', 9, OUTCOME)).rejects.toMatchObject({ code: 'not_found' });
});

test('two saves of one name at the same time are two versions, and without overwrite one of them fails', async () => {
  const { store } = fixture();
  const results = await Promise.allSettled([store.save(request()), store.save(request({ code: NEXT }))]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await Promise.all(['a', 'b', 'c'].map((code) => store.save(request({ code, overwrite: true }))));
  expect(versionsOf(await store.load('filter_high_risk'))).toEqual([4, 3, 2, 1]);
});

test('a version of the history that somebody damaged is left out, not a crash', async () => {
  const { store, root } = await twoVersions();
  writeFileSync(path.join(root, '.history/filter-high-risk/1/version.json'), '{"version":1');
  rmSync(path.join(root, '.history/filter-high-risk/2/code.py'));
  expect(versionsOf(await store.load('filter_high_risk'))).toEqual([2]);
  await expect(store.load('filter_high_risk', 1)).rejects.toMatchObject({ code: 'not_found' });
  // The folder still holds it.
  expect((await store.load('filter_high_risk', 2)).code).toBe(NEXT);
  expect(versionsOf(await store.save(request({ overwrite: true })))).toEqual([3, 2]);
});
