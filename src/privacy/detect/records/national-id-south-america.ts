import { weightedSum } from '../check-digits/weighted-sum.js';
import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LETTER } from '../words.js';
import { startsFree } from './starts-free.js';

/** The Chilean RUT with points and dash, the Argentine CUIT with dashes: check digits modulo 11. */
export const nationalIdSouthAmerica: DetectorRecord = {
  type: 'NATIONAL_ID',
  source: 'https://www.registrocivil.cl; https://www.afip.gob.ar',
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: HAS_LETTER, minDigits: 7, minLength: 1, maxLength: 2 },
  match({ words }, word) {
    const { text, starts, ends } = words;
    const start = starts[word] as number;
    const joint = text.charCodeAt(ends[word] as number);
    if ((joint !== 0x2e && joint !== 0x2d) || !startsFree(text, start)) return undefined;
    // The next joint is where it must be in 12.531.909-2 and in 20-05536168-2.
    const next = text.charCodeAt((ends[word] as number) + (joint === 0x2e ? 4 : 9));
    if (next !== joint) return undefined;
    const found = (joint === 0x2e ? RUT : CUIT).exec(text.slice(start, start + 15));
    if (!found) return undefined;
    const compact = found[0].replace(/[.-]/g, '').toUpperCase();
    const valid = joint === 0x2e ? isRut(compact) : isCuit(compact);
    return valid ? { start, end: start + found[0].length, score: 80 } : undefined;
  },
  examples: [
    { text: 'cliente 12.531.909-2 activo', found: '12.531.909-2' },
    { text: 'titular 20-05536168-2', found: '20-05536168-2' },
  ],
  counterExamples: ['12.531.909-3', '20-05536168-3', '12.531.909', '99-05536168-2'],
};

const RUT = /^[0-9]{1,2}\.[0-9]{3}\.[0-9]{3}-[0-9Kk](?![0-9A-Za-z_-])/;
const CUIT = /^(?:20|2[3-7]|3[034])-[0-9]{8}-[0-9](?![0-9A-Za-z_-])/;

function isRut(compact: string): boolean {
  const digits = compact.slice(0, -1).padStart(8, '0');
  return '0K987654321'.charAt(weightedSum(digits, [3, 2, 7, 6, 5, 4, 3, 2]) % 11) === compact.at(-1);
}

function isCuit(compact: string): boolean {
  return (
    (11 - (weightedSum(compact, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === compact.charCodeAt(10) - 48
  );
}
