import { NATIONAL_NUMBERS } from '../check-digits/national-numbers.js';
import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LETTER } from '../words.js';
import { readIdentifier } from './identifier.js';

/**
 * Numbers of digits only, further from the word for them than a label: there the check digit of one of the countries
 * must hold. A check alone says nothing, for one number in five passes one of them.
 */
export const nationalIdChecked: DetectorRecord = {
  type: 'NATIONAL_ID',
  source: 'https://en.wikipedia.org/wiki/National_identification_number',
  needsEvidence: true,
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: HAS_LETTER, minLength: 2, maxLength: 13 },
  match({ words }, word) {
    const id = readIdentifier(words, word);
    if (!id || id.firstWord !== word || id.letters > 0 || id.digits < 9 || id.digits > 13) return undefined;
    const digits = words.text.slice(id.start, id.end).replace(/[^0-9]/g, '');
    return CHECKS[digits.length]?.some((passes) => passes(digits))
      ? { start: id.start, end: id.end, score: 62 }
      : undefined;
  },
  context: ['pesel', 'personnummer', 'burgerservicenummer', 'aadhaar', 'kimlik', 'cpf'],
  examples: [
    { text: 'The pesel of Anna Nowak: 44051401458', found: '44051401458' },
    { text: '36493665440 sayılı kimlik', found: '36493665440' },
  ],
  counterExamples: ['44051401458', 'The pesel of Anna Nowak: 44051401459'],
};

const CHECKS: ((digits: string) => boolean)[][] = [];
for (const { length, passes } of Object.values(NATIONAL_NUMBERS)) {
  const sameLength = CHECKS[length] ?? [];
  CHECKS[length] = sameLength;
  sameLength.push(passes);
}
