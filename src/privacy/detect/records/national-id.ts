import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT } from '../words.js';
import { type LabelledRule, matchLabelled } from './labelled.js';
import { Labels } from './labels.js';
import { NATIONAL_ID_KEYS, NATIONAL_ID_NAMES } from './national-id-names.js';

const RULE: LabelledRule = {
  type: 'NATIONAL_ID',
  labels: new Labels(NATIONAL_ID_NAMES),
  minDigits: 3,
  minLength: 7,
  maxDigits: 18,
  bonus: 1,
  minKeyed: 6,
  accepts: (compact) => compact.length <= 22,
};

/** Any number of a person or taxpayer whose label says so; the formats are those of some hundred countries. */
export const nationalId: DetectorRecord = {
  type: 'NATIONAL_ID',
  source: 'OECD, Tax identification numbers by jurisdiction, https://www.oecd.org/tax/automatic-exchange',
  needsEvidence: true,
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: 0, minLength: 1, maxLength: 22 },
  context: NATIONAL_ID_NAMES,
  keys: NATIONAL_ID_KEYS,
  match: (situation, word) => matchLabelled(RULE, situation, word),
  examples: [
    { text: 'his tax ID number 22-3456789 might be visible', found: '22-3456789' },
    { text: 'Her Aadhaar is 5740 4750 4865, please update file ORD-883', found: '5740 4750 4865' },
    { text: 'Meine Steuer-ID: 12 345 678 903.', found: '12 345 678 903' },
    { text: 'Personalausweis: L01X00T44.', found: 'L01X00T44' },
    { text: 'RVNR: 15070649C103 laut Bescheid', found: '15070649C103' },
    { text: 'my SIN is 130-692-544', found: '130-692-544' },
    { text: 'mon NAS: 258 933 688', found: '258 933 688' },
    { text: 'Türk kimlik numarası 36493665440', found: '36493665440' },
    { text: 'NIR 1 84 02 75 123 456 05', found: '1 84 02 75 123 456 05' },
    { text: 'Steuernr. 151/815/08156', found: '151/815/08156' },
    { text: 'Voter ID VOTER7890123456', found: 'VOTER7890123456' },
    { text: '91514017F', key: 'dni', found: '91514017F' },
    { text: '589937987423', key: 'aadhaar_number', found: '589937987423' },
  ],
  counterExamples: [
    'Order total: $704.11 (tax $4611.99)',
    'RFC 1918 section 3',
    'tax id is required since 2019-07-08',
    'Her Aadhaar was seen, please update file ORD-8836117',
    'VAT 19.00 of 1234567.00',
    { text: '0.479425538604203', key: 'sin' },
    { text: '1200', key: 'pan' },
    { text: '12345', key: 'state_id' },
    { text: 'required|string|max:255', key: 'tax id' },
  ],
};
