import type { DetectorRecord, Match, Situation } from '../record.js';
import { HAS_DIGIT, HAS_LETTER } from '../words.js';
import { type LabelledRule, matchLabelled } from './labelled.js';
import { Labels, phraseList } from './labels.js';
import { startsFree } from './starts-free.js';

const NAMES = phraseList(`
  driver license, drivers license, driver s license, driving license, dl number, dl no, dln,
  driver licence, drivers licence, driver s licence, driving licence, drivers lic, driver lic,
  license number, licence number, licence no, driver license id, dvla number, driver number, führerschein, fahrerlaubnis,
  führerscheinnummer, fuehrerschein, fuehrerscheinnummer, führerausweis, permis de conduire,
  numéro de permis, permis n, permiso de conducir, licencia de conducir, licencia de manejo,
  carnet de conducir, carné de conducir, patente di guida, numero patente, rijbewijs, rijbewijsnummer,
  carta de condução, carteira de motorista, cnh, körkort, ajokortti, prawo jazdy, ehliyet, 運転免許証, 운전면허
`);

const SPOKEN = [...NAMES, 'dl', 'patente', 'permis', 'license', 'licence', 'licenses', 'licences'];

const RULE: LabelledRule = {
  type: 'DRIVER_LICENSE',
  labels: new Labels([...NAMES, 'dl']),
  minDigits: 3,
  minLength: 6,
  maxDigits: 16,
  accepts: (compact) => compact.length <= 20,
};

/** One of many national formats, known by its label. */
export const driverLicense: DetectorRecord = {
  type: 'DRIVER_LICENSE',
  source:
    'AAMVA DL/ID card design standard, https://www.aamva.org/identity/driver-license-identification-card-standards',
  needsEvidence: true,
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: 0, minLength: 2, maxLength: 20 },
  context: SPOKEN,
  keys: NAMES,
  match: (situation, word) => matchLabelled(RULE, situation, word) ?? matchShape(situation, word),
  examples: [
    { text: "My driver's license number is F162823540116", found: 'F162823540116' },
    { text: 'Driver’s license K932-778-3840 for Hannah Riggs', found: 'K932-778-3840' },
    { text: 'Officer Barnes recorded license number D245-938-19-203', found: 'D245-938-19-203' },
    { text: 'Führerschein Nr. B072RRE2I55', found: 'B072RRE2I55' },
    { text: 'license U1K711J11M here', found: 'U1K711J11M' },
    { text: 'numero patente: AA0123456B', found: 'AA0123456B' },
    { text: 'License: S123-4567-8901 (IL)', found: 'S123-4567-8901' },
    { text: '00454930', key: 'driversLicense', found: '00454930' },
  ],
  counterExamples: [
    'Apache license 2.0 of 2004-01-01',
    'license key 2024',
    "The driver's licence fee is 34.00",
    { text: 'MIT', key: 'license number' },
  ],
};

/** Forms of US states and of Italy, with the word somewhere in the sentence. */
function matchShape(situation: Situation, word: number): Match | undefined {
  const { words } = situation;
  if (((words.kinds[word] as number) & HAS_LETTER) === 0) return undefined;
  const start = words.starts[word] as number;
  if (!startsFree(words.text, start) || !situation.contextSays('DRIVER_LICENSE', word)) return undefined;
  const found = SHAPE.exec(words.text.slice(start, start + 24));
  return found ? { start, end: start + found[0].length, score: 60 } : undefined;
}

const SHAPE =
  /^(?:[A-Z][0-9]{7,14}|[A-Z][0-9]{3}(?:-[0-9]{2,4}){2,4}|[A-Z]{2}[0-9]{7}[A-Z]|U1[0-9A-Z]{7}[A-Z])(?![0-9A-Za-z_]|-[0-9A-Za-z])/;
