import type { DetectorRecord, Match, Situation } from '../record.js';
import { HAS_DIGIT, HAS_LETTER, hashOfWord, IS_FOREIGN } from '../words.js';

/** Addresses spelled out against robots: `jane [at] example [dot] com`, `jane at example dot com`. */
export const emailSpelled: DetectorRecord = {
  type: 'EMAIL',
  source: 'usual ways of writing an address for people only',
  trigger: { kind: 'word', has: HAS_LETTER, lacks: HAS_DIGIT | IS_FOREIGN, minLength: 2, maxLength: 2 },
  match: matchSpelled,
  examples: [
    { text: 'jane.doe [at] example [dot] com', found: 'jane.doe [at] example [dot] com' },
    { text: 'mail jane(at)mail.example.org', found: 'jane(at)mail.example.org' },
    { text: 'reach me: jane_doe at example dot co dot uk', found: 'jane_doe at example dot co dot uk' },
    { text: 'jane AT example DOT com', found: 'jane AT example DOT com' },
  ],
  counterExamples: ['meet at noon', 'look at example.com', 'a[at] = b', 'we met at the dot com bubble'],
};

const AT = hashOfWord('at');
const DOT_WORD = hashOfWord('dot');
const OPENING = '[({<';

function matchSpelled({ words }: Situation, word: number, at: number): Match | undefined {
  if (words.hashes[word] !== AT) return undefined;
  const { text } = words;
  const isSpelled = words.hashes[word + 2] === DOT_WORD && word + 2 < words.count;
  if (!isSpelled && !OPENING.includes(text.charAt(at - 1)) && !OPENING.includes(text.charAt(at - 2)))
    return undefined;
  const before = LOCAL.exec(text.slice(Math.max(0, at - 80), at));
  if (!before) return undefined;
  const isBracketed = before[2] !== undefined && before[2] !== '';
  const behind = (isBracketed ? BRACKETED : PLAIN).exec(text.slice(words.ends[word], at + 200));
  if (!behind) return undefined;
  if (isBracketed && !/[.]|dot|punkt|punto/i.test(behind[0])) return undefined;
  return { start: at - before[0].length, end: (words.ends[word] as number) + behind[0].length, score: 80 };
}

const LOCAL = /([A-Za-z0-9][A-Za-z0-9._+-]{1,63})\s{0,2}([[({<]?)\s?$/;
const DOT = String.raw`(?:\s?[[({<]\s?(?:dot|punkt|punto|point)\s?[\])}>]\s?|\s(?:dot|punkt|punto)\s|\.)`;
const BRACKETED = new RegExp(
  String.raw`^\s?[\])}>]\s{0,2}[A-Za-z0-9-]{1,63}(?:${DOT}[A-Za-z0-9-]{2,24}){1,4}(?![A-Za-z0-9])`,
  'i',
);
const PLAIN =
  /^\s(?!the\s|an?\s|our\s|this\s)[A-Za-z0-9-]{2,63}(?:\s(?:dot|DOT)\s[A-Za-z]{2,24}){1,3}(?![A-Za-z0-9])/;
