import { expect, test } from 'vitest';
import type { App } from '../../../src/cli/app-contract.js';
import { runCommandLine } from '../../../src/cli/program.js';
import { CodeExecutionError } from '../../../src/core/errors.js';
import type { Skill, SkillArchive, SkillSummary } from '../../../src/skills/skills.js';
import { fakeHost } from '../config/fake-host.js';
import { type FakeContext, fakeContext } from './fake-context.js';

const PASSED = { passed: 2, failed: 0, time: '2026-12-01T00:00:00.000Z' };
const SUMMARY: SkillSummary = {
  name: 'filter_high_risk',
  description: 'Keeps rows at risk.\u001b[2J',
  tags: ['crm'],
  version: 2,
  updated: '2026-12-02T00:00:00.000Z',
  uses: 1,
  signature: 'filter_high_risk(rows)',
  test: PASSED,
  readOnly: false,
};
const SKILL: Skill = {
  ...SUMMARY,
  code: 'def filter_high_risk(rows):\n\treturn "\u202e"\n',
  shape: {
    signature: 'filter_high_risk(rows)',
    entry: 'filter_high_risk',
    functions: ['filter_high_risk'],
    requiresTools: ['crm.list'],
    requiresSkills: ['other'],
    examples: 2,
  },
  versions: [
    {
      version: 2,
      principal: 'me',
      time: '2026-12-02T00:00:00.000Z',
      hash: 'ab'.repeat(32),
      origin: 'rollback',
      from: 1,
      test: PASSED,
    },
    {
      version: 1,
      principal: 'local',
      run: 'r1',
      time: '2026-12-01T00:00:00.000Z',
      hash: 'cd'.repeat(32),
      origin: 'save',
    },
  ],
  files: [{ path: 'SKILL.md', size: 10 }],
  warnings: ['Edited by hand.'],
};
const BROKEN: SkillSummary = { ...SUMMARY, name: 'bad', version: 0, broken: 'is a link' };

function context(
  archive: Partial<SkillArchive> = {},
  app: Partial<App> = {},
): FakeContext & { calls: unknown[][] } {
  const calls: unknown[][] = [];
  const known: Partial<SkillArchive> = {
    find: async (...args) => {
      calls.push(['find', ...args]);
      return { total: 1, skills: [SUMMARY] };
    },
    load: async (...args) => {
      calls.push(['load', ...args]);
      return SKILL;
    },
    ...archive,
  };
  const skills = new Proxy(known, {
    get: (target, key) =>
      Reflect.get(target, key) ??
      (key === 'then' ? undefined : async (...args: unknown[]) => void calls.push([String(key), ...args])),
  }) as SkillArchive;
  return { ...fakeContext(fakeHost(), { app: { skills: async () => skills, ...app } }), calls };
}

test('skills list shows each skill with what is known of it, and nothing that acts on the terminal', async () => {
  const shown = context();
  expect(await runCommandLine(['skills', 'list'], shown)).toBe(0);
  expect(shown.out()).toBe(
    'filter_high_risk  [version 2, used 1 time, tests: 2 passed]\n  Keeps rows at risk.\\u001b[2J\n',
  );
  expect([shown.calls, shown.events]).toEqual([
    [['find', undefined, { limit: 100_000, offset: 0 }]],
    ['close'],
  ]);
});

test('skills list takes a question, prints JSON, and fails for a folder that cannot be used', async () => {
  const asked = context();
  expect(await runCommandLine(['skills', 'list', 'at', 'risk', '--json'], asked)).toBe(0);
  expect(JSON.parse(asked.out())).toEqual([SUMMARY]);
  expect(asked.calls).toEqual([['find', 'at risk', { limit: 100_000, offset: 0 }]]);
  const broken = context({
    find: async () => ({ total: 2, skills: [{ ...SUMMARY, readOnly: true, uses: 2 }, BROKEN] }),
  });
  expect(await runCommandLine(['skills', 'list'], broken)).toBe(1);
  expect(broken.out()).toBe(
    'filter_high_risk  [version 2, used 2 times, tests: 2 passed, read-only]\n  Keeps rows at risk.\\u001b[2J\nbad  [cannot be used: it is a link]\n',
  );
});

test.each([
  [[], 'no skills are saved\n'],
  [['moon'], 'no skill has a word of "moon"\n'],
])('skills list %j without any says so', async (words, text) => {
  const none = context({ find: async () => ({ total: 0, skills: [] }) });
  expect(await runCommandLine(['skills', 'list', ...words], none)).toBe(0);
  expect(none.out()).toBe(text);
});

test('skills show prints what a skill is and its code', async () => {
  const shown = context();
  expect(await runCommandLine(['skills', 'show', 'filter-high-risk', '--at', '2'], shown)).toBe(0);
  expect(shown.out()).toBe(
    [
      'filter_high_risk  version 2 of 1, 2',
      'Keeps rows at risk.\\u001b[2J',
      'signature: filter_high_risk(rows)',
      'tags: crm',
      'requires: crm.list, skills.other',
      'files: SKILL.md (10 bytes)',
      'tests: 2 passed',
      'note: Edited by hand.',
      '',
      'def filter_high_risk(rows):',
      '\treturn "\\u202e"',
      '',
    ].join('\n'),
  );
  expect(shown.calls).toEqual([['load', 'filter-high-risk', 2]]);
});

