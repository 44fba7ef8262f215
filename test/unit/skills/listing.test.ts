import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../fs/temporary-folder.js';
import { request } from './saved-request.js';
import { fixture } from './skill-fixture.js';

const PAGE = { limit: 50, offset: 0 };
const OUTCOME = { passed: 1, failed: 0, time: '2026-12-01T00:00:00.000Z' };
const names = (found: { skills: readonly { name: string }[] }) => found.skills.map(({ name }) => name);

let now = 1_000_000;
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

/** Lets the time pass after which folders are looked into again. */
function later(): void {
  now += 60_000;
}

function writeSkill(root: string, folder: string, description: string): void {
  mkdirSync(path.join(root, folder, 'scripts'), { recursive: true });
  writeFileSync(path.join(root, folder, 'scripts/main.py'), 'def main(): pass\n');
  writeFileSync(
    path.join(root, folder, 'SKILL.md'),
    `---\nname: ${folder}\ndescription: ${description}\n---\n`,
  );
}

test('without a query skills are listed by name, a page at a time', async () => {
  const { store } = fixture();
  for (const name of ['gamma', 'alpha', 'beta']) await store.save(request({ name }));
  expect(await store.find(undefined, { limit: 2, offset: 0 })).toMatchObject({
    total: 3,
    skills: [{ name: 'alpha' }, { name: 'beta' }],
  });
  expect(names(await store.find('  ', { limit: 2, offset: 2 }))).toEqual(['gamma']);
});

test('a summary tells what a list shows', async () => {
  const { store } = fixture();
  const saved = await store.save(request({ test: OUTCOME }));
  store.recordUse('filter-high-risk');
  expect((await store.find(undefined, PAGE)).skills).toEqual([
    {
      name: 'filter_high_risk',
      description: request().description,
      tags: ['crm', 'risk'],
      version: 1,
      updated: saved.updated,
      uses: 1,
      signature: request().shape.signature,
      test: OUTCOME,
      readOnly: false,
    },
  ]);
});

test('a question in other words finds the skill, best first', async () => {
  const { store } = fixture();
  await store.save(request());
  await store.save(
    request({
      name: 'monthly_report',
      description: 'Writes the revenue of each region as a spreadsheet.',
      tags: ['sales'],
    }),
  );
  await store.save(request({ name: 'send_mail', description: 'Sends a message to people.', tags: [] }));
  expect(names(await store.find('which clients are risky', PAGE))[0]).toBe('filter_high_risk');
  expect(names(await store.find('sales', PAGE))).toEqual(['monthly_report']);
  expect(names(await store.find('excel export of revenue by region', PAGE))[0]).toBe('monthly_report');
  expect(names(await store.find('quantum chromodynamics', PAGE))).toEqual([]);
});

test('a name in either spelling is its own best answer', async () => {
  const { store } = fixture();
  await store.save(request({ name: 'report', description: 'Report report report.' }));
  await store.save(request({ name: 'monthly_report', description: 'Totals.' }));
  expect(names(await store.find('monthly-report', PAGE))[0]).toBe('monthly_report');
  expect(names(await store.find('monthly_report', PAGE))).toEqual(['monthly_report', 'report']);
});

test('of two equal skills the one that is used comes first, and one whose tests fail comes last', async () => {
  const { store } = fixture();
  const same = { description: 'Adds up invoices.', tags: [] };
  for (const name of ['total_a', 'total_b', 'total_c']) await store.save(request({ name, ...same }));
  store.recordUse('total_b');
  await store.recordTest('total_a', 1, { passed: 0, failed: 1, time: OUTCOME.time });
  expect(names(await store.find('add up invoices', PAGE))).toEqual(['total_b', 'total_c', 'total_a']);
});

test('uses are kept by close and added up by several servers', async () => {
  const one = fixture();
  await one.store.save(request());
  const two = fixture({ root: one.root });
  one.store.recordUse('filter_high_risk');
  two.store.recordUse('filter_high_risk');
  two.store.recordUse('no name');
  await one.store.close();
  await two.store.close();
  expect(JSON.parse(readFileSync(path.join(one.root, '.history/uses.json'), 'utf8'))).toEqual({
    filter_high_risk: 2,
  });
  const three = fixture({ root: one.root });
  expect((await three.store.find(undefined, PAGE)).skills[0]?.uses).toBe(2);
  expect((await three.store.load('filter_high_risk')).uses).toBe(2);
});

