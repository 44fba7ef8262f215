import { expect, test } from 'vitest';
import { parseValue } from '../../src/server/summary/parse-value.js';
import { presentValue } from '../../src/server/summary/present-value.js';
import { visibleValue } from '../../src/server/visible-value.js';

/**
 * The value of a run is text from a worker, which may say anything: 8 MiB that look like JSON must cost the server
 * about what 8 MiB of JSON cost. Work that grows with the square of these lengths would take hours.
 */
const HALF_MIB = 512 * 1024;
const LONG = '1234567890123456';

test.each<[string, string]>([
  ['a string of escapes that never ends', `${LONG} "${'\\"'.repeat(4 * HALF_MIB)}`],
  ['quotes without number', `${LONG} ${'"'.repeat(8 * HALF_MIB)}`],
  ['quotes and line ends', `${LONG} ${'"a\n'.repeat(3 * HALF_MIB)}"\\`],
  ['backslashes', `${LONG} "${'\\'.repeat(8 * HALF_MIB + 1)}`],
  ['digits', `[${LONG.repeat(HALF_MIB / 2)}x`],
  ['minus signs', `${LONG}${'-'.repeat(8 * HALF_MIB)}`],
  ['open lists', '['.repeat(4 * HALF_MIB)],
  ['lists in lists', '['.repeat(2 * HALF_MIB) + ']'.repeat(2 * HALF_MIB)],
  ['objects in objects', `${'{"a":'.repeat(HALF_MIB)}1${'}'.repeat(HALF_MIB)}`],
  ['300,000 keys', `{${Array.from({ length: 300_000 }, (_, n) => `"k${n}":1`).join(',')}}`],
])(
  '%s in a result are dealt with',
  async (_what, json) => {
    const value = parseValue(json);
    JSON.stringify(visibleValue(value, 8_000));
    await presentValue({ type: 'dict', value, chars: json.length }, 8_000, async () => 'somewhere');
  },
  60_000,
);

test('an unfinished string before a long integer leaves the text as it is', () => {
  expect(parseValue(`["abc, ${LONG}${LONG}`)).toBe(`["abc, ${LONG}${LONG}`);
});
