import { weightedSum } from '../check-digits/weighted-sum.js';
import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LOWER, HAS_UPPER } from '../words.js';
import { startsFree } from './starts-free.js';

/** Singapore's NRIC and FIN: a letter, seven digits, a check letter. */
export const nationalIdSg: DetectorRecord = {
  type: 'NATIONAL_ID',
  source: 'https://www.ica.gov.sg',
  trigger: { kind: 'word', has: HAS_DIGIT | HAS_UPPER, lacks: HAS_LOWER, minLength: 9, maxLength: 9 },
  match({ words }, word) {
    const start = words.starts[word] as number;
    const text = words.text.slice(start, start + 9);
    if (!/^[STFGM][0-9]{7}[A-Z]$/.test(text)) return undefined;
    if (!startsFree(words.text, start) || words.text.charCodeAt(start + 9) === 0x2d) return undefined;
    return isNric(text) ? { start, end: start + 9, score: 70 } : undefined;
  },
  examples: [
    { text: 'NRIC S2740116C was processed', found: 'S2740116C' },
    { text: 'S9108268C T7572225C', found: 'T7572225C' },
  ],
  counterExamples: ['S2740116D', 'SKU-S2740116C', 'A2740116C'],
};

function isNric(text: string): boolean {
  const prefix = text.charAt(0);
  const offset = prefix === 'T' || prefix === 'G' ? 4 : prefix === 'M' ? 3 : 0;
  const rest = (weightedSum(text.slice(1, 8), [2, 7, 6, 5, 4, 3, 2]) + offset) % 11;
  const letters =
    prefix === 'S' || prefix === 'T' ? 'JZIHGFEDCBA' : prefix === 'M' ? 'KLJNPQRTUWX' : 'XWUTRQPNMLK';
  return letters.charAt(prefix === 'M' ? 10 - rest : rest) === text.charAt(8);
}
