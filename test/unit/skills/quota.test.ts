import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SKILL_LIMITS } from '../../../src/skills/skill-limits.js';
import { request } from './saved-request.js';
import { fixture } from './skill-fixture.js';

const limited = (limits: Partial<typeof SKILL_LIMITS>) => fixture({ limits: { ...SKILL_LIMITS, ...limits } });

test('code of up to 256 KiB is kept, one byte more is refused', async () => {
  const { store } = fixture();
  await store.save(request({ code: 'x'.repeat(256 * 1024) }));
  expect((await store.load('filter_high_risk')).code).toHaveLength(256 * 1024);
  await expect(
    store.save(request({ code: `${'x'.repeat(256 * 1024 - 1)}é`, overwrite: true })),
  ).rejects.toMatchObject({
    code: 'too_large',
    message: 'The code has 262145 bytes; a skill may have 262144.',
    hint: 'Split it into several skills that import each other, and keep data in the workspace.',
  });
});

test('one skill more than are kept is refused, a new version of one of them is not', async () => {
  const { store } = limited({ skills: 2 });
  await store.save(request({ name: 'a' }));
  await store.save(request({ name: 'b' }));
  await expect(store.save(request({ name: 'c' }))).rejects.toMatchObject({
    code: 'too_large',
    message: 'There are 2 skills, the most that are kept.',
  });
  expect((await store.save(request({ name: 'b', overwrite: true }))).version).toBe(2);
  await store.remove('a');
  expect((await store.save(request({ name: 'c' }))).version).toBe(1);
});

test('a folder with too many or too large files is refused', async () => {
  const { store, root } = limited({ folderFiles: 3, folderBytes: 10_000 });
  await store.save(request());
  const assets = path.join(root, 'filter-high-risk/assets');
  mkdirSync(assets);
  for (const name of ['a', 'b']) writeFileSync(path.join(assets, name), '');
  await expect(store.save(request({ overwrite: true }))).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(
      /^The folder of the skill has 4 files with \d+ bytes; a skill may have 3 files/,
    ),
  });
  await store.save(request({ name: 'other' }));
  writeFileSync(path.join(root, 'other/large'), 'x'.repeat(10_000));
  await expect(store.save(request({ name: 'other', overwrite: true }))).rejects.toMatchObject({
    code: 'too_large',
  });
  await expect(store.readFile('other', 'large')).resolves.toHaveLength(10_000);
  writeFileSync(path.join(root, 'other/large'), 'x'.repeat(10_001));
  await expect(store.readFile('other', 'large')).rejects.toMatchObject({
    code: 'too_large',
    message: '"large" is larger than 10000 bytes.',
  });
});

test('all skills with their versions have a limit, counted anew before a refusal', async () => {
  const { store } = limited({ totalBytes: 60_000 });
  const code = 'x'.repeat(5_000);
  let saved = 0;
  const refusal = await (async () => {
    for (;;) {
      try {
        await store.save(request({ code: `${code}${saved}`, overwrite: true }));
        saved += 1;
      } catch (error) {
        return error;
      }
    }
  })();
  expect(refusal).toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(/^All skills with their versions have \d+ bytes of 60000\.$/),
  });
  expect(saved).toBeGreaterThan(3);
  await store.remove('filter_high_risk', { purge: true });
  expect((await store.save(request({ code }))).version).toBe(1);
});

test.each([
  [{ description: ' \n ' }, 'bad_arguments', 'The description is empty.'],
  [{ description: 'x'.repeat(1_025) }, 'too_large', 'The description has 1025 characters; 1024 are allowed.'],
  [{ tags: ['a,b'] }, 'bad_arguments', 'The tag "a,b" is longer than 50 characters or holds a comma.'],
  [
    { tags: Array.from({ length: 21 }, (_, at) => `t${at}`) },
    'bad_arguments',
    'There are 21 tags; 20 are allowed.',
  ],
  [{ code: 'x = "\0"' }, 'bad_encoding', 'The code holds a NUL character or half of a surrogate pair.'],
  [{ code: 'x = "\ud800"' }, 'bad_encoding', 'The code holds a NUL character or half of a surrogate pair.'],
  [{ name: 'json' }, 'bad_name', 'The name "json" is a module of the standard library of Python.'],
])('a request with %j is refused', async (changes, code, message) => {
  const { store, events } = fixture();
  await expect(store.save(request(changes))).rejects.toMatchObject({ code, message });
  expect(events).toEqual([]);
});

test('a description becomes one line, tags are kept once', async () => {
  const { store } = fixture();
  const skill = await store.save(request({ description: ' Two\n lines\u0007 ', tags: ['a', ' a ', ''] }));
  expect([skill.description, skill.tags]).toEqual(['Two lines', ['a']]);
});
