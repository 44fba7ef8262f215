import { weightedSum } from '../check-digits/weighted-sum.js';
import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, IS_FOREIGN } from '../words.js';
import { isDayAndMonth } from './date.js';
import { startsFree } from './starts-free.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** The German pension insurance number: area, birth date, letter of the name, two digits, check digit. */
export const nationalIdDe: DetectorRecord = {
  type: 'NATIONAL_ID',
  source: 'Versicherungsnummern-, Kontoführungs- und Versicherungsverlaufsverordnung, section 2',
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: IS_FOREIGN, minDigits: 8, minLength: 2, maxLength: 12 },
  context: [
    'rentenversicherung',
    'sozialversicherung',
    'sozialversicherungsnummer',
    'rvnr',
    'svnr',
    'sv nummer',
  ],
  match(situation, word) {
    const { text, starts, ends } = situation.words;
    const start = starts[word] as number;
    const length = (ends[word] as number) - start;
    if (
      length === 2
        ? unitAt.call(text, start + 2) !== 0x20 || !isDigit(unitAt.call(text, start + 8))
        : length !== 12 && length !== 8
    )
      return undefined;
    const found = /^([0-9]{2}) ?([0-9]{2})([0-9]{2})([0-9]{2}) ?([A-Z]) ?([0-9]{3})(?![0-9A-Za-z_-])/.exec(
      text.slice(start, start + 16),
    );
    if (!found || !startsFree(text, start)) return undefined;
    const [whole, area, day, month, year, letter = '', rest = ''] = found;
    if (!isDayAndMonth(Number(day) > 50 ? Number(day) - 50 : Number(day), Number(month))) return undefined;
    const said = situation.keySays('NATIONAL_ID') || situation.contextSays('NATIONAL_ID', word);
    const place = String(unitAt.call(letter, 0) - 64).padStart(2, '0');
    const valid = isPensionNumber(`${area}${day}${month}${year}${place}${rest}`);
    if (!said && !valid) return undefined;
    return { start, end: start + whole.length, score: said ? 97 : 75 };
  },
  examples: [
    { text: 'Sozialversicherungsnummer 65 170839 J 008', found: '65 170839 J 008' },
    { text: 'versichert unter 15070649C103', found: '15070649C103' },
  ],
  counterExamples: ['versichert unter 15070649C104', '15 071349 C 103', 'part 15070649C103-2'],
};

/** Weights 2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1 with the cross sum of each product; the last digit is the check. */
function isPensionNumber(digits: string): boolean {
  let sum = 0;
  for (const [at, weight] of [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1].entries()) {
    const product = weightedSum(digits.charAt(at), [weight]);
    sum += Math.floor(product / 10) + (product % 10);
  }
  return sum % 10 === unitAt.call(digits, 12) - 48;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