test('a skill that another server saved, or a person put there, shows at the next question', async () => {
  const { store, root } = fixture();
  const other = fixture({ root });
  expect((await store.find(undefined, PAGE)).total).toBe(0);
  await other.store.save(request({ name: 'theirs' }));
  expect(names(await store.find(undefined, PAGE))).toEqual(['theirs']);
  writeSkill(root, 'by-hand', 'A new one.');
  expect(names(await store.find(undefined, PAGE))).toEqual(['by_hand', 'theirs']);
  expect(names(await store.find('new one', PAGE))).toEqual(['by_hand']);
  rmSync(path.join(root, 'by-hand'), { recursive: true });
  expect(names(await store.find(undefined, PAGE))).toEqual(['theirs']);
});

test('an edit inside a folder shows after a while, and at once when loaded', async () => {
  const { store, root } = fixture();
  writeSkill(root, 'mine', 'Old words.');
  expect((await store.find(undefined, PAGE)).skills[0]?.description).toBe('Old words.');
  writeSkill(root, 'mine', 'Newer words.');
  expect((await store.load('mine')).description).toBe('Newer words.');
  later();
  expect((await store.find(undefined, PAGE)).skills[0]?.description).toBe('Newer words.');
});

test('listeners are told of every change: own ones once, those of others when they are seen', async () => {
  const { store, root } = fixture();
  let told = 0;
  store.onChange(() => {
    told += 1;
  });
  await store.save(request());
  await store.save(request({ overwrite: true }));
  await store.rollback('filter_high_risk', 1, 'me');
  await store.remove('filter_high_risk');
  await store.find(undefined, PAGE);
  later();
  await store.find(undefined, PAGE);
  expect(told).toBe(4);
  writeSkill(root, 'by-hand', 'A new one.');
  later();
  await store.find(undefined, PAGE);
  await store.find(undefined, PAGE);
  expect(told).toBe(5);
});

test('read-only roots add skills; the first root that has a name wins, and the log tells', async () => {
  const [first, second] = [temporaryFolder(), temporaryFolder()];
  writeSkill(first, 'shared', 'Of the first.');
  writeSkill(second, 'shared', 'Of the second.');
  writeSkill(second, 'other', 'Of the second.');
  const { store, warnings } = fixture({ readOnlyRoots: [first, second, path.join(first, 'missing')] });
  await store.save(request({ name: 'own' }));
  const { skills } = await store.find(undefined, PAGE);
  expect(skills.map(({ name, description, readOnly }) => [name, description, readOnly])).toEqual([
    ['other', 'Of the second.', true],
    ['own', request().description, false],
    ['shared', 'Of the first.', true],
  ]);
  later();
  await store.find(undefined, PAGE);
  expect(warnings).toEqual([
    'a read-only folder of skills does not exist',
    'a skill is hidden by one of the same name in a folder before',
  ]);
  expect(await store.load('shared')).toMatchObject({
    description: 'Of the first.',
    readOnly: true,
    code: 'def main(): pass\n',
  });
  expect(Buffer.from(await store.readFile('other', 'scripts/main.py')).toString()).toBe('def main(): pass\n');
});

test('a skill of a read-only root is not changed, but used, tested, and hidden by one of the own folder', async () => {
  const shelf = temporaryFolder();
  writeSkill(shelf, 'shared', 'Of the shelf.');
  const { store, root } = fixture({ readOnlyRoots: [shelf] });
  const refused = {
    code: 'path_denied',
    message: 'The skill shared lies in a read-only folder.',
    hint: 'Use it as it is, or save under another name.',
  };
  await expect(store.save(request({ name: 'shared', overwrite: true }))).rejects.toMatchObject(refused);
  await expect(store.remove('shared')).rejects.toMatchObject(refused);
  await expect(store.rollback('shared', 1, 'me')).rejects.toMatchObject(refused);
  store.recordUse('shared');
  await store.recordTest('shared', 1, OUTCOME);
  expect(await store.load('shared')).toMatchObject({ uses: 1, test: OUTCOME });
  writeSkill(root, 'shared', 'My own.');
  expect(await store.load('shared')).toMatchObject({ description: 'My own.', readOnly: false });
  expect((await store.save(request({ name: 'shared', overwrite: true }))).version).toBe(2);
});

test('what a killed server has left behind goes at the start', async () => {
  const { store, root } = fixture();
  const dead = path.join(root, '.code-execution/0123456789ab-1-dead/f1');
  mkdirSync(dead, { recursive: true });
  utimesSync(path.dirname(dead), 1, 1);
  await store.find(undefined, PAGE);
  expect((await store.find(undefined, PAGE)).total).toBe(0);
  expect(() => readFileSync(dead)).toThrow('ENOENT');
});

test('an own folder that cannot be used is an error for the operator', async () => {
  const file = path.join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const { store, warnings } = fixture({ root: file });
  await expect(store.find(undefined, PAGE)).rejects.toMatchObject({
    code: 'config_error',
    message: 'The folder of skills cannot be used by the server.',
  });
  expect(warnings).toEqual(['the folder of skills cannot be used']);
});
