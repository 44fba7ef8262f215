import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LOWER, HAS_UPPER, IS_FOREIGN } from '../words.js';

/** The Medicare beneficiary identifier: 11 characters, each place a digit, a letter or either; with dashes known by shape. */
export const medicareId: DetectorRecord = {
  type: 'MEDICAL_ID',
  source:
    'CMS, Understanding the MBI format, https://www.cms.gov/medicare/new-medicare-card/understanding-the-mbi.pdf',
  trigger: {
    kind: 'word',
    has: HAS_DIGIT | HAS_UPPER,
    lacks: HAS_LOWER | IS_FOREIGN,
    minLength: 4,
    maxLength: 11,
  },
  match(situation, word) {
    const { text, starts, ends } = situation.words;
    const start = starts[word] as number;
    const length = (ends[word] as number) - start;
    if (length !== 4 && length !== 11) return undefined;
    const found = MBI.exec(text.slice(start, start + 13));
    if (!found || text.charCodeAt(start - 1) === DASH) return undefined;
    const end = start + found[0].length;
    if (length === 11 && !situation.contextSays('MEDICAL_ID', word)) return undefined;
    return { start, end, score: length === 4 ? 88 : 80 };
  },
  context: ['patient', 'patients', 'beneficiary', 'medicare', 'mbi'],
  examples: [
    { text: 'Patient 1EG4-TE5-MK73 and 2AG9-XC4-NN22', found: '2AG9-XC4-NN22' },
    { text: 'The MBI is 4EF6GH8JK12 for this patient', found: '4EF6GH8JK12' },
  ],
  counterExamples: ['1EG4-TE5-MK7', '1SG4-TE5-MK73', 'key 4EF6GH8JK12', 'SKU 1EG4TE5MKK3'],
};

const DASH = 0x2d;
const MBI =
  /^[1-9][AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y][0-9](-?)[AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y][0-9]\1[AC-HJKMNP-RT-Y]{2}[0-9]{2}(?![0-9A-Za-z-])/;
