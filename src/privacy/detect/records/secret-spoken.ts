import type { DetectorRecord, Match, Situation } from '../record.js';
import { KEY_NAMES, PASSWORD_NAMES } from '../secret-names.js';
import { isNoSecret, looksRandom } from '../secret-shape.js';
import { hashOfWord, type Words } from '../words.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** Secrets in running text: behind `password`, `token`, `Bearer`, `--password`, `curl -u`. */
export const secretSpoken: DetectorRecord = {
  type: 'SECRET',
  source: 'how people and programs write credentials',
  needsEvidence: true,
  trigger: { kind: 'word', has: 0, lacks: 0 },
  context: [
    ...PASSWORD_NAMES.filter((name) => name !== 'pin' && name !== 'pass' && name !== 'clave'),
    ...KEY_NAMES.filter((name) => name !== 'auth' && name !== 'salt' && name !== 'signature'),
    ...[
      'login',
      'logins',
      'log in',
      'curl',
      'creds',
      'leaked credentials',
      'zugangsdaten',
      'sshpass',
      'mysql',
    ],
  ],
  match: matchSpoken,
  examples: [
    { text: 'user jo and password Pu8bnZ1A6jE0OS* then run', found: 'Pu8bnZ1A6jE0OS*' },
    { text: 'her password !PurpleSky77.', found: '!PurpleSky77' },
    { text: "with password 'WinterIsComing!$' and", found: 'WinterIsComing!$' },
    { text: "password 'Root2024$Secure' were found", found: 'Root2024$Secure' },
    { text: 'curl -H "Authorization: Bearer 9f8e7d6c5b4a39281706" x', found: '9f8e7d6c5b4a39281706' },
    { text: 'mysql --password hunter22 db', found: 'hunter22' },
    { text: 'curl -u jo:s3cr3tpw https://x.example', found: 's3cr3tpw' },
    { text: 'the password is now correcthorse7', found: 'correcthorse7' },
    { text: 'token 9ZBx4r7j4CXucKK0oQRLad6S rejected', found: '9ZBx4r7j4CXucKK0oQRLad6S' },
  ],
  counterExamples: [
    'The api_key field is required but was missing',
    'Authorization: Bearer <token>',
    'token count: 13855',
    'username and password',
    'reset your password within 30 days',
    'password policy v2 applies',
    'the password for jo@example.com',
  ],
};

function matchSpoken(situation: Situation, word: number, at: number): Match | undefined {
  const { words } = situation;
  const { text } = words;
  const start = startOfToken(text, at);
  // Only the first word of a run without blanks.
  if (word > 0 && (words.ends[word - 1] as number) > start) return undefined;
  const label = labelBefore(words, word, start);
  if (label === undefined) return undefined;
  const end = endOfToken(text, start);
  if (end - start > LONGEST) return undefined;
  let from = start;
  if (label === 'user') from = text.indexOf(':', start) + 1;
  const value = text.slice(from, end);
  if (from === 0 || isNoSecret(value) || isAddress(value)) return undefined;
  const isQuoted = QUOTES.includes(text.charAt(from - 1)) && from > 0 && QUOTES.includes(text.charAt(end));
  if (isQuoted ? value.length < 4 : label !== 'option' && label !== 'user' && !looksRandom(value))
    return undefined;
  if (label === 'key' && !(value.length >= 12 && /\d/.test(value) && /[A-Za-z]/.test(value)))
    return undefined;
  return { start: from, end, score: 76 };
}

type Label = 'password' | 'key' | 'option' | 'user';

/** What in front of a run makes it a secret. */
function labelBefore(words: Words, word: number, start: number): Label | undefined {
  const { text, hashes, starts, ends } = words;
  if (word === 0) return undefined;
  let next = start;
  for (let at = word - 1, fillers = 0; at >= 0 && fillers <= MOST_FILLERS; at--, fillers++) {
    const role = roleOf(hashes[at] as number);
    if (role === 0) break;
    const end = ends[at] as number;
    if (next - end > 6 || (next - end > 1 && GAP_BREAK.test(text.slice(end, next)))) break;
    if (role === OPTION_WORD) {
      if (USER_OPTION.test(text.slice(Math.max(0, start - 90), start))) return 'user';
      break;
    }
    if (role !== FILLER) {
      if (at === word - 1 && OPTION.test(text.slice(Math.max(0, start - 24), start))) return 'option';
      return role === PASSWORD_WORD ? 'password' : 'key';
    }
    next = starts[at] as number;
  }
  return undefined;
}

const MOST_FILLERS = 3;
const LONGEST = 512;
const QUOTES = '\'"`‘’“”';
const OPTION = /(?:^|\s)--?[a-z-]{0,16}(?:password|passwd|pwd|pass|passphrase|token|key|secret)[ =]['"]?$/i;
const USER_OPTION = /\bcurl\b[^\n]{0,60}\s(?:-u|--user)[ =]?['"]?$/;
/** Another sentence, another cell. */
const GAP_BREAK = /[.;!?]\s|\n|,\s|[)|]/;

const FILLER = 1;
const PASSWORD_WORD = 2;
const KEY_WORD = 3;
/** `-u`, `--user`. */
const OPTION_WORD = 4;
const ROLES = new Map<number, number>();
/** The lower 10 bits of the hashes that are in. */
const SIEVE = new Uint8Array(1024);

function roleOf(hash: number): number {
  return SIEVE[hash & 1023] === 0 ? 0 : (ROLES.get(hash) ?? 0);
}

for (const [role, words] of [
  [
    PASSWORD_WORD,
    'password passwd pwd passphrase passcode passwort kennwort passe mdp contraseña contrasena wachtwoord senha hasło ' +
      'lösenord pw creds credentials пароль pass',
  ],
  [KEY_WORD, 'token secret key apikey bearer basic jwt tokens schlüssel clé chiave chave'],
  [OPTION_WORD, 'u user'],
  [
    FILLER,
    'is was are the now to as set temporary temp new old following still of ist lautet est es é è for id named called ' +
      'value will be your my',
  ],
] as const)
  for (const word of words.split(' ')) {
    ROLES.set(hashOfWord(word), role);
    SIEVE[hashOfWord(word) & 1023] = 1;
  }

function startOfToken(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < 8 && !isBreak(unitAt.call(text, start - 1))) start--;
  return start;
}

/** The run ends at a blank or a quote; punctuation at its end belongs to the sentence. */
function endOfToken(text: string, start: number): number {
  let end = start;
  const limit = Math.min(text.length, start + LONGEST + 1);
  while (end < limit && !isBreak(unitAt.call(text, end))) end++;
  while (end > start && SENTENCE.includes(text.charAt(end - 1))) end--;
  return end;
}

function isBreak(unit: number): boolean {
  return unit < 128 ? BREAKS[unit] === 1 : unit === 0xa0 || (unit >= 0x2018 && unit <= 0x201d);
}

const BREAKS = new Uint8Array(128);
for (const character of ' \t\n\r\v\f\'"`<>=') BREAKS[unitAt.call(character, 0)] = 1;
const SENTENCE = '.,;:)]}';

function isAddress(value: string): boolean {
  return /^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i.test(value) || /^https?:\/\//.test(value);
}
