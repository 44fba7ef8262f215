import { AddressFinder } from '../address/address-finder.js';
import type { NameSession } from '../name-finder.js';
import type { Situation } from '../record.js';
import { HAS_DIGIT, IS_CAPITAL, IS_FOREIGN, NO_WORDS, type Words } from '../words.js';
import { CapitalRun, IS_INITIAL, IS_PARTICLE, plainHash } from './capital-run.js';
import { ALONE, EXPECTS_PERSON, KEYED, STARTS_SENTENCE, UNEXPLAINED } from './evidence.js';
import { givenStrength, judgeRun, surnameStrength, type Verdict } from './judge-run.js';
import type { KeyGrades } from './key-grades.js';
import { KnownPeople } from './known-people.js';
import { scoreOfField } from './name-field.js';
import { COMMON_FAMILY, FREQUENT, GIVEN, type NameList, ORDINARY } from './name-list.js';
import { findAddressed } from './other-scripts.js';
import { OTHER_THING, SILENT } from './person-key.js';
import { findSmallNames, findToldName, isAllSmall, NAME_WORD } from './small-letters.js';
import { NO_PERSON, surroundings } from './surroundings.js';
import { ORGANISATION, SUFFIX, TITLE, VOCABULARY } from './vocabulary.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

type Emit = Parameters<NameSession['find']>[1];

/** The people and addresses of one document. */
export class PersonSession implements NameSession {
  readonly #list: NameList;
  readonly #grades: KeyGrades;
  readonly #run: CapitalRun;
  readonly #second: CapitalRun;
  readonly #addresses: AddressFinder;
  readonly #people = new KnownPeople();
  readonly #verdict: Verdict = { from: 0, to: 0, score: 0 };
  #words: Words = NO_WORDS;
  #text = '';
  #emit: Emit = () => {};
  /** The word behind the last person found. */
  #lastPerson = -1;
  /** First and last word of what is found, in pairs: a second look must not find it again. */
  #taken: number[] = [];

  constructor(list: NameList, grades: KeyGrades) {
    this.#list = list;
    this.#grades = grades;
    this.#run = new CapitalRun(list);
    this.#second = new CapitalRun(list);
    this.#addresses = new AddressFinder(list);
  }

