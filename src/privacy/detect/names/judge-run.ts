import type { Words } from '../words.js';
import { isBrand } from './brands.js';
import {
  ANY_NAME,
  type CapitalRun,
  IS_ALL_CAPS,
  IS_INITIAL,
  IS_PARTICLE,
  IS_TIED,
  isCamelCase,
} from './capital-run.js';
import {
  ALONE,
  BEHIND_ARTICLE,
  EXPECTS_PERSON,
  GREETED,
  IN_LIST,
  IN_ROLE,
  IS_NAMED,
  KEYED,
  LINKED,
  MAY_BE_NAMED,
  OWNS,
  SPEAKS,
  STARTS_SENTENCE,
  UNEXPLAINED,
} from './evidence.js';
import { COMMON_FAMILY, COMMON_GIVEN, FAMILY, FREQUENT, GIVEN, ORDINARY, PLACE } from './name-list.js';
import {
  ARTICLE,
  AUXILIARY,
  OFFICE,
  ORGANISATION,
  PARTICLE,
  PLACE_HEAD,
  PLACEHOLDER,
  ROLE,
  SALUTATION,
  SIGN_OFF,
  SUFFIX,
  TITLE,
} from './vocabulary.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** Parts of a run that are a person; `score` 0: none. */
export interface Verdict {
  from: number;
  to: number;
  score: number;
}

/**
 * Looks for a person among the parts of a run, from part `first` on, and writes it into `verdict`.
 *
 * @param around bits of evidence.ts.
 */
export function judgeRun(
  run: CapitalRun,
  first: number,
  around: number,
  words: Words,
  text: string,
  verdict: Verdict,
): void {
  verdict.score = 0;
  let lead = 0;
  let isStart = (around & STARTS_SENTENCE) !== 0;
  let sawOther = false;
  for (let from = first; from < run.count; ) {
    const roles = run.roles[from] as number;
    if (!mayBegin(run, from) || leads(run, from)) {
      // At the start of a sentence any word has a capital; later it is a heading or part of a title.
      sawOther = roles === 0 ? !isStart : false;
      lead = roles;
      isStart = (roles & (SALUTATION | SIGN_OFF | AUXILIARY)) !== 0 && isStart;
      from++;
      continue;
    }
    const to = endOfName(run, from);
    const score = isBlocked(run, from, to)
      ? 0
      : scoreOf(run, from, to, lead, isStart ? around : around & ~STARTS_SENTENCE, sawOther, words);
    if (
      score > 0 &&
      !hasCamelCase(run, from, to, words, text) &&
      !(to - from === 2 && isBrandName(run, from, words))
    ) {
      verdict.from = from;
      verdict.to = to;
      verdict.score = score;
      return;
    }
    lead = 0;
    isStart = false;
    sawOther = true;
    // What is no name with the word before it may be one without: `Contactez Jean DUPONT`.
    from++;
  }
}

/** How much a part looks like a given name: 3 a well-known one, 2 any, 1 one that is a word or a place as well. */
export function givenStrength(run: CapitalRun, part: number): number {
  const names = run.names[part] as number;
  if ((names & GIVEN) === 0) return 0;
  const roles = run.roles[part] as number;
  if ((names & (ORDINARY | PLACE)) !== 0 || (roles & ~(PARTICLE | PLACEHOLDER)) !== 0) return 1;
  return (names & COMMON_GIVEN) !== 0 ? 3 : 2;
}

/** How much a part may go on with a name: 3 a known name, 2 an unknown word, 1 a surname that is a word as well, 0 not. */
export function surnameStrength(run: CapitalRun, part: number): number {
  const names = run.names[part] as number;
  const roles = run.roles[part] as number;
  if (((run.shapes[part] as number) & (IS_INITIAL | IS_PARTICLE | IS_TIED)) !== 0) return 0;
  if ((roles & ~(PARTICLE | OFFICE | ROLE | AUXILIARY | PLACEHOLDER)) !== 0)
    return (names & COMMON_FAMILY) !== 0 && (roles & (TITLE | PLACE_HEAD | SALUTATION)) === 0 ? 1 : 0;
  if ((names & (ORDINARY | PLACE)) !== 0) {
    if ((names & (COMMON_FAMILY | COMMON_GIVEN)) !== 0) return 1;
    if ((names & (FAMILY | FREQUENT | PLACE)) === FAMILY) return 1;
    return (names & PLACE) !== 0 && (names & ANY_NAME) !== 0 && (names & FREQUENT) === 0 ? 1 : 0;
  }
  if (roles !== 0 && (roles & ~PARTICLE) !== 0) return (names & ANY_NAME) !== 0 ? 1 : 0;
  return (names & ANY_NAME) !== 0 ? 3 : 2;
}

