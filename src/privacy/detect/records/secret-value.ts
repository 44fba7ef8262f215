import type { DetectorRecord, Match, Situation } from '../record.js';
import { KEY_NAMES, PASSWORD_NAMES } from '../secret-names.js';
import { isNoSecret, looksRandom } from '../secret-shape.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** What stands under the key of a secret. */
export const secretValue: DetectorRecord = {
  type: 'SECRET',
  source: 'usual keys of configuration files, answers and logs',
  needsEvidence: true,
  trigger: { kind: 'word', has: 0, lacks: 0 },
  keys: [...PASSWORD_NAMES, ...KEY_NAMES],
  match: matchValue,
  examples: [
    { text: 'Falcon#5821qq', key: 'password', found: 'Falcon#5821qq' },
    { text: 'hunter', key: 'db_password', found: 'hunter' },
    {
      text: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      key: 'secretAccessKey',
      found: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    },
    { text: 'password: Tiger!9105Lm', found: 'Tiger!9105Lm' },
    { text: 'Server=db;User Id=sa;Password=Gh7$kk;', found: 'Gh7$kk' },
    { text: '1234', key: 'pin', found: '1234' },
    { text: 'correct horse battery staple', key: 'passphrase', found: 'correct horse battery staple' },
    { text: 'Passwort: geheim99', found: 'geheim99' },
    { text: 'AKIDsecret1234567', key: 'client_secret', found: 'AKIDsecret1234567' },
  ],
  counterExamples: [
    { text: 'true', key: 'password_required' },
    { text: '13855', key: 'tokens' },
    { text: '<your-token>', key: 'token' },
    { text: 'LyXaEcY/fWCnTqcf', key: 'next_page_token' },
    { text: 'os.environ["DB_PASSWORD"]', key: 'password' },
    { text: '${DB_PASSWORD}', key: 'password' },
    { text: 'Enter your password below', key: 'password' },
    'password = os.environ["DB_PASSWORD"]',
    'token count: 13855 (prompt 48197)',
  ],
};

function matchValue(situation: Situation, word: number): Match | undefined {
  if (word !== 0 || !situation.isValue || !situation.keySays('SECRET')) return undefined;
  const { text } = situation.words;
  const key = situation.keys.at(-1) ?? '';
  const isPassword = !VAGUE_KEY.test(key) && isPasswordKey(situation.keys);
  if (NO_SECRET_KEY.test(key)) return undefined;
  let start = 0;
  let end = text.length;
  while (start < end && unitAt.call(text, start) <= 32) start++;
  while (end > start && unitAt.call(text, end - 1) <= 32) end--;
  const scheme = SCHEME.exec(text.slice(start, start + 12));
  if (scheme) start += scheme[0].length;
  if (end - start > LONGEST) return undefined;
  let value = text.slice(start, end);
  if (/\s/.test(value) && !(isPassword && PHRASE_KEY.test(key))) {
    // A sentence about it, or the value and a remark.
    value = FIRST.exec(value)?.[0] ?? '';
    end = start + value.length;
    if (!looksRandom(value)) return undefined;
  }
  const quote = value.charAt(0);
  if (value.length > 2 && QUOTES.includes(quote) && value.endsWith(quote)) {
    start++;
    end--;
    value = value.slice(1, -1);
  }
  if (isNoSecret(value) || (!isPassword && !isMade(value))) return undefined;
  if (isPassword && /^\d+$/.test(value) && value.length < 4 && !/pin|cvv|cvc/.test(key)) return undefined;
  return { start, end, score: looksRandom(value) ? 88 : 78 };
}

/** Letters and digits, or long: `Bearer`, `v2` and `public` are no keys. */
function isMade(value: string): boolean {
  if (/^\d+$/.test(value)) return value.length >= 16;
  if (/^\d{4}-\d\d-\d\d|^\d+(?:\.\d+)+$|^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(value))
    return value.length === 36;
  if (/^0x[\da-f]{1,16}$/i.test(value) || /^https?:\/\/[^@]*$/.test(value)) return false;
  if (value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value)) return true;
  return value.length >= 16 && /[a-z]/.test(value) && /[A-Z]/.test(value) && !/[ ._-]/.test(value);
}

function isPasswordKey(keys: readonly string[]): boolean {
  const own = keys.at(-1) ?? '';
  return PASSWORD.test(own) || (VAGUE.test(own) && PASSWORD.test(keys.at(-2) ?? ''));
}

const LONGEST = 4096;
const QUOTES = '"\'`';
const FIRST = /^\S+/;
const SCHEME = /^(?:Bearer|Basic|Token|Digest|ApiKey)\s+/i;
const PASSWORD = new RegExp(`(?:^| )(?:${PASSWORD_NAMES.join('|')})(?: |s|$)`);
const PHRASE_KEY = /phrase|mnemonic|recovery|answer|memorable|contraseña|passwor[dt]|senha|wachtwoord/;
const VAGUE = /^(?:value|text|raw|data|default|content|current|new|old|main|primary|\d+)$/;
const VAGUE_KEY = /\bpin (?:number|no)\b.*\bmap\b/;
/** Tokens of pages, counts of tokens, names and prints of keys. */
const NO_SECRET_KEY =
  /\b(?:next|page|continuation|cursor|sync|pagination|prompt|max|min|num|total|input|output|completion|cached|usage|used|public|type|primary|foreign|partition|sort|count|fingerprint|hash|arn|policy|algorithm|limit|budget)\b/;
