import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RESERVED_NAMES } from '../../../src/skills/reserved-names.js';
import { checkSkillName, nearestName, readSkillName } from '../../../src/skills/skill-name.js';

test.each([
  ['filter_high_risk', 'filter-high-risk'],
  ['filter-high-risk', 'filter-high-risk'],
  ['a', 'a'],
  ['report2', 'report2'],
  ['q1_2026', 'q1-2026'],
  ['a'.repeat(64), 'a'.repeat(64)],
])('%j is a name and lies in the folder %j', (text, folder) => {
  expect(checkSkillName(text)).toEqual({ identifier: folder.replaceAll('-', '_'), folder });
});

test.each([
  ['', 'is empty', undefined],
  ['Filter High Risk', 'holds an upper-case letter', 'filter_high_risk'],
  ['filterHighRisk', 'holds an upper-case letter', 'filter_high_risk'],
  ['filter high', 'holds " "', 'filter_high'],
  ['a.b', 'holds "."', 'a_b'],
  ['../../etc/passwd', 'holds "."', 'etc_passwd'],
  ['a/b', 'holds "/"', 'a_b'],
  ['a\\b', 'holds "\\\\"', 'a_b'],
  ['a\0b', 'holds "\\u0000"', 'a_b'],
  ['a--b', 'has two underscores or hyphens in a row', 'a_b'],
  ['a__b', 'has two underscores or hyphens in a row', 'a_b'],
  ['__init__', 'begins or ends with an underscore or hyphen', 'init'],
  ['-a', 'begins or ends with an underscore or hyphen', 'a'],
  ['a_', 'begins or ends with an underscore or hyphen', 'a'],
  ['3d_plot', 'begins with a digit', 'skill_3d_plot'],
  ['filtеr', 'holds a character beyond ASCII, which may look like another', 'filt_r'],
  ['ﬁlter', 'holds a character beyond ASCII, which may look like another', 'filter_skill'],
  ['café', 'holds a character beyond ASCII, which may look like another', 'cafe'],
  ['日本', 'holds a character beyond ASCII, which may look like another', undefined],
  ['x'.repeat(300), 'has 300 characters', 'x'.repeat(64)],
  ['class', 'is a keyword of Python, which no import can name', 'class_skill'],
  ['json', 'is a module of the standard library of Python', 'json_skill'],
  ['py-compile', 'is a module of the standard library of Python', 'py_compile_skill'],
  ['sum', 'is a built-in function of Python', 'sum_skill'],
  ['tools', 'is a name that code in the sandbox has already', 'tools_skill'],
  ['con', 'is a device name of Windows', 'con_skill'],
  ['lpt1', 'is a device name of Windows', 'lpt1_skill'],
  ['synced', 'is a name that Claude Code keeps for itself', 'synced_skill'],
])('%j is refused, and the nearest name is offered', (text, fault, near) => {
  const shown = JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text);
  expect(() => checkSkillName(text)).toThrow(
    expect.objectContaining({ code: 'bad_name', message: `The name ${shown} ${fault}.` }),
  );
  expect(nearestName(text)).toBe(near);
  expect(() => checkSkillName(text)).toThrow(
    expect.objectContaining({
      hint: expect.stringContaining(near === undefined ? 'such as filter_high_risk.' : `Use ${near}.`),
    }),
  );
});

test('every reserved name is refused, and what is offered instead is taken', () => {
  for (const name of RESERVED_NAMES.keys()) {
    expect(() => checkSkillName(name)).toThrow(expect.objectContaining({ code: 'bad_name' }));
    expect(checkSkillName(nearestName(name) ?? '').identifier).toBe(`${name}_skill`);
  }
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: fc.constantFrom('a', 'b', '1', '_', '-', 'A', '.', ' ', 'é'), maxLength: 70 }),
);

test('a name has one identifier and one folder, each made from the other, safe on every disk', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [x, y] = [readSkillName(a), readSkillName(b)];
      if (x === undefined) return;
      expect(x.identifier).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
      expect(x.folder).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(readSkillName(x.folder)).toEqual(x);
      expect(readSkillName(x.identifier)).toEqual(x);
      if (y !== undefined) expect(x.folder === y.folder).toBe(x.identifier === y.identifier);
    }),
    { numRuns: 3_000 },
  );
});

test('whatever is refused, the name that is offered would be taken', () => {
  fc.assert(
    fc.property(text, (any) => {
      const near = nearestName(any);
      if (near !== undefined) expect(checkSkillName(near).identifier).toBe(near);
    }),
    { numRuns: 3_000 },
  );
});
