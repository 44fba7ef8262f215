import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/core/outcome.js';
import { lineDifference } from '../../../src/session/line-difference.js';
import { draft, memorySkills } from '../../support/memory-skills.js';

const save = (skills: ReturnType<typeof memorySkills>['skills'], ...more: Parameters<typeof draft>) =>
  skills.save('local', draft(...more), {});

test('a draft is parsed by a principal of its own and kept with who saved it', async () => {
  const { skills, store, requests } = memorySkills();
  const { skill, former, missing, notes } = await skills.save('local', draft('area', { tags: ['geo'] }), {
    run: 'r7',
    nested: true,
  });
  expect([skill.name, skill.version, skill.signature, former]).toEqual([
    'area',
    1,
    'area(x, y=1)',
    undefined,
  ]);
  expect([missing, notes]).toEqual([{ tools: [], skills: [] }, []]);
  expect(store.saved[0]).toMatchObject({ provenance: { principal: 'local', run: 'r7' }, tags: ['geo'] });
  expect(requests).toMatchObject([
    {
      principal: 'skill inspection',
      request: { code: 'skills.__inspect__(code, name)', nested: true, context: { name: 'area' } },
    },
  ]);
  expect(store.saved[0]).not.toHaveProperty('test');
});

test('a skill that is there is not replaced unless the draft says so, and nothing is parsed for it', async () => {
  const { skills, requests } = memorySkills();
  await save(skills, 'area');
  await expect(save(skills, 'area', { code: 'def area(x):\n    return 2\n' })).rejects.toMatchObject({
    code: 'exists',
    message: 'the skill area is there already (version 1), and this code differs by +2 -2 lines',
    hint: 'pass overwrite: true to save it as the next version (the former one is kept), or use another name',
  });
  await expect(save(skills, 'area')).rejects.toMatchObject({
    message: 'the skill area is there already (version 1), with the same code',
  });
  expect(requests).toHaveLength(1);
  const saved = await save(skills, 'area', { code: 'def area(x, y=1):\n    return 2\n', overwrite: true });
  expect([saved.skill.version, saved.former]).toEqual([2, { version: 1, added: 1, removed: 1 }]);
});

test.each([
  [
    'code of 300 kB',
    { code: '#'.repeat(300_000) },
    'too_large',
    'the code has 300000 bytes; a skill has 262144 at most',
  ],
  ['a NUL', { code: 'x = 1\ny = "\0"' }, 'bad_arguments', 'the code has a NUL character in line 2'],
  [
    'half a surrogate pair',
    { code: 'x = "\ud800"' },
    'bad_encoding',
    'the code has half of a surrogate pair in line 1, which UTF-8 cannot hold',
  ],
  [
    'the same in a tag',
    { tags: ['\udc00'] },
    'bad_encoding',
    'the tags has half of a surrogate pair in line 1, which UTF-8 cannot hold',
  ],
  ['no code', { code: ' \n' }, 'bad_arguments', 'the code is empty'],
])('%s is refused before anything is run', async (_, more, code, message) => {
  const { skills, requests } = memorySkills();
  await expect(save(skills, 'area', more)).rejects.toMatchObject({ code, message });
  expect(requests).toEqual([]);
});

test('personal data is refused with its place and never with its value', async () => {
  const { skills, requests } = memorySkills(
    {},
    {
      findPersonal: async (text) =>
        text.split('\n').flatMap((line, at) => (line.includes('@') ? [{ type: 'EMAIL', line: at + 1 }] : [])),
    },
  );
  const code = '# a\n# b@c.de\ndef area():\n    return "d@e.fr"\n';
  await expect(save(skills, 'area', { code, description: 'for x@y.z' })).rejects.toMatchObject({
    code: 'personal_data',
    message:
      'a skill is kept and shared, and this one holds personal data or a secret: EMAIL in line 2 of the code, EMAIL in line 4 of the code, EMAIL in the description',
  });
  expect(requests).toEqual([]);
});

test('what does not compile is refused with line and text', async () => {
  const inspect = () => ({ problem: 'syntax', message: 'invalid syntax', line: 2, text: 'def f(:' });
  await expect(save(memorySkills({ inspect }).skills, 'area')).rejects.toMatchObject({
    code: 'syntax_error',
    message: 'the code does not compile in line 2: invalid syntax: def f(:',
  });
});

test('code without a function is refused with what to do', async () => {
  const inspect = () => ({ problem: 'no_function', message: 'it defines no public function' });
  await expect(save(memorySkills({ inspect }).skills, 'two-words')).rejects.toMatchObject({
    code: 'bad_arguments',
    hint: 'put it into a function, for example def two_words(...)',
  });
});

const failed = (kind: 'crashed' | 'timedOut' | 'limited', type: string): Outcome => ({
  kind,
  error: { code: 'crashed', type, message: 'it ended' },
});

test.each<[string, Outcome, string]>([
  ['ends the interpreter', failed('crashed', 'Crashed'), 'it brings the parser down'],
  ['takes for ever', failed('timedOut', 'TimeoutError'), 'TimeoutError: it ended'],
  ['takes all memory', failed('limited', 'MemoryError'), 'MemoryError: it ended'],
])('text that %s is too large', async (_, outcome, how) => {
  await expect(save(memorySkills({ outcome }).skills, 'area')).rejects.toMatchObject({
    code: 'too_large',
    message: `the code cannot be read: ${how}`,
  });
});

