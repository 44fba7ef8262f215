import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, HAS_LETTER } from '../words.js';
import { Labels, phraseList } from './labels.js';
import { startsFree } from './starts-free.js';

const NAMES = phraseList(`
  sort code, bsb, bsb number, bank state branch, branch code, transit number, institution number,
  bankleitzahl, blz, agência, agencia, code banque, code guichet, abi, cab
`);
const labels = new Labels(NAMES);

/** Codes of banks and branches that stand beside account numbers: British 12-34-56, Australian 123-456, German 370 400 44. */
export const bankBranch: DetectorRecord = {
  type: 'BANK_ACCOUNT',
  source: 'https://www.wearepay.uk/what-we-do/payment-systems/industry-sort-code-directory/',
  needsEvidence: true,
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: HAS_LETTER, minLength: 2, maxLength: 8 },
  context: NAMES,
  keys: NAMES,
  match(situation, word) {
    const { words } = situation;
    const start = words.starts[word] as number;
    const found = CODE.exec(words.text.slice(start, start + 12));
    if (!found || !startsFree(words.text, start)) return undefined;
    const keyed = situation.isValue && situation.keySays('BANK_ACCOUNT');
    return keyed || labels.before(words, word)
      ? { start, end: start + found[0].length, score: 86 }
      : undefined;
  },
  examples: [
    { text: 'sort code 12-34-56, account 12345678', found: '12-34-56' },
    { text: 'BSB: 062-000', found: '062-000' },
    { text: 'Konto 532013000, BLZ 370 400 44', found: '370 400 44' },
    { text: '20-00-00', key: 'sort_code', found: '20-00-00' },
  ],
  counterExamples: ['12-34-56', 'The sort code of the branch is missing', 'sort code 12-34-56-78'],
};

const CODE =
  /^(?:[0-9]{2}([- ]?)[0-9]{2}\1[0-9]{2}|[0-9]{3} ?[0-9]{3} ?[0-9]{2}|[0-9]{3}[- ]?[0-9]{3}|[0-9]{4,5}(?:-[0-9])?)(?![0-9A-Za-z]|[-.][0-9])/;
