import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LETTER } from '../words.js';
import { startsFree } from './starts-free.js';

const NAMES = [
  'ein',
  'fein',
  'tin',
  'tax id',
  'employer identification',
  'employer id',
  'federal id',
  'irs number',
];

/** The US employer identification number: two digits, a dash, seven digits, beside a word for it. */
export const nationalIdUs: DetectorRecord = {
  type: 'NATIONAL_ID',
  source:
    'https://www.irs.gov/businesses/small-businesses-self-employed/how-eins-are-assigned-and-valid-ein-prefixes',
  needsEvidence: true,
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: HAS_LETTER, minDigits: 9, minLength: 2, maxLength: 2 },
  context: NAMES,
  keys: NAMES,
  match({ words }, word) {
    const start = words.starts[word] as number;
    const text = words.text.slice(start, start + 12);
    if (!/^[0-9]{2}-[0-9]{7}(?![0-9A-Za-z_-])/.test(text) || NO_PREFIX.has(text.slice(0, 2)))
      return undefined;
    if (!startsFree(words.text, start)) return undefined;
    return { start, end: start + 10, score: 88 };
  },
  examples: [{ text: 'Government form showed TIN, for Lucas Yang, 10-4938120', found: '10-4938120' }],
  counterExamples: ['10-4938120', 'TIN 00-4938120', 'TIN 10-49381204'],
};

const NO_PREFIX = new Set([
  '00',
  '07',
  '08',
  '09',
  '17',
  '18',
  '19',
  '28',
  '29',
  '49',
  '69',
  '70',
  '78',
  '79',
  '89',
  '96',
  '97',
]);
