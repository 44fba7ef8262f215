import { mod97 } from '../check-digits/mod-97.js';
import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LETTER } from '../words.js';
import { startsFree } from './starts-free.js';

/** The Belgian national number, `85.07.30-033.28`: birth date, order, 97 minus the rest. */
export const nationalIdBe: DetectorRecord = {
  type: 'NATIONAL_ID',
  source: 'https://www.ibz.rrn.fgov.be',
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: HAS_LETTER, minDigits: 11, minLength: 2, maxLength: 2 },
  match({ words }, word) {
    const start = words.starts[word] as number;
    if (words.text.charCodeAt(start + 2) !== 0x2e || words.text.charCodeAt(start + 8) !== 0x2d)
      return undefined;
    const text = words.text.slice(start, start + 16);
    if (!/^[0-9]{2}\.[0-9]{2}\.[0-9]{2}-[0-9]{3}[.-][0-9]{2}(?![0-9])/.test(text)) return undefined;
    if (!startsFree(words.text, start)) return undefined;
    const digits = text.slice(0, 15).replace(/[^0-9]/g, '');
    const check = Number(digits.slice(9));
    // A 2 goes before the number of those born since 2000.
    const valid = [digits.slice(0, 9), `2${digits.slice(0, 9)}`].some((part) => 97 - mod97(part) === check);
    return valid ? { start, end: start + 15, score: 90 } : undefined;
  },
  examples: [{ text: 'registre 85.07.30-033.28', found: '85.07.30-033.28' }],
  counterExamples: ['85.07.30-033.29', '85.07.30'],
};
