import { mod97 } from '../check-digits/mod-97.js';
import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT } from '../words.js';
import { startsFree } from './starts-free.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** The French NIR (INSEE number): sex, year, month, department, commune, order, and a key of 97 minus the rest. */
export const nationalIdFr: DetectorRecord = {
  type: 'NATIONAL_ID',
  source: 'https://www.insee.fr/fr/metadonnees/definition/c1409',
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: 0, minDigits: 5, minLength: 1, maxLength: 15 },
  match({ words }, word) {
    const start = words.starts[word] as number;
    const length = (words.ends[word] as number) - start;
    const first = unitAt.call(words.text, start);
    if (length === 1 && !isDigitPair(words.text, start + 2)) return undefined;
    if ((length !== 1 && length !== 13 && length !== 15) || first < 0x31 || first > 0x38) return undefined;
    const found = SHAPE.exec(words.text.slice(start, start + 24));
    if (!found || !startsFree(words.text, start)) return undefined;
    const whole = found[0];
    const compact = whole.replace(/[ .-]/g, '');
    // Corsica: 2A counts as 19, 2B as 18.
    const digits = compact.replace('2A', '19').replace('2B', '18');
    if (97 - mod97(digits.slice(0, 13)) !== Number(digits.slice(13))) return undefined;
    return { start, end: start + whole.length, score: 85 };
  },
  examples: [
    { text: 'assuré 2 55 08 14 168 025 38', found: '2 55 08 14 168 025 38' },
    { text: 'NIR 255081416802538', found: '255081416802538' },
  ],
  counterExamples: ['255081416802539', '2 55 13 14 168 025 38', '5550814168025'],
};

const SHAPE =
  /^[1-478][ .-]?[0-9]{2}[ .-]?(?:0[1-9]|1[0-2]|[2-9][0-9])[ .-]?(?:[0-9]{2}|2[AB])[ .-]?[0-9]{3}[ .-]?[0-9]{3}[ .-]?[0-9]{2}(?![0-9A-Za-z_]|[-.][0-9])/;

/** Two digits and no third: the year. */
function isDigitPair(text: string, at: number): boolean {
  return (
    isDigit(unitAt.call(text, at)) &&
    isDigit(unitAt.call(text, at + 1)) &&
    !isDigit(unitAt.call(text, at + 2))
  );
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
