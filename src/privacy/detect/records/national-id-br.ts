import { isCpf } from '../check-digits/national-numbers.js';
import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LETTER } from '../words.js';
import { startsFree } from './starts-free.js';

/** The Brazilian CPF with its points and dash: both check digits must hold. */
export const nationalIdBr: DetectorRecord = {
  type: 'NATIONAL_ID',
  source: 'Instrução Normativa RFB 1548/2015, https://www.gov.br/receitafederal',
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: HAS_LETTER, minDigits: 11, minLength: 3, maxLength: 3 },
  match({ words }, word) {
    const start = words.starts[word] as number;
    if (words.text.charCodeAt(start + 3) !== 0x2e) return undefined;
    const text = words.text.slice(start, start + 15);
    if (!/^[0-9]{3}\.[0-9]{3}\.[0-9]{3}[-/][0-9]{2}(?![0-9])/.test(text)) return undefined;
    if (!startsFree(words.text, start)) return undefined;
    return isCpf(text.slice(0, 14).replace(/[^0-9]/g, ''))
      ? { start, end: start + 14, score: 90 }
      : undefined;
  },
  examples: [{ text: 'cliente 749.862.308-08, ativo', found: '749.862.308-08' }],
  counterExamples: ['749.862.308-09', '749.862.308', '1.749.862.308-08'],
};
