import type { DetectorRecord, Match, Situation } from '../record.js';
import { HAS_DIGIT, IS_FOREIGN } from '../words.js';
import { readDate } from './date.js';
import { isToken } from './identifier.js';
import { leads } from './labelled.js';
import { Labels, phraseList } from './labels.js';
import {
  digitsOf,
  extensionEnd,
  gapBehind,
  isContinued,
  mayEnd,
  type PhoneGroups,
  readPhoneGroups,
} from './phone-groups.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

const NAMES = phraseList(`
  phone, phones, phone number, phone numbers, phone no, telephone, telephone number, tel, tel no, mobile,
  mobile number, mobile phone, mobile no, cell, cell phone, cellphone, cell number, fax, fax number,
  landline, whatsapp, sms, msisdn, contact number, hotline, caller id, home phone, telefon, telefonnummer,
  telefonnr, tel nr, handy, handynummer, mobil, mobilnummer, festnetz, rufnummer, téléphone,
  numéro de téléphone, portable, fixe, télécopie, gsm, teléfono, telefono, número de teléfono, móvil,
  movil, celular, cellulare, numero di telefono, telefoon, telefoonnummer, mobiel, telefone, telemóvel,
  numaram, telefon numarasi, telefon numaram, cep, cep no, telefonu, puhelin, puhelinnumero, matkapuhelin,
  numer telefonu, telepono, телефон, 電話, 電話番号, 携帯, 전화, 전화번호, 휴대폰, 电话, 手机
`);

const SPOKEN = phraseList(`
  call me at, call me on, call us at, call us on, call him on, call her on, called from, dial,
  reach me at, reach me on, reached at, reached on, ring me on, text me at, answering at, messages to,
  call back, office, desk, phone is, number is, erreichbar unter, joignable au, llámame al, chiamami al
`);

const KEYS = [
  ...NAMES,
  'phone 1',
  'phone 2',
  'telecom',
  'tel 1',
  'work phone',
  'mobile phone number',
  'phonenumber',
];

const labels = new Labels([...NAMES, ...SPOKEN.filter((phrase) => phrase !== 'number is')]);
const behindLabels = new Labels([
  'office',
  'fax',
  'mobile',
  'cell',
  'home',
  'work',
  'desk',
  'phone',
  'tel',
  'direct',
]);

/** Any 7 to 15 digits under a key or directly at a word for telephones, in whatever grouping. */
export const phoneLabelled: DetectorRecord = {
  type: 'PHONE',
  source: 'ITU-T E.164; vCard TEL, RFC 6350 section 6.4.1',
  needsEvidence: true,
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: IS_FOREIGN, minLength: 1, maxLength: 26 },
  context: [...NAMES, ...SPOKEN],
  keys: KEYS,
  match(situation, word) {
    const keyed = situation.keySays('PHONE') && leads(situation.words, word);
    const whole = keyed && situation.isValue && word === 0 ? wholePhone(situation.words.text) : undefined;
    return whole ?? matchDigits(situation, word, keyed);
  },
  examples: [
    { text: 'phone:\n780 6326\n', found: '780 6326' },
    { text: '781 1704 office', found: '781 1704' },
    { text: 'Phone: 5321234567', found: '5321234567' },
    { text: 'call me at 415 5550132', found: '415 5550132' },
    { text: 'Mobile: 0490 39 07 81', found: '0490 39 07 81' },
    { text: 'teléfono 612 345 678', found: '612 345 678' },
    { text: '2125550108', key: 'phone', found: '2125550108' },
    { text: '1-800-FLOWERS', key: 'Phone', found: '1-800-FLOWERS' },
    { text: '98765 43210', key: 'mobile_number', found: '98765 43210' },
    { text: '912 345 678 ext 5', key: 'telephone', found: '912 345 678 ext 5' },
  ],
  counterExamples: [
    'phone VARCHAR(20), ssn CHAR(11)',
    'phone 13 costs 799.00',
    'telefoonnummer ontbreekt, BSN 123456782',
    'Phones sold: 1,200,300',
    'sms sent 2024-01-02',
    { text: 'none', key: 'phone' },
    { text: '2024-05-01', key: 'phone' },
    { text: '1718000000', key: 'phone' },
  ],
};