/** A title, an office, a greeting: says what the next part is. */
function leads(run: CapitalRun, part: number): boolean {
  const roles = run.roles[part] as number;
  if ((roles & (TITLE | SALUTATION | PLACE_HEAD)) !== 0)
    return givenStrength(run, part) < 2 || (roles & TITLE) !== 0;
  // `Dean Smith` is a name, `Detective Smith` an office.
  const names = run.names[part] as number;
  if ((roles & (OFFICE | ROLE | SIGN_OFF)) === 0 || (names & COMMON_GIVEN) !== 0) return false;
  return (names & GIVEN) === 0 || (names & FREQUENT) !== 0;
}

function mayBegin(run: CapitalRun, part: number): boolean {
  const shape = run.shapes[part] as number;
  if ((shape & (IS_PARTICLE | IS_TIED)) !== 0 || isPronoun(run, part, part + 1)) return false;
  if (((run.roles[part] as number) & ARTICLE) !== 0) return false;
  return (shape & IS_INITIAL) !== 0 || givenStrength(run, part) > 0 || surnameStrength(run, part) > 0;
}

function endOfName(run: CapitalRun, from: number): number {
  let to = from + 1;
  let end = to;
  while (to < run.count) {
    const shape = run.shapes[to] as number;
    const roles = run.roles[to] as number;
    if ((roles & SUFFIX) !== 0 && to > from) return to + 1;
    if ((shape & IS_PARTICLE) !== 0 || ((roles & PARTICLE) !== 0 && givenStrength(run, to) < 2)) to++;
    else if (
      (shape & IS_INITIAL) !== 0 ||
      surnameStrength(run, to) > 0 ||
      (givenStrength(run, to) > 1 && (shape & IS_TIED) === 0)
    )
      end = ++to;
    else break;
  }
  return end;
}

/** The words behind make an organisation or a place of it: `Charles Schwab Bank`. */
function isBlocked(run: CapitalRun, from: number, to: number): boolean {
  if (to < run.count) {
    const roles = run.roles[to] as number;
    if ((roles & ORGANISATION) !== 0) return true;
  }
  const last = run.roles[to - 1] as number;
  return to - from > 1 && (last & ORGANISATION) !== 0 && !(to - from === 2 && givenStrength(run, from) === 3);
}

function scoreOf(
  run: CapitalRun,
  from: number,
  to: number,
  lead: number,
  around: number,
  sawOther: boolean,
  words: Words,
): number {
  let parts = 0;
  let capitals = 0;
  for (let part = from; part < to; part++) {
    if (((run.shapes[part] as number) & IS_PARTICLE) !== 0 || ((run.roles[part] as number) & SUFFIX) !== 0)
      continue;
    parts++;
    if (((run.shapes[part] as number) & IS_ALL_CAPS) !== 0) capitals++;
  }
  const isExpected = (around & EXPECTS_PERSON) !== 0 || (lead & (SALUTATION | ROLE | OFFICE)) !== 0;
  if ((lead & TITLE) !== 0) return isPronoun(run, from, to) ? 0 : 88;
  if (parts === 1) return scoreOfOne(run, from, to, lead, around, sawOther || to < run.count);
  if ((lead & PLACE_HEAD) !== 0) return 0;
  const last = lastPart(run, from, to);
  if (capitals > 0 && capitals < parts && !isFrench(run, from, last, capitals)) return 0;
  const given = givenStrength(run, from);
  const surname = surnameStrength(run, last);
  const isFrequent = ((run.names[from] as number) & FREQUENT) !== 0;
  const isAlone = (around & ALONE) !== 0;
  const isLastFrequent = ((run.names[last] as number) & FREQUENT) !== 0;
  const startsSentence = (around & STARTS_SENTENCE) !== 0;
  // Headings and acronyms are in capitals as well.
  if (capitals === parts && !isExpected) {
    if (given < 2 || surname !== 3 || ((run.names[last] as number) & FAMILY) === 0 || parts > 3) return 0;
    return isAlone || given === 3 ? 62 : 0;
  }
  if (given >= 2) {
    if (surname === 1) return given === 3 || isExpected || isAlone ? 76 : 0;
    return surname === 0 ? 66 : 86;
  }
  if (given === 1) {
    if (surname === 3) return sawOther && isFrequent ? 0 : 72;
    if (surname === 2)
      return isExpected ||
        isAlone ||
        (((run.names[from] as number) & COMMON_GIVEN) !== 0 && !(startsSentence && isFrequent))
        ? 66
        : 0;
    return isExpected || (isAlone && surname === 1 && !(isFrequent && isLastFrequent)) ? 62 : 0;
  }
  if (((run.shapes[from] as number) & IS_INITIAL) !== 0) {
    return surname === 3 || (surname === 2 && isExpected) ? 74 : 0;
  }
  if (surnameStrength(run, from) === 1 && !isExpected) return 0;
  if (isExpected) return 72;
  if (parts === 3 && isDotted(run, from + 1, words)) return surname >= 2 ? 64 : 0;
  if ((around & LINKED) !== 0 && parts === 2 && surname === 3 && !startsSentence) return 58;
  // Surname first, as in Hungary.
  if (parts === 2 && givenStrength(run, last) === 3)
    return startsSentence && surnameStrength(run, from) === 2 ? 0 : 64;
  return isAlone && surname === 3 && surnameStrength(run, from) === 3 ? 56 : 0;
}

