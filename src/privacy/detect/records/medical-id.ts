import type { DetectorRecord, Match, Situation } from '../record.js';
import { HAS_DIGIT } from '../words.js';
import { type LabelledRule, matchLabelled } from './labelled.js';
import { Labels, phraseList } from './labels.js';
import { startsFree } from './starts-free.js';

const NAMES = phraseList(`
  mrn, medical record, medical record number, medical file, medical id, chart number, chart no, chart, hospital no, health record,
  patient id, patient number, patient no, patient nr, patient identifier, patient mrn, hospital number,
  nhs, nhs number, npi, dea, medicare, medicare number, medicare id, medicaid number, medicaid id,
  dea number, policy holder id, medicaid, mbi, hicn, chi number, health insurance,
  health insurance number, health card, health id, insurance id, insurance member, insurance policy,
  insurance code, insurance number, insurance no, member id, subscriber id, beneficiary id, ohip, ihi,
  krankenversicherung, krankenversicherungsnummer, versichertennummer, versichertennr, versicherten nr,
  kvnr, krankenkasse, patientennummer, patienten id, patienten nr, carte vitale, numéro de patient,
  numéro patient, dossier médical, tarjeta sanitaria, historia clínica, número de paciente,
  numero de paciente, tessera sanitaria, cartella clinica, codice paziente, patiëntnummer, patientnummer,
  zorgverzekering, cartão nacional de saúde, cartão sus, cns, prontuário, número de utente, potilasnumero,
  egk nummer
`);

/** As keys they name sums of money as well. */
const PROGRAMMES = ['medicare', 'medicaid', 'nhs', 'krankenkasse', 'dea'];

const RULE: LabelledRule = {
  type: 'MEDICAL_ID',
  labels: new Labels(NAMES),
  minDigits: 4,
  minLength: 5,
  maxDigits: 20,
};

/** Numbers of patients, of their files and of the insured, in the form of whoever gave them. */
export const medicalId: DetectorRecord = {
  type: 'MEDICAL_ID',
  source: 'HL7 identifier types MR, MB, PI, NPI, https://terminology.hl7.org/CodeSystem-v2-0203.html',
  needsEvidence: true,
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: 0, minLength: 1, maxLength: 24 },
  context: NAMES,
  keys: NAMES.filter((name) => !PROGRAMMES.includes(name)),
  match: (situation, word) => matchLabelled(RULE, situation, word) ?? matchInsured(situation, word),
  examples: [
    { text: 'called from +1 212 555 0104; MRN MRN-9143198. Edward asked', found: 'MRN-9143198' },
    { text: 'Patient ID AHC-0933289 was archived', found: 'AHC-0933289' },
    { text: 'NHS number: 943 476 5919', found: '943 476 5919' },
    { text: 'Krankenversicherungsnummer A123456780', found: 'A123456780' },
    { text: 'health card 1234 567 897 AB', found: '1234 567 897 AB' },
    { text: 'Medicare 2123 45670 1', found: '2123 45670 1' },
    { text: 'Mitgliedsnummer A123456780, Krankenkasse', found: 'A123456780' },
    { text: 'Medical file #MXC-438220 was swapped', found: 'MXC-438220' },
    { text: '1EG4-TE5-MK73', key: 'medicare number', found: '1EG4-TE5-MK73' },
    { text: '1234567893', key: 'npi', found: '1234567893' },
  ],
  counterExamples: [
    'The NHS was founded on 1948-07-05',
    'patient 12 of 40',
    'Medicare spent 900.5 billion',
    'Medicare spending 2021: 900800700 dollars',
    { text: 'unknown', key: 'mrn' },
  ],
};

/** The German number of the insured, a capital and nine digits, with a word for insurance somewhere in the sentence. */
function matchInsured(situation: Situation, word: number): Match | undefined {
  const { text, starts, ends } = situation.words;
  const start = starts[word] as number;
  const end = ends[word] as number;
  if (end - start !== 10 || !startsFree(text, start) || !situation.contextSays('MEDICAL_ID', word))
    return undefined;
  return /^[A-Z][0-9]{9}$/.test(text.slice(start, end)) ? { start, end, score: 60 } : undefined;
}
