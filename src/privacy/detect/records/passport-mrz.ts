import type { DetectorRecord } from '../record.js';
import { HAS_LOWER, HAS_UPPER, IS_FOREIGN } from '../words.js';
import { startsFree } from './starts-free.js';

/** The machine-readable zone of passports (two lines of 44) and identity cards (three of 30), or one line of it. */
export const passportMrz: DetectorRecord = {
  type: 'PASSPORT',
  source: 'ICAO Doc 9303-4 and 9303-5, machine-readable zone',
  trigger: { kind: 'word', has: HAS_UPPER, lacks: HAS_LOWER | IS_FOREIGN, minLength: 1, maxLength: 44 },
  match({ words: { text, starts, ends } }, word) {
    const start = starts[word] as number;
    const end = ends[word] as number;
    if (text.charCodeAt(end) !== FILLER || !startsFree(text, start) || text.charCodeAt(start - 1) === FILLER)
      return undefined;
    const found = ZONE.exec(text.slice(start, start + LONGEST));
    return found ? { start, end: start + found[0].length, score: 97 } : undefined;
  },
  examples: [
    {
      text: 'scan: P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10 end',
      found: 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10',
    },
    {
      text: 'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
      found: 'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
    },
    {
      text: 'I<UTOD231458907<<<<<<<<<<<<<<<\n7408122F1204159UTO<<<<<<<<<<<6\nERIKSSON<<ANNA<MARIA<<<<<<<<<<',
      found: 'I<UTOD231458907<<<<<<<<<<<<<<<\n7408122F1204159UTO<<<<<<<<<<<6\nERIKSSON<<ANNA<MARIA<<<<<<<<<<',
    },
  ],
  counterExamples: ['P<0.05', 'A<B<C', 'I<T> of P<UTO>'],
};

const FILLER = 0x3c;
const LONGEST = 96;
/** Lines with a document type in front, or the second line of a passport alone. */
const ZONE =
  /^(?:P[A-Z<][A-Z<]{3}[A-Z<]{39}(?:\r?\n[0-9A-Z<]{44})?|[IAC][A-Z<][A-Z<]{3}[0-9A-Z<]{25}(?:\r?\n[0-9A-Z<]{30}){0,2}|[0-9A-Z<]{9}[0-9][A-Z<]{3}[0-9]{6}[0-9][MFX<][0-9]{6}[0-9][0-9A-Z<]{16})(?![0-9A-Za-z<])/;