test.each([
  ['no object', 5],
  [
    'more than it may',
    {
      entry: 'a',
      signature: 'a()',
      functions: [],
      requiresTools: [],
      requiresSkills: [],
      examples: 0,
      missingImports: [],
      extra: 1,
    },
  ],
  [
    'a huge list',
    {
      entry: 'a',
      signature: 'a()',
      functions: Array(101).fill('f'),
      requiresTools: [],
      requiresSkills: [],
      examples: 0,
      missingImports: [],
    },
  ],
])('a worker that tells %s is not believed', async (_, told) => {
  const { skills, store } = memorySkills({ inspect: () => told });
  await expect(save(skills, 'area')).rejects.toMatchObject({ code: 'too_large' });
  expect(store.saved).toEqual([]);
});

const TESTED = 'def area(x):\n    """\n    >>> area(1)\n    1\n    """\n    return x\n';

test('examples that hold are kept with the version', async () => {
  const { skills, requests } = memorySkills({ examples: { passed: 2, failed: 0 } });
  const { skill } = await save(skills, 'area', { code: TESTED, test: true });
  expect(skill.test).toMatchObject({ passed: 2, failed: 0 });
  expect(requests.map(({ principal, request }) => [principal, request.code])).toEqual([
    ['skill inspection', 'skills.__inspect__(code, name)'],
    ['local', 'skills.__examples__(code, name)'],
  ]);
});

test('an example that fails keeps the skill from being saved', async () => {
  const examples = { passed: 1, failed: 2, message: 'line 3: >>> area(1)\nexpected: 1\ngot: 2' };
  const { skills, store } = memorySkills({ examples });
  await expect(save(skills, 'area', { code: TESTED, test: true })).rejects.toMatchObject({
    code: 'test_failed',
    message: 'not saved: 2 of 3 examples failed; the first: line 3: >>> area(1); expected: 1; got: 2',
    hint: 'mend the code or the example and save again, or save without test',
  });
  expect(store.saved).toEqual([]);
});

test('a test without examples is refused, and code with examples that are not run is told so', async () => {
  const { skills } = memorySkills();
  await expect(save(skills, 'area', { test: true })).rejects.toMatchObject({
    code: 'bad_arguments',
    message: 'there is nothing to test: the docstrings have no >>> examples',
  });
  expect((await save(skills, 'area', { code: TESTED })).notes).toEqual([
    'its >>> examples were not run; test: true runs them first',
  ]);
});

test('whatever ends the examples is a failure of them', async () => {
  const { skills, store } = memorySkills({
    examples: 'nonsense',
  });
  await save(skills, 'area', { code: TESTED });
  const outcome = await skills.test('local', 'area', undefined, {});
  expect(outcome).toMatchObject({ passed: 0, failed: 1, message: 'the examples gave no outcome' });
  expect(store.tests).toEqual([{ name: 'area', version: 1, outcome }]);
});

test('what a skill needs and does not find is told, and so is what it needs elsewhere', async () => {
  const { skills } = memorySkills();
  const code =
    'from skills import nowhere\ndef area(x):\n    return tools.a.there(json), tools.missing.tool()\n';
  const { missing, notes } = await save(skills, 'area', { code });
  expect(missing).toEqual({ tools: ['missing.tool'], skills: ['nowhere'] });
  expect(notes).toEqual(['outside this server it also needs: import json']);
});

test('without a description the first paragraph of the docstring is it', async () => {
  const inspect = (docstring?: string) => () => ({
    entry: 'area',
    signature: 'area()',
    functions: ['area'],
    ...(docstring === undefined ? {} : { docstring }),
    requiresTools: [],
    requiresSkills: [],
    examples: 0,
    missingImports: [],
  });
  const described = memorySkills({ inspect: inspect('The area\nof a circle.\n\nMore.') });
  expect((await save(described.skills, 'area', { description: '' })).skill.description).toBe(
    'The area of a circle.',
  );
  await expect(
    save(memorySkills({ inspect: inspect() }).skills, 'area', { description: ' ' }),
  ).rejects.toMatchObject({ code: 'bad_arguments', message: 'the skill has no description' });
});

test('listeners are told of changes until they stop', async () => {
  const { skills } = memorySkills();
  const told: string[] = [];
  const stopFirst = skills.onChange('local', () => told.push('first'));
  skills.onChange('local', () => told.push('second'));
  await save(skills, 'a');
  stopFirst();
  await save(skills, 'b');
  expect(told).toEqual(['first', 'second', 'second']);
});

test.each([
  ['a\nb\n', 'a\nb\n', 0, 0],
  ['a\nb\n', 'a\r\nb', 0, 0],
  ['a\nb', 'b\na\na', 1, 0],
  ['a', '', 1, 1],
])('%j to %j differs by +%i -%i', (before, after, added, removed) => {
  expect(lineDifference(before, after)).toEqual({ added, removed });
});
