import type { DetectorRecord, Match, Situation } from '../record.js';
import { HAS_DIGIT, HAS_LETTER, type Words } from '../words.js';
import { type LabelledRule, matchLabelled } from './labelled.js';
import { Labels, phraseList } from './labels.js';
import { startsFree } from './starts-free.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

const NAMES = phraseList(`
  passport, passport number, passport no, travel document, passports, reisepass, reisepassnummer,
  reisepassnr, passnummer, pass nr, passnr, pass nummer, passeport, numéro de passeport, pasaporte,
  número de pasaporte, numero de pasaporte, passaporto, paspoort, paspoortnummer, passaporte, paszport,
  paszportu, passi, pasaport, pasaport numarasi, паспорт, паспорта, загранпаспорт, 여권, 여권번호, 여권번호는, 护照,
  护照号码, 護照, パスポート, パスポート番号, 旅券番号
`);

const RULE: LabelledRule = {
  type: 'PASSPORT',
  labels: new Labels(NAMES),
  minDigits: 3,
  minLength: 6,
  maxDigits: 12,
  // The German ones are mostly letters: C4VJ6P7K2.
  accepts: (compact) => compact.length <= 14 && (compact.length >= 8 || /[0-9]{5}/.test(compact)),
};

/** Passport numbers have six to nine letters and digits, and no check digit of their own. */
export const passport: DetectorRecord = {
  type: 'PASSPORT',
  source: 'ICAO Doc 9303-4, document number; https://www.icao.int/publications/doc-series/doc-9303',
  needsEvidence: true,
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: 0, minLength: 3, maxLength: 44 },
  context: NAMES,
  keys: NAMES,
  match: (situation, word) => matchLabelled(RULE, situation, word) ?? matchShape(situation, word),
  examples: [
    { text: 'My passport number is CD7654321 and it expires soon', found: 'CD7654321' },
    { text: 'Reisepass C01234565 ausgestellt am 01.01.2020', found: 'C01234565' },
    { text: 'Passport for Anna Lindqvist: X7465738', found: 'X7465738' },
    { text: 'Passports: AB1234567 and XY9876543', found: 'XY9876543' },
    { text: 'AAA123456 es mi número de pasaporte', found: 'AAA123456' },
    { text: '여권번호는 M789C1234입니다', found: 'M789C1234' },
    { text: 'Pass-Nr. C4VJ6P7K2', found: 'C4VJ6P7K2' },
    { text: 'passport GBR 925076473', found: '925076473' },
    { text: 'C.I. passport YA 1234567', found: 'YA 1234567' },
    { text: '013006097', key: 'passport_number', found: '013006097' },
  ],
  counterExamples: [
    'part HFB-1764-XY',
    'A passport costs 130.00 dollars',
    'Your passport expires on 2027-04-01',
    'In 2023 the office issued 123456 passports',
    { text: '2031-05-20', key: 'passport' },
    { text: 'none', key: 'passport' },
  ],
};

/** One or two capitals and seven or eight digits, with the word somewhere in the sentence. */
function matchShape(situation: Situation, word: number): Match | undefined {
  const { words } = situation;
  if (!isUsualShape(words, word) || !situation.contextSays('PASSPORT', word)) return undefined;
  return { start: words.starts[word] as number, end: words.ends[word] as number, score: 60 };
}

function isUsualShape(words: Words, word: number): boolean {
  const start = words.starts[word] as number;
  const length = (words.ends[word] as number) - start;
  if (((words.kinds[word] as number) & HAS_LETTER) === 0 || length < 8 || length > 9) return false;
  if (!startsFree(words.text, start) || unitAt.call(words.text, start + length) === 0x2d) return false;
  return /^[A-Z]{1,2}[0-9]{7,8}$/.test(words.text.slice(start, start + length));
}