  find(situation: Situation, emit: Emit): void {
    const { words, keys, isValue } = situation;
    if (words.count === 0) return;
    this.#words = words;
    this.#text = words.text;
    this.#emit = emit;
    this.#lastPerson = -1;
    if (this.#taken.length > 0) this.#taken.length = 0;
    const address = this.#addresses;
    const key = this.#grades.of(isValue ? keys : NO_KEYS);
    address.find(words, this.#text, key.isAddress);
    for (let index = 0; index < address.count; index++) {
      const from = address.from[index] as number;
      const to = address.to[index] as number;
      emit(
        'ADDRESS',
        words.starts[from] as number,
        words.ends[to - 1] as number,
        address.score[index] as number,
      );
    }
    const grade = key.person;
    if (grade === OTHER_THING) return;
    if (grade !== SILENT && this.#findField(grade)) return;
    const known = this.#people.size;
    if (isAllSmall(words)) {
      findSmallNames(this.#list, words, this.#text, this.#emitSmall);
      return;
    }
    const isCell = isValue && words.count <= MOST_OF_CELL;
    // A field of a name that holds none: what stands alone in it proves nothing.
    this.#findPeople(isCell ? UNEXPLAINED : 0, grade === SILENT ? 0 : ALONE);
    if (this.#people.size > known) this.#findKnown();
  }

  #findField(grade: number): boolean {
    const words = this.#words;
    const score = scoreOfField(this.#list, words, this.#text, grade);
    if (score === 0) return false;
    let first = 0;
    while (first < words.count - 1 && (VOCABULARY.bitsOf(plainHash(words, this.#text, first)) & TITLE) !== 0)
      first++;
    this.#emit('PERSON', words.starts[first] as number, words.ends[words.count - 1] as number, score);
    for (let word = first; word < words.count; word++) this.#learn(word);
    return true;
  }

  /** @param not bits of evidence that do not count here. */
  #findPeople(around: number, not: number): void {
    const words = this.#words;
    const text = this.#text;
    const { count, kinds, hashes } = words;
    const address = this.#addresses;
    let nextAddress = 0;
    let stop = address.count > 0 ? (address.from[0] as number) : count;
    for (let word = 0; word < count; ) {
      if (word >= stop) {
        word = Math.max(word, address.to[nextAddress++] as number);
        stop = nextAddress < address.count ? (address.from[nextAddress] as number) : count;
        if (stop < word) stop = word;
        continue;
      }
      const kind = kinds[word] as number;
      if ((kind & IS_CAPITAL) === 0 || (kind & HAS_DIGIT) !== 0) {
        if (hashes[word] === NAME_WORD) findToldName(this.#list, words, text, word, this.#emitSmall);
        else if ((kind & IS_FOREIGN) !== 0 && unitAt.call(text, words.starts[word] as number) > 0x3000)
          findAddressed(text, words.starts[word] as number, words.ends[word] as number, this.#emitAddressed);
        word++;
        continue;
      }
      const next = this.#run.read(words, text, word, stop);
      this.#findInRun(word, around, not);
      word = Math.max(next, word + 1);
    }
  }

  readonly #emitSmall = (from: number, to: number): void => this.#take(from, to, 60);
  readonly #emitAddressed = (start: number, end: number): void => this.#emit('PERSON', start, end, 72);

  #findInRun(word: number, about: number, not: number): void {
    const run = this.#run;
    if (run.count === 0 || !this.#isWorthALook()) return;
    const words = this.#words;
    const text = this.#text;
    const end = run.to[run.count - 1] as number;
    const found = surroundings(words, text, word, end, this.#lastPerson);
    if (found === NO_PERSON) return;
    const around = (found | about) & ~not;
    const verdict = this.#verdict;
    for (let first = 0; first < run.count; ) {
      judgeRun(
        run,
        first,
        first === 0 ? around : around & ~(EXPECTS_PERSON | STARTS_SENTENCE),
        words,
        text,
        verdict,
      );
      if (verdict.score === 0) {
        if (!this.#findReversed(first, around)) this.#findKnownInRun(first, around);
        return;
      }
      if (verdict.to === run.count && this.#isJoinedToOrganisation(end)) return;
      if (first < verdict.from) this.#findKnownInRun(first, around, verdict.from);
      this.#take(run.from[verdict.from] as number, run.to[verdict.to - 1] as number, verdict.score);
      if (verdict.to - verdict.from > 1) this.#learnParts(verdict.from, verdict.to);
      else if ((around & KEYED) !== 0) this.#learn(run.from[verdict.from] as number);
      first = verdict.to;
    }
  }

  /** Most capital words stand alone at the start of a sentence and are no names. */
  #isWorthALook(): boolean {
    const run = this.#run;
    if (run.count > 1) return true;
    const names = run.names[0] as number;
    return (
      (names & ORDINARY) === 0 ||
      (names & (GIVEN | COMMON_FAMILY)) !== 0 ||
      this.#isKnown(run.from[0] as number)
    );
  }

  /** `Doe, Jane` where a person is expected. */
  #findReversed(first: number, around: number): boolean {
    const run = this.#run;
    if (first !== 0 || (around & (KEYED | STARTS_SENTENCE)) === 0 || run.count > 3) return false;
    const words = this.#words;
    const text = this.#text;
    for (let part = 0; part < run.count; part++)
      if (surnameStrength(run, part) === 0 && ((run.shapes[part] as number) & IS_PARTICLE) === 0)
        return false;
    const end = run.to[run.count - 1] as number;
    if (end >= words.count || ((words.kinds[end] as number) & IS_CAPITAL) === 0) return false;
    const at = words.ends[end - 1] as number;
    if (unitAt.call(text, at) !== 44 || (words.starts[end] as number) - at !== 2) return false;
    const second = this.#second;
    const next = second.read(words, text, end, words.count);
    if (second.count > 2 || givenStrength(second, 0) < 2) return false;
    const isField = (around & KEYED) !== 0 || this.#endsLine(next);
    if (!isField || (givenStrength(run, 0) > 1 && (around & KEYED) === 0)) return false;
    this.#take(run.from[0] as number, next, 70);
    this.#learn(run.from[0] as number);
    this.#learn(end);
    return true;
  }

  #endsLine(next: number): boolean {
    const at = this.#words.ends[next - 1] as number;
    return at >= this.#text.length || ENDS_OF_FIELD.includes(this.#text.charAt(at));
  }

  /** `Sterling & Associates`. */
  #isJoinedToOrganisation(end: number): boolean {
    const at = this.#words.ends[end - 1] as number;
    return this.#text.startsWith(' & ', at);
  }

  /** Names that were told in full before, in the parts from `first` to `last`. */
  #findKnownInRun(first: number, around: number, last = this.#run.count): void {
    const run = this.#run;
    for (let part = first; part < last; part++) {
      const word = run.from[part] as number;
      const isStart = part === 0 && (around & STARTS_SENTENCE) !== 0;
      if (!this.#isKnown(word) || ((run.names[part] as number) & (isStart ? ORDINARY : FREQUENT)) !== 0)
        continue;
      let end = part + 1;
      while (
        end < last &&
        (this.#isKnown(run.from[end] as number) || ((run.shapes[end] as number) & IS_PARTICLE) !== 0)
      )
        end++;
      if (end < run.count && ((run.roles[end] as number) & ORGANISATION) !== 0) continue;
      this.#take(word, run.to[end - 1] as number, 68);
      part = end;
    }
  }

  /** Names told behind the place where they stand alone: looked for again once the stretch has told them. */
  #findKnown(): void {
    const words = this.#words;
    const { count, kinds } = words;
    const taken = this.#taken;
    let index = 0;
    for (let word = 0; word < count; word++) {
      while (index < taken.length && (taken[index + 1] as number) <= word) index += 2;
      if (index < taken.length && (taken[index] as number) <= word) continue;
      const kind = kinds[word] as number;
      if ((kind & IS_CAPITAL) === 0 || !this.#isKnown(word)) continue;
      const end = this.#run.read(words, this.#text, word, count);
      const around = surroundings(words, this.#text, word, end, -1);
      if (around !== NO_PERSON && this.#run.to[0] === word + 1) this.#emitKnown(word, around);
    }
  }

  #emitKnown(word: number, around: number): void {
    const run = this.#run;
    const names = run.names[0] as number;
    if ((names & ((around & STARTS_SENTENCE) !== 0 ? ORDINARY : FREQUENT)) !== 0) return;
    if (run.count > 1 && ((run.roles[1] as number) & ORGANISATION) !== 0) return;
    this.#emit('PERSON', this.#words.starts[word] as number, this.#words.ends[word] as number, 64);
  }

  #isKnown(word: number): boolean {
    return this.#people.has(plainHash(this.#words, this.#text, word));
  }

  #take(from: number, to: number, score: number): void {
    const words = this.#words;
    this.#emit('PERSON', words.starts[from] as number, words.ends[to - 1] as number, score);
    this.#taken.push(from, to);
    this.#lastPerson = to;
  }

  #learnParts(from: number, to: number): void {
    const run = this.#run;
    for (let part = from; part < to; part++) {
      if (((run.shapes[part] as number) & (IS_PARTICLE | IS_INITIAL)) !== 0) continue;
      if (((run.roles[part] as number) & SUFFIX) !== 0) continue;
      for (let word = run.from[part] as number; word < (run.to[part] as number); word++) this.#learn(word);
    }
  }

  #learn(word: number): void {
    const words = this.#words;
    if ((words.ends[word] as number) - (words.starts[word] as number) < SHORTEST_KNOWN) return;
    this.#people.learn(plainHash(words, this.#text, word));
  }
}

const NO_KEYS: readonly string[] = [];
/** Words of a cell that is no prose. */
const MOST_OF_CELL = 4;
const SHORTEST_KNOWN = 3;
const ENDS_OF_FIELD = '\n\r;<|"\t)';
