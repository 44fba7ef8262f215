import { expect, it } from 'vitest';
import { keyWords } from '../../../../src/privacy/detect/key-words.js';
import { Keys } from '../../../../src/privacy/detect/keys.js';

const EMAIL = 1;
const CARD = 2;

it.each([
  ['Customer.E-Mail', 'customer e mail'],
  ['customerEmail', 'customer email'],
  ['CUSTOMER_EMAIL', 'customer email'],
  ['HTTPServer2', 'http server 2'],
  ['ipv4', 'ipv 4'],
  ['Straßen Nr.', 'straßen nr'],
])('reads the key %s as %s', (key, words) => {
  expect(keyWords(key)).toBe(words);
});

it.each([
  [['email'], EMAIL],
  [['customerEmail'], EMAIL],
  [['Emails'], EMAIL],
  [['home_email_1'], EMAIL],
  [['cardnumber'], CARD],
  [['card', 'number'], CARD],
  [['email', 'value'], EMAIL],
  [['email_verified'], 0],
  [['email', 'type'], 0],
  [['emailer'], 0],
  [['card', 'holder'], 0],
])('the keys %j speak of %i', (path, bits) => {
  const keys = new Keys();
  keys.add('email', EMAIL);
  keys.add('card number', CARD);
  expect(path.reduce((at, key) => keys.below(at, key), keys.root).bits).toBe(bits);
});

it('keeps working when a document has more keys than it remembers', () => {
  const keys = new Keys();
  keys.add('email', EMAIL);
  for (let id = 0; id < 50_000; id++) keys.below(keys.root, `id ${id}`);
  expect(keys.below(keys.root, 'email').bits).toBe(EMAIL);
});
