import { passesLuhn } from '../check-digits/luhn.js';
import type { DetectorRecord, Match, Situation } from '../record.js';
import { HAS_DIGIT, HAS_LETTER } from '../words.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

const NAMES = [
  ...[
    'card',
    'credit card',
    'card number',
    'card no',
    'cc',
    'cc number',
    'ccn',
    'debit card',
    'credit card number',
  ],
  ...[
    'pan',
    'primary account number',
    'visa',
    'mastercard',
    'amex',
    'american express',
    'maestro',
    'discover',
  ],
  ...[
    'kreditkarte',
    'kreditkartennummer',
    'kartennummer',
    'carte',
    'carte bancaire',
    'carte de crédit',
    'tarjeta',
  ],
  ...[
    'numéro de carte',
    'tarjeta de crédito',
    'número de tarjeta',
    'carta di credito',
    'numero carta',
    'kaart',
  ],
  ...['creditcard', 'creditcardnummer', 'cartão', 'cartão de crédito', 'número do cartão', 'payment card'],
];

/** Payment cards by issuer, length and check digit. */
export const creditCard: DetectorRecord = {
  type: 'CREDIT_CARD',
  source: 'ISO/IEC 7812-1; ranges of issuers as the schemes publish them',
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: HAS_LETTER, minDigits: 12, minLength: 4, maxLength: 19 },
  keys: NAMES,
  context: NAMES,
  match: matchCard,
  examples: [
    { text: 'card 4889 5878 8595 8904 declined', found: '4889 5878 8595 8904' },
    { text: '4012-8888-8888-1881', found: '4012-8888-8888-1881' },
    { text: 'paid with 371449635398431 today', found: '371449635398431' },
    { text: '3714 496353 98431', found: '3714 496353 98431' },
    { text: 'credit card 587428561654 transactions', found: '587428561654' },
    { text: '4111111111111112', key: 'cardNumber', found: '4111111111111112' },
    { text: '5019717010103742', found: '5019717010103742' },
  ],
  counterExamples: [
    '4111-1111-1111-1112 is not a valid test number',
    'batch 6577778498692419 finished',
    'serial no. 5019717010103742 rev 2',
    { text: '4012888888881881', key: 'order_id' },
    'x-4012888888881881-y',
    '14012888888881881',
    '0.4012888888881881',
  ],
};

function matchCard(situation: Situation, word: number, at: number): Match | undefined {
  const { words } = situation;
  const first = (words.ends[word] as number) - at;
  if (first > 4 && first < 12) return undefined;
  if (!standsAlone(words.text, at, -1)) return undefined;
  const groups = first === 4 ? groupsFrom(situation, word) : word;
  if (groups === -1) return undefined;
  const end = words.ends[groups] as number;
  if (!standsAlone(words.text, end, 1)) return undefined;
  const digits = words.text.slice(at, end).replace(/\D/g, '');
  if (digits.length < 12 || digits.length > 19 || /^(\d)\1+$/.test(digits)) return undefined;
  const score = scoreOf(situation, word, digits, at, end);
  return score === 0 ? undefined : { start: at, end, score };
}

function scoreOf(situation: Situation, word: number, digits: string, at: number, end: number): number {
  const isKeyed = situation.keySays('CREDIT_CARD');
  if (!passesLuhn(digits)) return isKeyed && situation.isValue && digits.length >= 14 ? 75 : 0;
  if (isKeyed || situation.contextSays('CREDIT_CARD', word)) return 92;
  if (isIdKey(situation.keys.at(-1))) return 0;
  if (STRONG.test(digits)) return 88;
  const isAlone = situation.words.text.trim().length === end - at;
  return isAlone && situation.keys.length === 0 && WEAK.test(digits) ? 70 : 0;
}

/** Visa, Mastercard, American Express, Discover, JCB, Diners in their usual lengths. */
const STRONG =
  /^(?:4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11})$/;
/** Maestro, UnionPay, Dankort, UATP, old and long Visa, Mir, RuPay. */
const WEAK = /^(?:5[0678]\d{10,17}|6\d{11,18}|1\d{14}|4\d{12}|4\d{18}|220[0-4]\d{12}|9792\d{12}|3528\d{12})$/;

function isIdKey(key: string | undefined): boolean {
  return key?.split(' ').some((part) => ID_WORDS.has(part)) ?? false;
}

const ID_WORDS: ReadonlySet<string> = new Set([
  ...[
    'id',
    'ids',
    'order',
    'serial',
    'tracking',
    'batch',
    'timestamp',
    'ts',
    'epoch',
    'time',
    'trace',
    'sku',
    'upc',
  ],
  ...[
    'invoice',
    'seq',
    'sequence',
    'offset',
    'version',
    'hash',
    'checksum',
    'imei',
    'ean',
    'isbn',
    'gtin',
    'nonce',
  ],
  ...[
    'size',
    'bytes',
    'count',
    'total',
    'amount',
    'price',
    'shipment',
    'ticket',
    'transaction',
    'request',
    'rows',
  ],
]);

/** The last word of `4-4-4-4`, `4-4-4-4-3`, `4-6-5`, `4-6-4`, or of four digits alone; -1 when it is none. */
function groupsFrom({ words }: Situation, word: number): number {
  const { text, starts, ends, kinds } = words;
  const joint = unitAt.call(text, ends[word] as number);
  if (joint !== 32 && joint !== 45) return -1;
  let last = word;
  let shape = '4';
  while (last + 1 < words.count && last - word < 4) {
    const next = last + 1;
    const gap = (starts[next] as number) - (ends[last] as number);
    if (gap !== 1 || unitAt.call(text, ends[last] as number) !== joint) break;
    if (((kinds[next] as number) & HAS_LETTER) !== 0) break;
    const grown = `${shape}${(ends[next] as number) - (starts[next] as number)}`;
    if (!SHAPES.some((known) => known.startsWith(grown))) break;
    shape = grown;
    last = next;
  }
  return SHAPES.includes(shape) ? last : -1;
}

const SHAPES = ['4444', '44443', '465', '464', '4441'];

/** Not part of a longer number, a word, a decimal. */
function standsAlone(text: string, at: number, direction: 1 | -1): boolean {
  const near = text.charAt(direction === 1 ? at : at - 1);
  const far = text.charAt(direction === 1 ? at + 1 : at - 2);
  if (near === '' || near === ' ') return true;
  if (near === '_' || near === '$' || near === '%') return false;
  return !((near === '.' || near === '-' || near === '/' || near === '+') && /[0-9A-Za-z]/.test(far));
}
