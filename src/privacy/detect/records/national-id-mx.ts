import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LOWER, HAS_UPPER } from '../words.js';
import { isDayAndMonth } from './date.js';

/** The Mexican CURP and the RFC of a person: letters of the name, birth date, sex and state, key. Known by their shape. */
export const nationalIdMx: DetectorRecord = {
  type: 'NATIONAL_ID',
  source: 'https://www.gob.mx/segob/renapo; https://www.sat.gob.mx',
  trigger: { kind: 'word', has: HAS_DIGIT | HAS_UPPER, lacks: HAS_LOWER, minLength: 13, maxLength: 18 },
  context: ['curp', 'rfc'],
  match(situation, word) {
    const { words } = situation;
    const start = words.starts[word] as number;
    const length = (words.ends[word] as number) - start;
    if (length !== 13 && length !== 18) return undefined;
    const text = words.text.slice(start, start + length);
    const found = (length === 18 ? CURP : RFC).exec(text);
    if (!found || !isDayAndMonth(Number(found[2]), Number(found[1]))) return undefined;
    const said = situation.keySays('NATIONAL_ID') || situation.contextSays('NATIONAL_ID', word);
    return { start, end: start + length, score: length === 18 || said ? 90 : 60 };
  },
  examples: [
    { text: 'CURP GODE561231HDFRRN04', found: 'GODE561231HDFRRN04' },
    { text: 'facturar a GODE561231GR8', found: 'GODE561231GR8' },
  ],
  counterExamples: ['GODE561331HDFRRN04', 'GODE561231QDFRRN04', 'ABCD999999AB1'],
};

const CURP =
  /^[A-Z][AEIOUX][A-Z]{2}[0-9]{2}([0-9]{2})([0-9]{2})[HMX][A-Z]{2}[B-DF-HJ-NP-TV-Z]{3}[0-9A-Z][0-9]$/;
const RFC = /^[A-ZÑ][AEIOUX][A-ZÑ]{2}[0-9]{2}([0-9]{2})([0-9]{2})[0-9A-Z]{2}[0-9A]$/;
