import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LETTER, IS_FOREIGN } from '../words.js';

/** The Italian codice fiscale: six letters, year, month letter, day, place, check letter. Known by its shape. */
export const nationalIdIt: DetectorRecord = {
  type: 'NATIONAL_ID',
  source: 'Decreto ministeriale 23/12/1976, https://www.agenziaentrate.gov.it',
  trigger: { kind: 'word', has: HAS_DIGIT | HAS_LETTER, lacks: IS_FOREIGN, minLength: 16, maxLength: 16 },
  match({ words }, word) {
    const start = words.starts[word] as number;
    const text = words.text.slice(start, start + 16).toUpperCase();
    const found = SHAPE.exec(text);
    if (!found) return undefined;
    const day = Number(found[1]);
    const plausible = (day >= 1 && day <= 31) || (day >= 41 && day <= 71);
    return plausible ? { start, end: start + 16, score: 90 } : undefined;
  },
  examples: [
    { text: 'AAAAAA00B11C333Y and more', found: 'AAAAAA00B11C333Y' },
    { text: 'rssmra85t10a562s', found: 'rssmra85t10a562s' },
    { text: 'C.F. RSSMRA85T50A562Y.', found: 'RSSMRA85T50A562Y' },
  ],
  counterExamples: ['AAAAAA00N11C333Y', 'AAAAAA00B35C333Y', '0123456789abcdef'],
};

const SHAPE = /^[A-Z]{6}[0-9LMNPQRSTUV]{2}[A-EHLMPRST]([0-9]{2})[A-Z][0-9LMNPQRSTUV]{3}[A-Z]$/;
