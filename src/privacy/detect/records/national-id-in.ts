import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LOWER, HAS_UPPER, IS_FOREIGN } from '../words.js';
import { startsFree } from './starts-free.js';

/** The Indian Permanent Account Number: five letters, the fourth the kind of holder, four digits, a letter. */
export const nationalIdIn: DetectorRecord = {
  type: 'NATIONAL_ID',
  source: 'https://incometaxindia.gov.in/tutorials/1.permanent%20account%20number%20(pan).pdf',
  trigger: {
    kind: 'word',
    has: HAS_DIGIT | HAS_UPPER,
    lacks: HAS_LOWER | IS_FOREIGN,
    minLength: 10,
    maxLength: 10,
  },
  match({ words }, word) {
    const start = words.starts[word] as number;
    if (!startsFree(words.text, start) || words.text.charCodeAt(start + 10) === 0x2d) return undefined;
    const shaped = /^[A-Z]{3}[ABCFGHJLPT][A-Z][0-9]{4}[A-Z]$/.test(words.text.slice(start, start + 10));
    return shaped ? { start, end: start + 10, score: 75 } : undefined;
  },
  examples: [
    { text: 'My PAN number is ABBPM4567S with', found: 'ABBPM4567S' },
    { text: 'holder XMHPR5893R', found: 'XMHPR5893R' },
  ],
  counterExamples: ['ABBXM4567S', 'ABBPM45678', 'ABBPM4567S-01'],
};
