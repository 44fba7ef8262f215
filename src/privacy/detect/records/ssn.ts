import type { DetectorRecord, Match, Situation } from '../record.js';
import { HAS_DIGIT, HAS_LETTER, type Words } from '../words.js';
import { readIdentifier } from './identifier.js';
import { isLabelled, matchLabelled } from './labelled.js';
import { Labels, phraseList } from './labels.js';
import { startsFree } from './starts-free.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

const NAMES = phraseList(`
  ssn, my social, his social, her social, their social, ssns, social security, social security number, social security no, social security card,
  socialsecuritynumber, ss number, soc sec, us ssn, itin, social sec, seguro social,
  número de seguro social, numero de seguro social, ssn itin, last 4 of ssn, ssn last 4
`);
const labels = new Labels(NAMES);

/**
 * US Social Security and individual taxpayer numbers: area, group, serial. With dashes and possible parts known by
 * shape; masked if the last four digits are left; in all other forms by label.
 */
export const ssn: DetectorRecord = {
  type: 'SSN',
  source: 'https://www.ssa.gov/employer/randomization.html',
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: HAS_LETTER, minLength: 3, maxLength: 9 },
  context: NAMES,
  keys: NAMES,
  match: (situation, word) =>
    matchDashed(situation, word) ?? matchMasked(situation, word) ?? matchNamed(situation, word),
  examples: [
    { text: "Here's my SSN: 023-01-0866", found: '023-01-0866' },
    { text: 'row 7: 134-77-9981,open', found: '134-77-9981' },
    { text: 'card details (XXX-XX-2409) while', found: 'XXX-XX-2409' },
    { text: 'ssn ***-**-1120', found: '***-**-1120' },
    { text: 'registered under SSN 987-XX-XXXX, with', found: '987-XX-XXXX' },
    { text: 'His social security number is 078 05 1121', found: '078 05 1121' },
    { text: 'SSN: 078051121', found: '078051121' },
    { text: 'SSN 07805-1121', found: '07805-1121' },
    { text: 'SSN ending in 4411', found: '4411' },
    { text: 'Last four of my social are 8726.', found: '8726' },
    { text: 'Her SSN was given as 536 22 8726 in', found: '536 22 8726' },
    { text: '640784597', key: 'ssn', found: '640784597' },
    { text: '23010866', key: 'ssn', found: '23010866' },
  ],
  counterExamples: [
    '000-12-3456',
    '123-00-4567',
    '123-45-0000',
    'zip 07805-1121',
    '2024-123-45-6789',
    'part 123-45-6789-A',
    '123456789',
    { text: '2020-01-02', key: 'ssn' },
    { text: 'XXX-XX-XXXX', key: 'ssn' },
  ],
};

const DASHED = /^([0-9]{3})-([0-9]{2})-([0-9]{4})(?![0-9A-Za-z_]|[-.@][0-9A-Za-z])/;
const DASH = 0x2d;

function matchDashed(situation: Situation, word: number): Match | undefined {
  const { text, starts } = situation.words;
  const start = starts[word] as number;
  if (unitAt.call(text, start + 3) !== DASH || unitAt.call(text, start + 6) !== DASH) return undefined;
  const found = DASHED.exec(text.slice(start, start + 13));
  if (!found || isGlued(text, start)) return undefined;
  if (found[1] === '000' || found[2] === '00' || found[3] === '0000') return undefined;
  const said = situation.keySays('SSN') || situation.contextSays('SSN', word);
  return { start, end: start + 11, score: said ? 96 : 80 };
}

/** Another number, a word or a joint stands right before it. */
function isGlued(text: string, start: number): boolean {
  return !startsFree(text, start) && start > 0;
}

const LAST_FOUR =
  /(?:^|[^0-9A-Za-z])((?:[xX]{3}|[*]{3}|[#]{3}|•{3})[- ]?(?:[xX]{2}|[*]{2}|[#]{2}|•{2})[- ]?)$/;
const MASKS = 'xX*#•';
const FIRST_THREE = /^[0-9]{3}-[Xx*]{2}-[Xx*]{4}(?![0-9A-Za-z])/;

function matchMasked({ words }: Situation, word: number): Match | undefined {
  const start = words.starts[word] as number;
  const length = (words.ends[word] as number) - start;
  if (length === 3) {
    const masked =
      unitAt.call(words.text, start + 3) === DASH && FIRST_THREE.test(words.text.slice(start, start + 13));
    return masked && !isGlued(words.text, start) ? { start, end: start + 11, score: 80 } : undefined;
  }
  if (length !== 4) return undefined;
  const before = unitAt.call(words.text, start - 1);
  if (before !== DASH && before !== 0x2a && before !== 0x20) return undefined;
  if (!MASKS.includes(words.text.charAt(start - (before === 0x2a ? 1 : 2)))) return undefined;
  const found = LAST_FOUR.exec(words.text.slice(Math.max(0, start - 8), start));
  return found ? { start: start - (found[1] as string).length, end: start + 4, score: 90 } : undefined;
}

/** Nine digits in any grouping, or the last four, directly at a label; fewer as a number under the key. */
function matchNamed(situation: Situation, word: number): Match | undefined {
  const keyed = situation.keySays('SSN');
  if (!keyed && !situation.contextSays('SSN', word)) return undefined;
  if (keyed && situation.isValue)
    return matchLabelled({ type: 'SSN', labels, minDigits: 4, minLength: 4, maxDigits: 9 }, situation, word);
  if (!isLabelled(situation.words, word, labels)) return undefined;
  const id = readIdentifier(situation.words, word);
  const whole =
    id?.letters === 0 && (id.digits === 9 || (id.digits === 4 && isEnding(situation.words, word)));
  return id && whole ? { start: id.start, end: id.end, score: 90 } : undefined;
}

function isEnding(words: Words, word: number): boolean {
  const start = words.starts[word] as number;
  return /\b(?:ending|ends|last|four|final|endet|endend|letzten|termina|derni|últimos|ultim)/i.test(
    words.text.slice(Math.max(0, start - 40), start),
  );
}
