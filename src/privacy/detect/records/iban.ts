import { mod97 } from '../check-digits/mod-97.js';
import type { DetectorRecord, Match, Situation } from '../record.js';
import { HAS_DIGIT, HAS_LETTER, IS_FOREIGN } from '../words.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

const NAMES = ['iban', 'iban number', 'iban no', 'international bank account number', 'kontonummer iban'];

/** International account numbers: country, its length, remainder 1 of 97. */
export const iban: DetectorRecord = {
  type: 'IBAN',
  source: 'ISO 13616; lengths of the SWIFT IBAN registry',
  trigger: { kind: 'word', has: HAS_DIGIT | HAS_LETTER, lacks: IS_FOREIGN, minLength: 4, maxLength: 34 },
  keys: NAMES,
  context: NAMES,
  match: matchIban,
  examples: [
    { text: 'IBAN GB29 NWBK 6016 1331 9268 19 was flagged', found: 'GB29 NWBK 6016 1331 9268 19' },
    { text: 'to DE89370400440532013000.', found: 'DE89370400440532013000' },
    { text: 'fr7630006000011234567890189', found: 'fr7630006000011234567890189' },
    { text: 'NL91-ABNA-0417-1643-00', found: 'NL91-ABNA-0417-1643-00' },
    { text: 'GB29NWBK60161331926818', key: 'iban', found: 'GB29NWBK60161331926818' },
  ],
  counterExamples: [
    'DE89370400440532013001',
    'part AB12 CDEF 3456',
    'GB29 NWBK 6016 1331 9268',
    'sha GB29NWBK60161331926819ABCDEF',
  ],
};

function matchIban(situation: Situation, word: number, at: number): Match | undefined {
  const { words } = situation;
  const { text } = words;
  if (!isLetter(unitAt.call(text, at)) || !isLetter(unitAt.call(text, at + 1))) return undefined;
  if (!isDigit(unitAt.call(text, at + 2)) || !isDigit(unitAt.call(text, at + 3))) return undefined;
  const length = LENGTHS[countryIndex(unitAt.call(text, at), unitAt.call(text, at + 1))] as number;
  if (length === 0) return undefined;
  const end = endOfUnits(text, at, length);
  if (end === -1) return undefined;
  const compact = text.slice(at, end).replace(/[ -]/g, '').toUpperCase();
  if (mod97(digitsOf(compact.slice(4) + compact.slice(0, 4))) === 1) return { start: at, end, score: 94 };
  const hasEvidence = situation.keySays('IBAN') || situation.contextSays('IBAN', word);
  return hasEvidence ? { start: at, end, score: 80 } : undefined;
}

/** The offset behind so many letters and digits, with single blanks or dashes between; -1 when it does not end there. */
function endOfUnits(text: string, from: number, length: number): number {
  let count = 0;
  let at = from;
  for (; count < length && at < text.length; at++) {
    const unit = unitAt.call(text, at);
    if (isDigit(unit) || isLetter(unit)) count++;
    else if ((unit !== 32 && unit !== 45) || isJoint(unitAt.call(text, at - 1))) return -1;
  }
  if (count < length) return -1;
  const next = unitAt.call(text, at);
  return isDigit(next) || isLetter(next) || next === 95 ? -1 : at;
}

function isJoint(unit: number): boolean {
  return unit === 32 || unit === 45;
}

/** Letters as numbers: A is 10. */
function digitsOf(compact: string): string {
  let digits = '';
  for (const character of compact) digits += Number.parseInt(character, 36);
  return digits;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isLetter(unit: number): boolean {
  return (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
}

/** Two letters as one number below 1024, in either case. */
function countryIndex(first: number, second: number): number {
  return ((first & 31) << 5) | (second & 31);
}

const LENGTHS = new Uint8Array(1024);
const COUNTRIES =
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
  'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
  'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
  'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30';
for (const entry of COUNTRIES.split(' '))
  LENGTHS[countryIndex(entry.charCodeAt(0), entry.charCodeAt(1))] = Number(entry.slice(2));
