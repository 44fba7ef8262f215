import { describe, expect, test } from 'vitest';
import { PII_TYPES } from '../../../../src/core/pii.js';
import { joinedValues } from '../../../../src/privacy/egress/joined-values.js';
import { fakeDetector } from '../rewrite/fake-detector.js';

function found(text: string): (readonly [string, string | undefined])[] {
  const detection = fakeDetector.begin(new Set(PII_TYPES));
  return joinedValues(text, detection).map(({ start, end, values }) => [
    text.slice(start, end),
    values[0]?.value,
  ]);
}

const MAIL = 'jane.doe@example.org';
const CARD = '4111\n1111\n1111\n1111';

describe('a value in pieces that nobody knows', () => {
  test.each([
    ['spaced', `mail: ${[...MAIL].join(' ')} end`, [...MAIL].join(' '), MAIL],
    [
      'as a list of characters',
      `[${Array.from(MAIL, (c) => `'${c}'`).join(', ')}]`,
      Array.from(MAIL).join("', '"),
      MAIL,
    ],
    ['one character a line', `a\n\n${[...MAIL].join('\n')}\n`, [...MAIL].join('\n'), MAIL],
    ['behind its @', 'write to jane.doe@\nexample.org now', 'jane.doe@\nexample.org', MAIL],
    ['before its @', 'jane.doe\n@example.org', 'jane.doe\n@example.org', MAIL],
    ['in its domain', "'jane.doe@exam'\n'ple.org'", "jane.doe@exam'\n'ple.org", MAIL],
    ['backwards', 'see gro.elpmaxe@eod.enaj.', 'gro.elpmaxe@eod.enaj', MAIL],
    ['as four groups of a card', `pay\n\n${CARD}\n\nok`, CARD, '4111111111111111'],
    [
      'as groups of an IBAN',
      'DE89\n3704\n0044\n0532\n0130\n00',
      'DE89\n3704\n0044\n0532\n0130\n00',
      'DE89370400440532013000',
    ],
    [
      'as a secret with its mark',
      'sk_live_abcdefgh\nIJKLMNOP1234',
      'sk_live_abcdefgh\nIJKLMNOP1234',
      'sk_live_abcdefghIJKLMNOP1234',
    ],
  ])('is found %s', (_how, text, shown, value) => {
    expect(found(text)).toContainEqual([shown, value]);
  });

  test.each([
    ['a list of numbers', '4111\n1111\n1111\n1111\n1111'],
    ['a table of numbers', '4111 1111\n1111 1111'],
    ['an address at the start of a line', `contact\n${MAIL}`],
    ['two addresses in a row', `${MAIL}\nbob@example.org`],
    ['words and handles', 'ask @jane\nor @bob\nfoo@\nbar'],
    ['a list of letters', 'a b c d e f g h i j k l'],
    ['a column of digits', '4\n1\n1\n1\n1'],
    ['a list of codes', 'AB12\nCD34\nEF56'],
  ])('is not seen in %s', (_what, text) => {
    expect(found(text)).toEqual([]);
  });

  test('is looked for in time linear in the text, however many marks there are', () => {
    let asked = 0;
    const detection = {
      inText: (text: string) => {
        asked += text.length;
        return [];
      },
      inValue: () => [],
      inNumber: () => undefined,
    };
    for (const text of ['a@', 'a.b@', 'a@\n', 'a.b@c\nd', 'a b ', "'a', ", '\\', 'AKIA\n']) {
      asked = 0;
      const long = text.repeat(20_000);
      expect(joinedValues(long, detection)).toEqual([]);
      expect(asked).toBeLessThan(5 * long.length);
    }
  });
});
