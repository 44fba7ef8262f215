import type { DetectorRecord, Match, Situation } from '../record.js';
import { HAS_DIGIT, type Words } from '../words.js';
import { type DateSpan, isYear, readDate } from './date.js';
import { leads } from './labelled.js';
import { Labels, phraseList } from './labels.js';

const KEYS = phraseList(`
  date of birth, birth date, birthdate, birthday, dob, bday, birth day, d o b, born on, born, birth year,
  year of birth, patient dob, geburtsdatum, geburtstag, geboren am, geb datum, gebdat, date de naissance,
  naissance, date naissance, fecha de nacimiento, fecha nacimiento, fecha nac, fec nac, f nac, data nasc, dt nasc, birth dt, dt birth, nacimiento, data di nascita,
  data nascita, nascita, geboortedatum, data de nascimento, nascimento, födelsedatum, fødselsdato,
  syntymäaika, data urodzenia, doğum tarihi, дата рождения, 生年月日, 생년월일, 出生日期
`);

const NAMES = [
  ...KEYS,
  ...phraseList(`
  geboren, geb, né, née, né le, née le, nacido, nacida, nacido el, nacida el, nato, nata, nato il,
  nata il, nascido, nascida, født, född, urodzony, urodzona, doğum, birth
`),
];
const labels = new Labels(NAMES);

const PERSONS = phraseList(`
  patient, pt, client, insured, subscriber, policyholder, claimant, resident, beneficiary, patientin,
  paciente, paziente, patiënt, versicherter, assuré, asegurado, mr, mrs, ms, dr, herr, frau, señor,
  señora, monsieur, madame, signor, signora
`);
const persons = new Labels(PERSONS);

/** A date with a word for birth near it, or in parentheses behind a person. */
export const dateOfBirth: DetectorRecord = {
  type: 'DATE_OF_BIRTH',
  source:
    'FHIR Patient.birthDate, https://hl7.org/fhir/patient.html; CLDR date formats, https://cldr.unicode.org',
  needsEvidence: true,
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: 0, minLength: 1, maxLength: 12 },
  context: [...NAMES, ...PERSONS, 'b'],
  keys: KEYS,
  match(situation, word) {
    const { words } = situation;
    const keyed = situation.keySays('DATE_OF_BIRTH');
    const date = readDate(words, word);
    if (!date) return keyed && situation.isValue ? matchBareValue(words) : undefined;
    if (keyed && leads(words, date.firstWord))
      return found(situation.isValue ? withTime(words, date) : date, 95);
    if (words.text.slice(date.start - 3, date.start).toLowerCase() === 'b. ') return found(date, 75);
    if (labels.near(words, date.firstWord, REACH) || labels.after(words, date.lastWord))
      return found(date, 85);
    return isInParentheses(words, date) && persons.near(words, date.firstWord, REACH)
      ? found(date, 75)
      : undefined;
  },
  examples: [
    { text: 'issued to Joann Conn, born 28 May 1985.', found: '28 May 1985' },
    { text: 'DOB: June 2, 1939', found: 'June 2, 1939' },
    { text: 'Patient Eulalie David (1961-10-07) called', found: '1961-10-07' },
    { text: 'geb. 21.07.1941 in Köln', found: '21.07.1941' },
    { text: 'née le 3 février 1972 à Lyon', found: '3 février 1972' },
    { text: 'Fecha de nacimiento: 12 de marzo de 1958', found: '12 de marzo de 1958' },
    { text: 'nata a Torino il 05/11/1990', found: '05/11/1990' },
    { text: 'geboren op 1 maart 1988', found: '1 maart 1988' },
    { text: 'She was born in Chicago on April 21st, 1980', found: 'April 21st, 1980' },
    { text: '生年月日: 1985年3月12日', found: '1985年3月12日' },
    { text: 'Fecha nac. 29/02/1984', found: '29/02/1984' },
    { text: '05/17/58', key: 'dob', found: '05/17/58' },
    { text: '1974-12-11T00:00:00Z', key: 'dateOfBirth', found: '1974-12-11T00:00:00Z' },
    { text: 'Mr Smith (b. 12 May 1970) left', found: '12 May 1970' },
    { text: '19740211', key: 'birth_date', found: '19740211' },
    { text: 'DOB 01FEB1980', found: '01FEB1980' },
    { text: '1980-02', key: 'birthDate', found: '1980-02' },
    { text: '155520000000', key: 'dob', found: '155520000000' },
  ],
  counterExamples: [
    'Invoice SO6813679 due 2019-07-03',
    'born in 2019 releases',
    'Patient seen on 2024-02-03 by the nurse',
    'dob DATE, created 2024',
    { text: 'unknown', key: 'dob' },
    { text: '0', key: 'dob' },
  ],
};

/** Words between a word for birth and the date: "born in Chicago, Illinois, on". */
const REACH = 6;

function found(date: { start: number; end: number }, score: number): Match {
  return { start: date.start, end: date.end, score };
}

/** With the time behind it, if that is the rest of the value: `1974-12-11T00:00:00Z`. */
function withTime({ text }: Words, date: DateSpan): { start: number; end: number } {
  const time = /^[T ][0-9:.]{4,18}(?:Z|[-+][0-9:]{4,6})?\s*$/.exec(text.slice(date.end, date.end + 32));
  return { start: date.start, end: time ? date.end + time[0].trimEnd().length : date.end };
}

function isInParentheses(words: Words, date: DateSpan): boolean {
  return words.text.charCodeAt(date.start - 1) === 0x28 && words.text.charCodeAt(date.end) === 0x29;
}

/** A year, a year and month, or the seconds or milliseconds since 1970. */
function matchBareValue({ text }: Situation['words']): Match | undefined {
  const whole = /^-?(?:[0-9]{4}|[0-9]{6,13}|[0-9]{4}[-/][0-9]{2}|[0-9]{2}[-/][0-9]{4})$/.exec(text.trim());
  if (!whole || (whole[0].length === 4 && !isYear(Number(whole[0])))) return undefined;
  const start = text.indexOf(whole[0]);
  return { start, end: start + whole[0].length, score: 90 };
}
