import { expect, test } from 'vitest';
import { EarlierNames } from '../../../src/session/earlier-names.js';

test('names are kept by principal, each once, the newest last', () => {
  const names = new EarlierNames();
  names.add('me', ['a', 'b']);
  names.add('me', ['c', 'a']);
  names.add('you', ['x']);
  expect(names.of('me')).toEqual(['b', 'c', 'a']);
  expect(names.of('you')).toEqual(['x']);
  expect(names.of('nobody')).toEqual([]);
});

test('names of JavaScript objects are names like others', () => {
  const names = new EarlierNames();
  names.add('__proto__', ['__proto__', 'constructor']);
  expect(names.of('__proto__')).toEqual(['__proto__', 'constructor']);
  expect(names.of('constructor')).toEqual([]);
});

test('the 500 newest names of a principal are kept', () => {
  const names = new EarlierNames();
  const many = Array.from({ length: 600 }, (_, n) => `n${n}`);
  names.add('me', many);
  expect(names.of('me')).toEqual(many.slice(100));
});

test('the 1,000 principals who came last are kept', () => {
  const names = new EarlierNames();
  for (let n = 0; n < 1_000; n++) names.add(`p${n}`, ['x']);
  names.add('p0', ['y']);
  names.add('one more', ['z']);
  expect([names.of('p0'), names.of('p1'), names.of('one more')]).toEqual([['x', 'y'], [], ['z']]);
});
