import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LOWER, HAS_UPPER, IS_FOREIGN } from '../words.js';
import { isDayAndMonth } from './date.js';

/** Five letters of the surname, the birth date with the sex in its month, initials, check characters: 16 in all. */
export const driverLicenseGb: DetectorRecord = {
  type: 'DRIVER_LICENSE',
  source: 'https://www.gov.uk/government/publications/driving-licence-information-driver-number',
  trigger: {
    kind: 'word',
    has: HAS_DIGIT | HAS_UPPER,
    lacks: HAS_LOWER | IS_FOREIGN,
    minLength: 16,
    maxLength: 18,
  },
  match({ words }, word) {
    const start = words.starts[word] as number;
    const text = words.text.slice(start, words.ends[word]);
    const found = /^[A-Z9]{5}([0-9])([0-9]{2})([0-9]{2})[0-9][A-Z9]{2}[0-9A-Z][A-Z]{2}(?:[0-9]{2})?$/.exec(
      text,
    );
    if (!found) return undefined;
    const month = Number(found[2]);
    if (!isDayAndMonth(Number(found[3]), month > 50 ? month - 50 : month)) return undefined;
    return { start, end: start + text.length, score: 80 };
  },
  examples: [
    { text: 'Licence: MORGA607054SM9IJ ok', found: 'MORGA607054SM9IJ' },
    { text: 'holder SMITH806215J99AB', found: 'SMITH806215J99AB' },
  ],
  counterExamples: ['MORGA699054SM9IJ', 'ABCDE123456789AB', 'AKIAIOSFODNN7EXAMPLE'],
};
