import { expect, test } from 'vitest';
import { BearerTokens } from '../../../../src/server/http/bearer-tokens.js';

const ANN = 'a'.repeat(16) + 'B'.repeat(16);
const BOB = 'b'.repeat(32);
const tokens = new BearerTokens({ ann: ANN, bob: BOB });

test.each([
  [`Bearer ${ANN}`, 'ann'],
  [`bearer ${BOB}`, 'bob'],
  [`Bearer   ${BOB}`, 'bob'],
  [undefined, undefined],
  ['', undefined],
  ['Bearer', undefined],
  ['Bearer ', undefined],
  [ANN, undefined],
  [`Basic ${ANN}`, undefined],
  [`Bearer ${ANN.toLowerCase()}`, undefined],
  [`Bearer ${ANN.slice(1)}`, undefined],
  [`Bearer ${ANN}a`, undefined],
  [`Bearer ${ANN} ${BOB}`, undefined],
  [`Bearer ${ANN}, Bearer ${BOB}`, undefined],
  ['Bearer ann', undefined],
])('Authorization: %s is of %s', (header, principal) => {
  expect(tokens.principalOf(header)).toBe(principal);
});

test('an object without tokens lets nobody in', () => {
  expect(new BearerTokens({}).principalOf('Bearer undefined')).toBeUndefined();
});
