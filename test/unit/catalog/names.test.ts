import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MODULE_NAMES, pythonIdentifier, pythonIdentifiers } from '../../../src/catalog/python/names.js';

test.each([
  ['list_issues', 'list_issues'],
  ['listIssues', 'listIssues'],
  ['list-issues', 'list_issues'],
  ['a.b/c:d', 'a_b_c_d'],
  ['../../etc/passwd', 'etc_passwd'],
  ['12306-mcp', 'n_12306_mcp'],
  ['class', 'class_'],
  ['None', 'None_'],
  ['import', 'import_'],
  ['match', 'match'],
  ['type', 'type'],
  ['__class__', 'class_'],
  ['__proto__', 'proto'],
  ['_private', 'private'],
  ['_', 'unnamed'],
  ['', 'unnamed'],
  ['   ', 'unnamed'],
  ['💥', 'unnamed'],
  ['größe', 'größe'],
  ['搜索', '搜索'],
  ['ﬁle', 'file'],
  ['a\u200bb', 'a_b'],
  ['a\nb', 'a_b'],
  ['tool name (v2)', 'tool_name_v2'],
])('%j becomes %s', (name, expected) => {
  expect(pythonIdentifier(name)).toBe(expected);
});

test('a server named like a part of the module gets an underscore', () => {
  expect(pythonIdentifier('search', MODULE_NAMES)).toBe('search_');
  expect(pythonIdentifier('gather', MODULE_NAMES)).toBe('gather_');
  expect(pythonIdentifier('ToolError', MODULE_NAMES)).toBe('ToolError_');
});

test('a long name is cut, and two that begin alike stay apart', () => {
  const [a, b] = ['x'.repeat(1_000_000), `${'x'.repeat(1_000_000)}y`].map((name) => pythonIdentifier(name));
  expect(a).toMatch(/^x{57}_[0-9a-f]{6}$/);
  expect(a).toHaveLength(64);
  expect(b).toHaveLength(64);
  expect(a).not.toBe(b);
});

test('who spells the identifier itself keeps it; the others get numbers, and are reported', () => {
  const { of, collisions } = pythonIdentifiers(['get-user', 'get_user', 'get.user', 'other']);
  expect([...of]).toEqual([
    ['get_user', 'get_user'],
    ['other', 'other'],
    ['get-user', 'get_user_2'],
    ['get.user', 'get_user_3'],
  ]);
  expect(collisions).toEqual([
    { name: 'get-user', identifier: 'get_user_2', holder: 'get_user' },
    { name: 'get.user', identifier: 'get_user_3', holder: 'get_user' },
  ]);
});

test('the order in which names come changes nothing', () => {
  const names = ['a-b', 'a.b', 'a_b', 'class', 'class_', 'a_b_2'];
  const sorted = (list: string[]) => [...pythonIdentifiers(list).of].sort();
  expect(sorted([...names].reverse())).toEqual(sorted(names));
  expect(new Set(sorted(names).map(([, identifier]) => identifier)).size).toBe(names.length);
});

test('any names become different identifiers that Python takes', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 20 }), (names) => {
      const { of } = pythonIdentifiers(names, MODULE_NAMES);
      const identifiers = [...of.values()];
      expect(new Set(identifiers).size).toBe(names.length);
      for (const identifier of identifiers) {
        expect(identifier).toMatch(/^\p{XID_Start}\p{XID_Continue}*$/u);
        expect(identifier.normalize('NFKC')).toBe(identifier);
      }
    }),
  );
});
