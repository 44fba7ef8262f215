import { passesLuhn } from '../check-digits/luhn.js';
import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LETTER } from '../words.js';
import { isDayAndMonth, isYear } from './date.js';
import { startsFree } from './starts-free.js';

/** The Swedish personnummer: birth date, `-` or `+`, three digits, Luhn. Without the sign only beside a word for it. */
export const nationalIdSe: DetectorRecord = {
  type: 'NATIONAL_ID',
  source: 'https://www.skatteverket.se/privat/folkbokforing/personnummer',
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: HAS_LETTER, minDigits: 10, minLength: 6, maxLength: 12 },
  context: ['personnummer', 'pnr', 'swedish id'],
  match(situation, word) {
    const { text, starts, ends } = situation.words;
    const start = starts[word] as number;
    const length = (ends[word] as number) - start;
    if (length === 7 || length === 9 || length === 11) return undefined;
    const said = situation.keySays('NATIONAL_ID') || situation.contextSays('NATIONAL_ID', word);
    const signed = length <= 8;
    if (!said && !signed) return undefined;
    const sign = text.charCodeAt(start + length);
    if (signed && sign !== 0x2d && sign !== 0x2b) return undefined;
    const found = /^([0-9]{2})?([0-9]{2})([0-9]{2})([0-9]{2})[-+]?([0-9]{4})(?![0-9A-Za-z_]|[-.][0-9])/.exec(
      text.slice(start, start + 15),
    );
    if (!found || !startsFree(text, start)) return undefined;
    const [whole, century, year, month, day, number] = found;
    if (whole.length !== length + (signed ? 5 : 0)) return undefined;
    if (century !== undefined && !isYear(Number(century + year))) return undefined;
    // Coordination numbers add 60 to the day.
    if (!isDayAndMonth(Number(day) > 60 ? Number(day) - 60 : Number(day), Number(month))) return undefined;
    if (!passesLuhn(`${year}${month}${day}${number}`)) return undefined;
    return { start, end: start + whole.length, score: said ? 97 : 75 };
  },
  examples: [
    { text: '19910924-2397 är mitt pnr.', found: '19910924-2397' },
    { text: '199109242397 är mitt pnr.', found: '199109242397' },
    { text: 'kund 811228-9874', found: '811228-9874' },
  ],
  counterExamples: ['811228-9875', '811328-9874', '199109242397', '20240101-1234'],
};