test('skills show prints one file byte by byte', async () => {
  const shown = context({ readFile: async () => Buffer.from('raw\u001b') });
  expect(await runCommandLine(['skills', 'show', 'a', '--file', 'x.txt'], shown)).toBe(0);
  expect(shown.out()).toBe('raw\u001b');
});

test('skills history lists the versions, newest first, with their origin and tests', async () => {
  const shown = context();
  expect(await runCommandLine(['skills', 'history', 'filter_high_risk'], shown)).toBe(0);
  expect(shown.out()).toBe(
    [
      '2  2026-12-02T00:00:00.000Z · by me · version 1 again · tests: 2 passed · sha256 abababababab',
      '1  2026-12-01T00:00:00.000Z · by local · run r1 · sha256 cdcdcdcdcdcd',
      'note: Edited by hand.',
      '',
    ].join('\n'),
  );
});

test('skills diff prints the difference, or that there is none', async () => {
  const asked: unknown[] = [];
  const differing = context({
    diff: async (...args) => {
      asked.push(args);
      return '-a\n+b';
    },
  });
  expect(await runCommandLine(['skills', 'diff', 'a', '1'], differing)).toBe(0);
  expect(await runCommandLine(['skills', 'diff', 'a', '1', '3'], differing)).toBe(0);
  expect([differing.out(), asked]).toEqual([
    '-a\n+b\n-a\n+b\n',
    [
      ['a', 1, undefined],
      ['a', 1, 3],
    ],
  ]);
  const same = context({ diff: async () => '' });
  expect(await runCommandLine(['skills', 'diff', 'a', '1'], same)).toBe(0);
  expect(same.out()).toBe('the code is the same\n');
});

test('skills rollback and remove do so in the name of the command line', async () => {
  const rolled: unknown[][] = [];
  const one = context({
    rollback: async (...args) => {
      rolled.push(args);
      return { ...SKILL, version: 3 };
    },
  });
  expect(await runCommandLine(['skills', 'rollback', 'filter_high_risk', '1'], one)).toBe(0);
  expect([one.out(), rolled]).toEqual([
    'filter_high_risk is now version 3, which is version 1 again\n',
    [['filter_high_risk', 1, 'command line']],
  ]);
  expect(await runCommandLine(['skills', 'remove', 'a'], one)).toBe(0);
  expect(one.out()).toBe('removed a; its versions are kept: skills rollback brings one back\n');
  expect(await runCommandLine(['skills', 'remove', 'a', '--purge'], one)).toBe(0);
  expect(one.out()).toBe('removed a, with all its versions\n');
  expect(one.calls).toEqual([
    ['remove', 'a', { by: 'command line', purge: false }],
    ['remove', 'a', { by: 'command line', purge: true }],
  ]);
});

test('skills test runs the examples of the skills named, or of all that have some, and fails if one does', async () => {
  const tested: unknown[][] = [];
  const testSkill: App['testSkill'] = async (...args) => {
    tested.push(args);
    return args[0] === 'bad_one'
      ? { passed: 1, failed: 1, message: 'line 1\nline 2', time: PASSED.time }
      : PASSED;
  };
  const all = context({}, { testSkill });
  expect(await runCommandLine(['skills', 'test'], all)).toBe(0);
  expect(all.out()).toBe('filter_high_risk: tests: 2 passed\n');
  const named = context({}, { testSkill });
  expect(await runCommandLine(['skills', 'test', 'bad_one', 'good'], named)).toBe(1);
  expect(named.out()).toBe('bad_one: tests: 1 failed, 1 passed\n  line 1\n  line 2\ngood: tests: 2 passed\n');
  expect(await runCommandLine(['skills', 'test', 'good', '--at', '4'], named)).toBe(0);
  expect(tested).toEqual([
    ['filter_high_risk', undefined],
    ['bad_one', undefined],
    ['good', undefined],
    ['good', 4],
  ]);
  const none = context(
    { load: async () => ({ ...SKILL, shape: { ...SKILL.shape, examples: 0 } }) },
    { testSkill },
  );
  expect(await runCommandLine(['skills', 'test'], none)).toBe(0);
  expect(none.out()).toBe('no skill has examples (lines with >>> in a docstring)\n');
});

test.each([
  [['rollback', 'a', 'x'], 'the version: found "x", valid: a whole number from 1'],
  [['diff', 'a', '0'], 'from: found "0", valid: a whole number from 1'],
  [['show', 'a', '--at', '1.5'], '--at: found "1.5", valid: a whole number from 1'],
  [['show', 'a', '--at', '1', '--file', 'x'], '--file and --at exclude each other'],
  [['test', '--at', '1'], '--at needs the name of one skill'],
])('skills %j is wrong usage', async (args, message) => {
  const wrong = context();
  expect(await runCommandLine(['skills', ...args], wrong)).toBe(2);
  expect(wrong.err()).toContain(message);
});

test('a name that does not exist is wrong usage, with the next step; a full disk is a fault', async () => {
  const missing = context({
    load: () =>
      Promise.reject(new CodeExecutionError('not_found', 'There is no skill "a".', 'Did you mean ab?')),
  });
  expect(await runCommandLine(['skills', 'show', 'a'], missing)).toBe(2);
  expect([missing.err(), missing.events]).toEqual([
    'code-execution-mcp: There is no skill "a".\nnext: Did you mean ab?\n',
    ['close'],
  ]);
  const full = context({ rollback: () => Promise.reject(new CodeExecutionError('disk_limit', 'full')) });
  expect(await runCommandLine(['skills', 'rollback', 'a', '1'], full)).toBe(3);
});
