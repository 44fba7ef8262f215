import type { DetectorRecord, Match, Situation } from '../record.js';
import { isNoSecret, kindsOf, looksRandom } from '../secret-shape.js';

/** Lists of stolen accounts: an address of mail, `/`, `:` or `|`, and the password. */
export const secretBesideAddress: DetectorRecord = {
  type: 'SECRET',
  source: 'the form in which credentials are leaked and pasted',
  trigger: { kind: 'symbol', symbols: '@' },
  match: matchBeside,
  examples: [
    { text: 'exposed: edward.kim@bytecore.example / W!nter2024.', found: 'W!nter2024' },
    { text: 'jo@example.com:Passw0rd!', found: 'Passw0rd!' },
    { text: 'jo@example.com | hunter2A', found: 'hunter2A' },
  ],
  counterExamples: [
    'jo@example.com:8080',
    'jo@example.com / 555-0100',
    'jo@example.com / sales',
    'git@github.com:Org1/Repo2',
    'jo@example.com | 2024-01-02',
  ],
};

function matchBeside(situation: Situation, word: number, at: number): Match | undefined {
  const { text } = situation.words;
  const found = BESIDE.exec(text.slice(at, at + 160));
  const value = found?.[2];
  if (!found || value === undefined || isNoSecret(value) || !looksRandom(value)) return undefined;
  if (text.slice(Math.max(0, at - 3), at) === 'git') return undefined;
  const isSpokenOf = situation.keySays('SECRET') || situation.contextSays('SECRET', word);
  if (kindsOf(value) < (isSpokenOf ? 2 : 3) || (!isSpokenOf && value.includes('/'))) return undefined;
  const start = at + found[0].length - value.length;
  return { start, end: start + value.length, score: 74 };
}

const BESIDE =
  /^@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}['"]?(\s?[/|]\s?|:)['"]?([^\s'"|]{5,63}[^\s'"|.,;:)\]}])/;