function matchDigits(situation: Situation, word: number, keyed: boolean): Match | undefined {
  const { words } = situation;
  const { text, starts } = words;
  const at = starts[word] as number;
  if (isContinued(text, at)) return undefined;
  const before = at === 0 ? 0x20 : unitAt.call(text, at - 1);
  if (JOINTS.includes(String.fromCharCode(before))) return undefined;
  const groups = readPhoneGroups(text, at);
  for (let count = groups.starts.length; count > 0; count--) {
    const end = groups.ends[count - 1] as number;
    const behind = extensionEnd(text, end);
    if (behind === end && !mayEnd(text, end)) continue;
    const digits = digitsOf(text, groups, count);
    if (digits.length < 7 || digits.length > 15 || isEpoch(digits) || isNumeral(text, groups, count))
      continue;
    const last = lastWord(words, word, end);
    if (!keyed && !labels.before(words, word) && !behindLabels.after(words, last, true)) return undefined;
    if (readDate(words, word)) return undefined;
    const start = before === 0x28 || before === 0x2b ? at - 1 : at;
    return { start, end: behind, score: keyed ? 94 : 88 };
  }
  return undefined;
}

const JOINTS = '-._/@#$€£';

/** Ten digits that begin with 1 are seconds since 1970: no national number of ten digits begins so. */
function isEpoch(digits: string): boolean {
  return (digits.length === 10 || digits.length === 13) && /^1[0-9]/.test(digits) && /^1[4-9]/.test(digits);
}

/** One point between two groups: a decimal number. */
function isNumeral(text: string, groups: PhoneGroups, count: number): boolean {
  return count === 2 && gapBehind(text, groups, 0) === '.';
}

function lastWord(words: Situation['words'], word: number, end: number): number {
  let last = word;
  while (last + 1 < words.count && (words.starts[last + 1] as number) < end) last++;
  return last;
}

/** The whole value, if it reads as a telephone number, letters of a vanity number and an extension included. */
function wholePhone(text: string): Match | undefined {
  if (text.length > LONGEST) return undefined;
  const trimmed = text.trim();
  let digits = 0;
  let joints = 0;
  let letters = 0;
  for (let at = 0; at < trimmed.length; at++) {
    const unit = unitAt.call(trimmed, at);
    if (unit >= 0x30 && unit <= 0x39) digits++;
    else if (GAPS.includes(trimmed.charAt(at))) joints++;
    else letters++;
  }
  if (digits < 4 || digits > 18) return undefined;
  const plain = letters === 0 && digits >= 6 && (joints > 0 || digits >= 7);
  const isWhole = plain || (letters > 0 && (EXTENDED.test(trimmed) || VANITY.test(trimmed)));
  if (!isWhole || isToken(trimmed, 0) || (joints === 0 && isEpoch(trimmed)) || DATE.test(trimmed))
    return undefined;
  const start = text.indexOf(trimmed);
  return { start, end: start + trimmed.length, score: 95 };
}

const LONGEST = 40;
const GAPS = '+-() ./\u00a0\u202f\u2011\u2013';
const EXTENDED =
  /^(?:tel:)?\+?[0-9(][-0-9 ()./\u00a0\u202f\u2011\u2013]{5,24}(?:[ ,;]{0,2}(?:x|ext\.?|extension|#)[ .:=]{0,2}[0-9]{1,6})?$/i;
const VANITY = /^\+?1?[-. ]?\(?[0-9]{3}\)?[-. ][A-Z0-9]{3,4}[-. ]?[A-Z0-9]{3,7}$/;
const DATE =
  /^(?:[0-9]+\.[0-9]+|[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4})$/;
