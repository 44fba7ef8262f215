import { weightedSum } from '../check-digits/weighted-sum.js';
import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT } from '../words.js';
import { isDayAndMonth, isYear } from './date.js';

/** The Chinese resident identity number: place, birth date, order, check character. Known by its date and check. */
export const nationalIdCn: DetectorRecord = {
  type: 'NATIONAL_ID',
  source: 'GB 11643-1999',
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: 0, minLength: 18, maxLength: 18 },
  match({ words }, word) {
    const start = words.starts[word] as number;
    const text = words.text.slice(start, start + 18).toUpperCase();
    const found = /^[1-8][0-9]{5}([0-9]{4})([0-9]{2})([0-9]{2})[0-9]{3}[0-9X]$/.exec(text);
    if (!found || !isYear(Number(found[1])) || !isDayAndMonth(Number(found[3]), Number(found[2])))
      return undefined;
    const sum = weightedSum(text, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
    return '10X98765432'.charAt(sum % 11) === text.charAt(17)
      ? { start, end: start + 18, score: 85 }
      : undefined;
  },
  examples: [{ text: '身份证 11010519491231002X', found: '11010519491231002X' }],
  counterExamples: ['110105194912310021', '110105194913310021', '218398460395531212'],
};
