import type { DetectorRecord } from '../record.js';
import { HAS_LETTER, HAS_LOWER, IS_FOREIGN } from '../words.js';
import { startsFree } from './starts-free.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** The British National Insurance number: two letters, six digits, a letter A to D. Known by its shape. */
export const nationalIdGb: DetectorRecord = {
  type: 'NATIONAL_ID',
  source:
    'HMRC National Insurance Manual NIM39110, https://www.gov.uk/hmrc-internal-manuals/national-insurance-manual/nim39110',
  trigger: { kind: 'word', has: HAS_LETTER, lacks: HAS_LOWER | IS_FOREIGN, minLength: 2, maxLength: 9 },
  context: ['nino', 'national insurance'],
  match(situation, word) {
    const { text, starts, ends } = situation.words;
    const start = starts[word] as number;
    const length = (ends[word] as number) - start;
    if (length !== 2 && length !== 8 && length !== 9) return undefined;
    const behind = unitAt.call(text, start + 2);
    if (length === 2 ? behind !== 0x20 && behind !== 0x2d : behind < 0x30 || behind > 0x39) return undefined;
    const found = SHAPE.exec(text.slice(start, start + 15));
    if (!found || !startsFree(text, start)) return undefined;
    const [whole, letters = '', suffix] = found;
    const said = situation.keySays('NATIONAL_ID') || situation.contextSays('NATIONAL_ID', word);
    if (!said && (suffix === undefined || !/^[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]$/.test(letters)))
      return undefined;
    if (!said && UNUSED.includes(letters)) return undefined;
    return { start, end: start + whole.length, score: said ? 97 : 75 };
  },
  examples: [
    { text: 'Her NINO is OE 97 53 58 C, please', found: 'OE 97 53 58 C' },
    { text: 'nino: PR 123612C', found: 'PR 123612C' },
    { text: 'employee YS552176D joined', found: 'YS552176D' },
    { text: 'AB 69 43 63 B', key: 'ni', found: 'AB 69 43 63 B' },
  ],
  counterExamples: ['BG123456A', 'QQ123456C', 'YS552176E', 'AB 12 34', 'part HFB-1764-XY', 'PO-123456'],
};

const SHAPE =
  /^([A-Z]{2})[ -]?[0-9]{2}[ -]?[0-9]{2}[ -]?[0-9]{2}(?:[ -]?([A-D])(?![0-9A-Za-z_]))?(?![0-9A-Za-z_]|-[0-9A-Za-z])/;
const UNUSED = ['BG', 'GB', 'KN', 'NK', 'NT', 'TN', 'ZZ'];
