import { weightedSum } from '../check-digits/weighted-sum.js';
import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LETTER } from '../words.js';

/** The Mexican account number: 18 digits, the last a check digit. */
export const clabe: DetectorRecord = {
  type: 'BANK_ACCOUNT',
  source: 'Banco de México, Circular 14/2017; https://www.banxico.org.mx',
  needsEvidence: true,
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: HAS_LETTER, minLength: 18, maxLength: 18 },
  context: ['clabe', 'clabe interbancaria', 'cuenta', 'transferencia', 'spei'],
  keys: ['clabe'],
  match({ words }, word) {
    const start = words.starts[word] as number;
    return isClabe(words.text.slice(start, start + 18)) ? { start, end: start + 18, score: 90 } : undefined;
  },
  examples: [
    { text: 'transferencia SPEI a la CLABE de Ana: 032180000118359719', found: '032180000118359719' },
  ],
  counterExamples: ['CLABE 032180000118359718', '032180000118359719'],
};

function isClabe(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < 17; at++) sum += weightedSum(digits.charAt(at), [[3, 7, 1][at % 3] as number]) % 10;
  return (10 - (sum % 10)) % 10 === digits.charCodeAt(17) - 48;
}
