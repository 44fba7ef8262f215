import { expect, test } from 'vitest';
import { placeholdersIn, replaceIn, variantsOf } from '../../../attacks/placeholders.mjs';

const values = { CANARY_FILE: '/c/canary.txt', COUNTER: '7' };

test('names are replaced at any depth, in keys as well, and unknown ones stay', () => {
  const value = { '${COUNTER}': ['a ${CANARY_FILE}', { b: '${SESSION_B}' }, 5, null] };
  expect(replaceIn(value, values)).toEqual({ 7: ['a /c/canary.txt', { b: '${SESSION_B}' }, 5, null] });
});

test('text that only looks like a placeholder stays', () => {
  expect(replaceIn('${x} ${ a } $[CANARY_FILE] ${CANARY_FILE', values)).toBe(
    '${x} ${ a } $[CANARY_FILE] ${CANARY_FILE',
  );
});

test('REPEAT repeats a text that may hold colons, newlines and other placeholders', () => {
  expect(replaceIn('<${REPEAT:a:b\n:3}>', values)).toBe('<a:b\na:b\na:b\n>');
  expect(replaceIn('${REPEAT:${COUNTER}:2}', values)).toBe('77');
  expect(() => replaceIn('${REPEAT:x:1000000000}', values)).toThrow('REPEAT');
});

test('EACH and RANGE are one value for each choice, and all combinations', () => {
  expect(variantsOf({ path: '${EACH:a,b}/x' })).toEqual([{ path: 'a/x' }, { path: 'b/x' }]);
  expect(variantsOf({ n: '${RANGE:2:4}' })).toEqual([{ n: '2' }, { n: '3' }, { n: '4' }]);
  expect(variantsOf('${EACH:a,b}${RANGE:0:1}')).toEqual(['a0', 'a1', 'b0', 'b1']);
  expect(variantsOf({ plain: 'x' })).toEqual([{ plain: 'x' }]);
});

test('a choice of EACH may be a placeholder, which is replaced before', () => {
  expect(variantsOf(replaceIn('${EACH:..${CANARY_FILE},b}', values))).toEqual(['../c/canary.txt', 'b']);
});

test('all names of a value are found, inside others as well', () => {
  expect([...placeholdersIn({ a: ['${EACH:${CANARY_FILE},x}'], '${ODD_NAME}': 1 })].sort()).toEqual([
    'CANARY_FILE',
    'EACH',
    'ODD_NAME',
  ]);
});
