import { plainHash } from '../names/capital-run.js';
import { FREQUENT, type NameList, ORDINARY } from '../names/name-list.js';
import { HAS_DIGIT, HAS_LOWER, IS_CAPITAL, type Words } from '../words.js';
import { isAddressField } from './address-field.js';
import { AddressTail } from './address-tail.js';
import { REACH, StreetReader } from './street-reader.js';
import * as street from './street-words.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/**
 * Postal addresses of a stretch: a street with a number, or a box, and what follows of town, state, code and country.
 * One object for all stretches; what was found stays until the next.
 */
export class AddressFinder {
  /** Words, `to` exclusive; in order and without overlap. */
  readonly from: number[] = [];
  readonly to: number[] = [];
  readonly score: number[] = [];
  readonly #list: NameList;
  readonly #tail: AddressTail;
  readonly #reader = new StreetReader();
  #text = '';
  #start = 0;
  #end = 0;
  /** The street is sure only with a town or a code behind it. */
  #needsTail = false;

  constructor(list: NameList) {
    this.#list = list;
    this.#tail = new AddressTail(list);
  }

  get count(): number {
    return this.from.length;
  }

  /** @param isNamed the key of the value speaks of an address. */
  find(words: Words, text: string, isNamed: boolean): void {
    // Setting a length costs more than the rest of a look at a short value.
    if (this.from.length > 0) {
      this.from.length = 0;
      this.to.length = 0;
      this.score.length = 0;
    }
    this.#reader.words = words;
    this.#reader.text = text;
    this.#text = text;
    if (isNamed && isAddressField(words, text)) {
      this.#add(0, words.count, 90);
      return;
    }
    const { count, kinds } = words;
    let free = 0;
    for (let word = 0; word < count; word++) {
      if (
        ((kinds[word] as number) & HAS_DIGIT) === 0 ||
        !this.#isWorthALook(words, word) ||
        !this.#reader.isHouseNumber(word)
      )
        continue;
      if (!this.#findCore(words, word, free)) continue;
      const end = this.#tail.extend(words, text, this.#end);
      if (this.#needsTail && end === this.#end) continue;
      this.#add(this.#start, end, end === this.#end ? 72 : 84);
      free = end;
      word = end - 1;
    }
  }

  /** Most numbers stand among numbers and words in small letters. */
  #isWorthALook(words: Words, number: number): boolean {
    const { kinds, count } = words;
    const before = number === 0 ? 0 : (kinds[number - 1] as number);
    const behind = number + 1 === count ? 0 : (kinds[number + 1] as number);
    if (((before | behind) & IS_CAPITAL) !== 0) return true;
    return (
      ((before & HAS_DIGIT) === 0 && number > 0 && this.#reader.bits(number - 1) !== 0) ||
      ((behind & HAS_DIGIT) === 0 && number + 1 < count && this.#reader.bits(number + 1) !== 0) ||
      (number > 0 &&
        (before & HAS_DIGIT) === 0 &&
        street.mayEndAsStreet(this.#text, words.ends[number - 1] as number))
    );
  }

  #add(from: number, to: number, score: number): void {
    this.from.push(from);
    this.to.push(to);
    this.score.push(score);
  }

  #findCore(words: Words, number: number, free: number): boolean {
    this.#needsTail = false;
    return (
      this.#box(number, free) ||
      this.#military(words, number, free) ||
      this.#streetThenNumber(words, number, free) ||
      this.#numberThenStreet(words, number, free) ||
      this.#unit(words, number, free) ||
      this.#afterContext(words, number, free)
    );
  }

  /** `Bahnhofstr. 5`, `Alte Gasse 3`, `rue Hugo 12`, `ul. Nowa 3`, `Am Markt 5, 12345 Berlin`. */
  #streetThenNumber(words: Words, number: number, free: number): boolean {
    const last = number - 1;
    if (
      last < free ||
      !this.#reader.isNear(number, true) ||
      unitAt.call(this.#text, words.ends[last] as number) === 45
    )
      return false;
    const bits = this.#reader.bits(last);
    const isCapital = this.#reader.isCapital(last);
    const isStreet =
      ((bits & street.STREET_THEN_NUMBER) !== 0 && this.#reader.isName(last - 1, free)) ||
      (((words.kinds[last] as number) & HAS_LOWER) !== 0 &&
        street.isStreetByEnding(this.#text, words.starts[last] as number, words.ends[last] as number));
    if (isStreet) {
      this.#start = this.#reader.startOfName(last, free, isCapital ? 3 : 1);
      this.#end = this.#reader.behindNumber(number);
      // `2407 tawastintie 6`: in small letters it needs a number on both sides or a town.
      this.#needsTail =
        !isCapital && (bits & street.STREET_THEN_NUMBER) === 0 && !this.#reader.isNumber(this.#start);
      return true;
    }
    for (let word = last; word >= free && number - word <= REACH; word--) {
      if (word < last && !this.#reader.isNear(word + 1, false)) break;
      if ((this.#reader.bits(word) & street.STREET_BEFORE) !== 0 && word < last) {
        if (!this.#reader.hasCapital(word + 1, number)) return false;
        this.#start = this.#reader.withNumberBefore(word, free);
        this.#end = this.#reader.behindNumber(number);
        this.#needsTail = this.#reader.lengthOf(word) < 2;
        return true;
      }
      if (!this.#reader.isInName(word)) break;
    }
    return this.#townBehind(words, number, free);
  }

  /** A name and a number that nothing calls a street, but a postcode and a town follow. */
  #townBehind(words: Words, number: number, free: number): boolean {
    const last = number - 1;
    if (!this.#reader.isCapital(last) || !this.#reader.isNear(number, false)) return false;
    const bits = this.#list.bitsOf(plainHash(words, this.#text, last));
    if ((bits & (ORDINARY | FREQUENT)) !== 0 || !this.#tail.hasPostcodeAndTown(words, this.#text, number + 1))
      return false;
    this.#start = this.#reader.startOfName(last, free, 2);
    this.#end = number + 1;
    this.#needsTail = true;
    return true;
  }

  /** `12 Oak Street`, `12 bis rue Hugo`, `5 Rue de la Paix 371`, `1 5th Avenue`. */
  #numberThenStreet(words: Words, number: number, free: number): boolean {
    let first = number + 1;
    if (first >= words.count || !this.#reader.isNear(first, true)) return false;
    const isSuffix = (this.#reader.bits(first) & street.NUMBER_SUFFIX) !== 0 && first + 1 < words.count;
    if (isSuffix && (this.#reader.bits(first + 1) & street.STREET_BEFORE) !== 0) first++;
    if (first >= words.count) return false;
    const isHouse = (words.ends[number] as number) - (words.starts[number] as number) <= 5;
    if (!isHouse) return false;
    if ((this.#reader.bits(first) & street.STREET_BEFORE) !== 0 && this.#reader.lengthOf(first) > 1) {
      const end = this.#reader.endOfName(first + 1);
      if (end > first + 1) {
        this.#start = this.#reader.withNumberBefore(number, free);
        this.#end = this.#reader.withNumberBehind(end);
        return true;
      }
    }
    if (!this.#reader.isCapital(first) && !this.#reader.isOrdinal(first)) return false;
    let plain = 0;
    let last = -1;
    let needsTail = false;
    for (let word = first; word < words.count && word - first < REACH; word++) {
      if (word > first && !this.#reader.isNear(word, false)) break;
      const bits = this.#reader.bits(word);
      if (word > first && (bits & street.STREET_BEHIND) !== 0 && this.#reader.isCapital(word)) {
        if ((bits & street.IS_VAGUE) === 0 || plain > 0 || this.#reader.isLast(word)) {
          // `224 Forrest Hill Road`: the last such word ends the street.
          needsTail = (bits & street.IS_VAGUE) !== 0 && plain === 0;
          last = word;
          continue;
        }
      }
      if (
        word === first &&
        street.isStreetByEnding(this.#text, words.starts[word] as number, words.ends[word] as number)
      )
        return this.#takeNumberFirst(words, number, free, word, false);
      if (!this.#reader.isInName(word) && !this.#reader.isOrdinal(word)) break;
      if ((this.#list.bitsOf(plainHash(words, this.#text, word)) & FREQUENT) === 0) plain++;
    }
    return last > 0 && this.#takeNumberFirst(words, number, free, last, needsTail);
  }

  #takeNumberFirst(words: Words, number: number, free: number, last: number, needsTail: boolean): boolean {
    this.#start = this.#reader.withNumberBefore(number, free);
    let end = last + 1;
    if (
      end < words.count &&
      (this.#reader.bits(end) & street.DIRECTION) !== 0 &&
      this.#reader.isCapital(end) &&
      this.#reader.isNear(end, true)
    )
      end++;
    this.#end = this.#reader.withNumberBehind(end);
    this.#needsTail = needsTail && this.#start === number;
    return true;
  }

  /** `PO Box 5`, `Postfach 12`, `PSC 5, Box 12`, `Unit 5 Box 12`. */
  #box(number: number, free: number): boolean {
    const box = number - 1;
    if (box < free || (this.#reader.bits(box) & street.BOX) === 0 || !this.#reader.isNear(number, true))
      return false;
    let start = box;
    const isPlainBox = this.#reader.lengthOf(box) === 3;
    if (isPlainBox) {
      const before = this.#reader.spelled(box - 1);
      if (before === 'po' || before === 'post') start = box - 1;
      else if (before === 'o' && this.#reader.spelled(box - 2) === 'p') start = box - 2;
      else if (before === 'office' && this.#reader.spelled(box - 2) === 'post') start = box - 2;
      else if (box - 2 >= free && this.#reader.isNumber(box - 1)) {
        const what = this.#reader.spelled(box - 2);
        if (what !== 'psc' && what !== 'unit' && what !== 'cmr') return false;
        start = box - 2;
      } else return false;
    }
    if (start < free) return false;
    this.#start = start;
    this.#end = number + 1;
    return true;
  }

  /** `FPO AE 12345` with the unit or ship before it. */
  #military(words: Words, number: number, free: number): boolean {
    const post = number - 2;
    if (
      post < free ||
      (this.#reader.bits(post) & street.MILITARY) === 0 ||
      this.#reader.lengthOf(number) !== 5
    )
      return false;
    if (this.#reader.lengthOf(post + 1) !== 2 || !this.#reader.isCapital(post + 1)) return false;
    this.#start = post;
    if (post > free && this.#reader.isCapital(post - 1) && this.#tail.isGap(words, this.#text, post))
      this.#start = this.#reader.startOfName(post - 1, free, 2);
    this.#end = number + 1;
    return true;
  }

  /** `85 Populieren 3, Apt. 5`: a number and a name before a part of a building. */
  #unit(words: Words, number: number, free: number): boolean {
    const unit = number - 1;
    if (unit - 1 < free || (this.#reader.bits(unit) & street.UNIT) === 0 || !this.#reader.isCapital(unit))
      return false;
    if (!this.#reader.isNear(number, true)) return false;
    let word = unit - 1;
    if (!this.#tail.isGap(words, this.#text, unit)) return false;
    if (this.#reader.isNumber(word)) word--;
    if (word < free || !this.#reader.isInName(word) || (this.#reader.bits(word) & street.UNIT) !== 0)
      return false;
    const hasNumber = word < unit - 1;
    while (
      word - 1 >= free &&
      unit - word < REACH &&
      this.#reader.isInName(word - 1) &&
      this.#reader.isNear(word, false)
    )
      word--;
    const before = word - 1;
    const isNumbered = before >= free && this.#reader.isNumber(before) && this.#reader.isNear(word, false);
    if (!isNumbered && !hasNumber) return false;
    this.#start = isNumbered ? this.#reader.withNumberBefore(before, free) : word;
    this.#end = number + 1;
    return true;
  }

  /** `lives at 12 Rosenhof`: the words before say what it is. */
  #afterContext(words: Words, number: number, free: number): boolean {
    const next = number + 1;
    if (next >= words.count || !this.#reader.isCapital(next) || !this.#reader.isNear(next, false))
      return false;
    let said = false;
    for (let word = number - 1; word >= free && number - word <= 4; word--)
      if ((this.#reader.bits(word) & street.LEADS_TO_ADDRESS) !== 0) said = true;
    if (!said || !this.#isAt(words, number - 1)) return false;
    const bits = this.#list.bitsOf(plainHash(words, this.#text, next));
    if ((bits & ORDINARY) !== 0) return false;
    this.#start = number;
    this.#end = this.#reader.withNumberBehind(this.#reader.endOfName(next));
    return true;
  }

  #isAt(words: Words, word: number): boolean {
    const spelled = this.#reader.spelled(word);
    return (
      spelled === 'at' ||
      spelled === 'to' ||
      spelled === 'is' ||
      spelled === 'in' ||
      unitAt.call(this.#text, words.ends[word] as number) === 58
    );
  }
}
