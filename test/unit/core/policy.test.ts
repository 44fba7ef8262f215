import { expect, test } from 'vitest';
import { decide, NO_RULES, type ToolRules } from '../../../src/core/policy.js';

const rules = (some: Partial<ToolRules>): ToolRules => ({ ...NO_RULES, ...some });

test.each([
  ['a tool without rules or hints is allowed', {}, 'read', {}, 'allow'],
  ['a tool that calls itself destructive is asked about', {}, 'drop', { destructiveHint: true }, 'ask'],
  ['a hint that says false is no reason to ask', {}, 'drop', { destructiveHint: false }, 'allow'],
  [
    'a read-only hint does not undo a destructive one',
    {},
    'x',
    { readOnlyHint: true, destructiveHint: true },
    'ask',
  ],
  [
    'an allowed tool is allowed whatever its hint',
    { allow: ['drop'] },
    'drop',
    { destructiveHint: true },
    'allow',
  ],
  ['an allow list does not deny what it leaves out', { allow: ['read'] }, 'write', {}, 'allow'],
  ['ask wins over allow', { allow: ['*'], ask: ['drop_*'] }, 'drop_table', {}, 'ask'],
  ['deny wins over ask', { ask: ['*'], deny: ['drop_*'] }, 'drop_table', {}, 'deny'],
  ['deny wins over allow', { allow: ['drop_table'], deny: ['*'] }, 'drop_table', {}, 'deny'],
  ['a glob counts case', { deny: ['Drop'] }, 'drop', {}, 'allow'],
  ['a star spans a slash', { deny: ['admin*'] }, 'admin/users/drop', {}, 'deny'],
  ['a path-like name is not reduced to its last part', { deny: ['drop'] }, 'safe/drop', {}, 'allow'],
  ['the name __proto__ is a name', { deny: ['__proto__'] }, '__proto__', {}, 'deny'],
] as const)('%s', (_, some, tool, annotations, expected) => {
  expect(decide(rules(some), tool, annotations)).toBe(expected);
});

// A matcher that tries every star again would not end in the life of the sun.
test('a hostile glob on a hostile name comes to an end', () => {
  expect(decide(rules({ deny: [`${'*a'.repeat(127)}b`] }), 'a'.repeat(1_000))).toBe('allow');
});
