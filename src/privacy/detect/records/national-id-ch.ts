import { weightedSum } from '../check-digits/weighted-sum.js';
import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LETTER } from '../words.js';
import { startsFree } from './starts-free.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** The Swiss AHV number: 756 (the country), nine digits, the check digit of an EAN-13. Known by its shape. */
export const nationalIdCh: DetectorRecord = {
  type: 'NATIONAL_ID',
  source: 'https://www.zas.admin.ch/zas/en/home/partenaires-et-institutions-/navs13.html',
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: HAS_LETTER, minDigits: 13, minLength: 3, maxLength: 13 },
  match({ words }, word) {
    const start = words.starts[word] as number;
    if (unitAt.call(words.text, start) !== 0x37 || !words.text.startsWith('756', start)) return undefined;
    const found = /^756([. ]?)[0-9]{4}\1[0-9]{4}\1[0-9]{2}(?![0-9A-Za-z_]|[-.][0-9])/.exec(
      words.text.slice(start, start + 18),
    );
    if (!found || !startsFree(words.text, start)) return undefined;
    const digits = found[0].replace(/[^0-9]/g, '');
    const valid = weightedSum(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;
    return valid ? { start, end: start + found[0].length, score: found[1] === '' ? 70 : 90 } : undefined;
  },
  examples: [
    { text: 'AHV 756.9217.0769.85', found: '756.9217.0769.85' },
    { text: 'versichert: 7569217076985', found: '7569217076985' },
  ],
  counterExamples: ['756.9217.0769.86', '7569217076986', '757.9217.0769.85'],
};