function scoreOfOne(
  run: CapitalRun,
  part: number,
  to: number,
  lead: number,
  around: number,
  hasCompany: boolean,
): number {
  const given = givenStrength(run, part);
  const surname = surnameStrength(run, part);
  const names = run.names[part] as number;
  const roles = run.roles[part] as number;
  if (((run.shapes[part] as number) & (IS_INITIAL | IS_TIED)) !== 0 || (lead & PLACE_HEAD) !== 0) return 0;
  if ((roles & PARTICLE) !== 0 && given < 2) return 0;
  if (
    to < run.count &&
    ((run.names[to] as number) & ORDINARY) !== 0 &&
    ((run.roles[to] as number) & PARTICLE) === 0
  )
    return 0;
  if ((around & GREETED) !== 0 || (lead & SALUTATION) !== 0) return surname >= 2 || given > 0 ? 74 : 0;
  if ((roles & PLACEHOLDER) !== 0) return 0;
  if ((around & MAY_BE_NAMED) !== 0 && (surname === 3 || given > 1)) return 66;
  if ((around & KEYED) !== 0) return (surname >= 2 || given > 0) && (names & PLACE) === 0 ? 70 : 0;
  if (hasCompany && (lead & (OFFICE | ROLE)) === 0) return 0;
  if (((run.shapes[part] as number) & IS_ALL_CAPS) !== 0) return 0;
  if ((lead & OFFICE) !== 0) return surname === 3 ? 66 : 0;
  if ((around & (UNEXPLAINED | BEHIND_ARTICLE)) !== 0) return 0;
  if (given === 3 && (run.lengths[part] as number) > 2) return 60;
  if (given === 2 && (around & OWNS) !== 0) return 56;
  if ((around & (SPEAKS | IN_ROLE | IS_NAMED | IN_LIST)) === 0 && (lead & ROLE) === 0) return 0;
  if (given === 2) return 58;
  if ((around & (SPEAKS | IN_LIST)) !== 0 || (lead & ROLE) !== 0) return surname === 3 ? 56 : 0;
  return 0;
}

function lastPart(run: CapitalRun, from: number, to: number): number {
  let last = to - 1;
  while (last > from && ((run.roles[last] as number) & SUFFIX) !== 0) last--;
  return last;
}

/** `I` and `A` without a dot are no initials. */
function isPronoun(run: CapitalRun, from: number, to: number): boolean {
  return to - from === 1 && ((run.shapes[from] as number) & IS_INITIAL) !== 0 && run.names[from] === PRONOUN;
}

function isBrandName(run: CapitalRun, from: number, words: Words): boolean {
  return isBrand(
    words.hashes[run.from[from] as number] as number,
    words.hashes[run.from[from + 1] as number] as number,
  );
}

/** `K.` */
function isDotted(run: CapitalRun, part: number, words: Words): boolean {
  if (((run.shapes[part] as number) & IS_INITIAL) === 0) return false;
  const end = words.ends[run.from[part] as number] as number;
  return unitAt.call(words.text, end) === 46;
}

/** `Jean DUPONT`: a surname in capitals behind the given name. `Cisco MAC` is none: acronyms are short. */
function isFrench(run: CapitalRun, from: number, last: number, capitals: number): boolean {
  if (capitals !== 1 || ((run.shapes[last] as number) & IS_ALL_CAPS) === 0 || givenStrength(run, from) < 2)
    return false;
  return ((run.names[last] as number) & ANY_NAME) !== 0 && (run.lengths[last] as number) > LONGEST_ACRONYM;
}

function hasCamelCase(run: CapitalRun, from: number, to: number, words: Words, text: string): boolean {
  for (let word = run.from[from] as number; word < (run.to[to - 1] as number); word++)
    if (isCamelCase(text, words.starts[word] as number, words.ends[word] as number)) return true;
  return false;
}

const LONGEST_ACRONYM = 4;
/** What capital-run.ts says of `I` and `A` without a dot. */
const PRONOUN = ORDINARY;
