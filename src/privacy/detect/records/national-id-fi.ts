import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, IS_FOREIGN } from '../words.js';
import { isDayAndMonth } from './date.js';
import { startsFree } from './starts-free.js';

/** The Finnish henkilötunnus: birth date, sign of the century, number, check character. Known by its shape and check. */
export const nationalIdFi: DetectorRecord = {
  type: 'NATIONAL_ID',
  source: 'https://dvv.fi/en/personal-identity-code',
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: IS_FOREIGN, minLength: 6, maxLength: 11 },
  match({ words }, word) {
    const start = words.starts[word] as number;
    const length = (words.ends[word] as number) - start;
    if (length !== 6 && length !== 11) return undefined;
    const text = words.text.slice(start, start + 11).toUpperCase();
    const found = /^([0-9]{2})([0-9]{2})([0-9]{2})[-+A-FU-Y]([0-9]{3})([0-9A-Y])$/.exec(text);
    if (!found || !startsFree(words.text, start) || isWordOrDash(words.text.charAt(start + 11)))
      return undefined;
    const [, day, month, year, number, check] = found;
    if (!isDayAndMonth(Number(day), Number(month))) return undefined;
    if (CHECK.charAt(Number(`${day}${month}${year}${number}`) % 31) !== check) return undefined;
    return { start, end: start + 11, score: 85 };
  },
  examples: [
    { text: '020594X903P is my hetu.', found: '020594X903P' },
    { text: 'hetu 131052-308T', found: '131052-308T' },
  ],
  counterExamples: ['131052-308U', '321352-308T', '131052-3081', '131052A308T9'],
};

const CHECK = '0123456789ABCDEFHJKLMNPRSTUVWXY';

function isWordOrDash(character: string): boolean {
  return /[-_0-9A-Za-z]/.test(character);
}
