import { expect, test } from 'vitest';
import { sentText } from '../../../src/privacy/sent-text.js';

test('texts, keys, numbers, and values beside their keys are what was sent', () => {
  const texts = [...sentText({ code: 'x', vars: { phone: 12345, list: ['y'] } })];
  expect(texts.sort()).toEqual(
    ['12345', 'code', 'code: x', 'list', 'phone', 'phone: 12345', 'vars', 'x', 'y'].sort(),
  );
});

test('a text in base64 is also what it says', () => {
  const content = Buffer.from('mail ann@x.test').toString('base64');
  expect([...sentText(content)]).toEqual([content, 'mail ann@x.test']);
});

test('arguments nested without end are looked into as far as it makes sense', () => {
  let deep: unknown = 'x';
  for (let i = 0; i < 100_000; i++) deep = [deep];
  expect([...sentText(deep)]).toEqual([]);
});
