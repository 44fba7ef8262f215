import { weightedSum } from '../check-digits/weighted-sum.js';
import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LETTER } from '../words.js';
import { isDayAndMonth } from './date.js';
import { startsFree } from './starts-free.js';

/** The Korean resident registration number: birth date, dash, century and sex, six digits; the last may be a check digit. */
export const nationalIdKr: DetectorRecord = {
  type: 'NATIONAL_ID',
  source: 'https://www.mois.go.kr; check digit dropped for numbers given since October 2020',
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: HAS_LETTER, minDigits: 13, minLength: 6, maxLength: 6 },
  context: ['rrn', '주민등록번호', 'korean', 'resident registration'],
  match(situation, word) {
    const { text, starts } = situation.words;
    const start = starts[word] as number;
    if (text.charCodeAt(start + 6) !== 0x2d) return undefined;
    const found = /^([0-9]{2})([0-9]{2})([0-9]{2})-[1-8][0-9]{6}(?![0-9A-Za-z_]|[-.][0-9])/.exec(
      text.slice(start, start + 16),
    );
    if (!found || !startsFree(text, start)) return undefined;
    if (!isDayAndMonth(Number(found[3]), Number(found[2]))) return undefined;
    const said = situation.keySays('NATIONAL_ID') || situation.contextSays('NATIONAL_ID', word);
    const digits = found[0].replace('-', '');
    const check = (11 - (weightedSum(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10;
    if (!said && check !== digits.charCodeAt(12) - 48) return undefined;
    return { start, end: start + 14, score: said ? 97 : 75 };
  },
  examples: [
    { text: 'His Korean RRN is 960121-1234567', found: '960121-1234567' },
    { text: 'member 960121-1021413', found: '960121-1021413' },
  ],
  counterExamples: ['member 960121-1021415', '961321-1021413', '960121-9021413'],
};
