import type { DetectorRecord, Match, Situation } from '../record.js';
import { HAS_LETTER, hashOfWord } from '../words.js';

const NAMES = [
  ...[
    'username',
    'user name',
    'login',
    'login name',
    'user login',
    'screen name',
    'nickname',
    'nick',
    'handle',
  ],
  ...[
    'account name',
    'sam account name',
    'samaccountname',
    'benutzername',
    'anmeldename',
    "nom d'utilisateur",
  ],
  ...['identifiant', 'nombre de usuario', 'usuario', 'nome utente', 'utente', 'gebruikersnaam', 'gebruiker'],
  ...['nome de usuário', 'usuário', 'twitter handle', 'github login', 'github user', 'telegram', 'instagram'],
  ...['db user', 'database user', 'db username', 'ssh user', 'logged in as', 'user', 'userid', 'login id'],
];

/** Names by which people log in: what stands under such a key, or directly behind such a word. */
export const username: DetectorRecord = {
  type: 'USERNAME',
  source: 'usual keys of accounts; POSIX.1-2017 section 3.437 for the characters',
  needsEvidence: true,
  trigger: { kind: 'word', has: HAS_LETTER, lacks: 0, minLength: 1, maxLength: 40 },
  keys: NAMES,
  context: NAMES,
  match: matchUser,
  examples: [
    { text: 'user blue.tiger634 (jo@example.com) changed role', found: 'blue.tiger634' },
    { text: 'login with user luckyHawk364 and go', found: 'luckyHawk364' },
    { text: 'mad-owl287', key: 'username', found: 'mad-owl287' },
    { text: 'jsmith', key: 'login', found: 'jsmith' },
    { text: "found UserID 'secure_credentials' with", found: 'secure_credentials' },
    { text: 'Invalid login: username=jdoe ip=1', found: 'jdoe' },
    { text: 'CORP\\jdoe', key: 'user', found: 'CORP\\jdoe' },
  ],
  counterExamples: [
    'your username cannot be empty',
    'the user clicked twice',
    'username and password',
    { text: 'true', key: 'user' },
    { text: '12345', key: 'user' },
    { text: 'admin', key: 'user' },
    { text: 'jo@example.com', key: 'username' },
  ],
};

function matchUser(situation: Situation, word: number, at: number): Match | undefined {
  if (situation.isValue && situation.keySays('USERNAME'))
    return word === 0 ? wholeValue(situation) : undefined;
  return behindLabel(situation, word, at);
}

function wholeValue({ words }: Situation): Match | undefined {
  const found = WHOLE.exec(words.text.length > 80 ? '' : words.text);
  const name = found?.[1];
  if (!found || name === undefined || !/\p{L}/u.test(name) || isNoName(name)) return undefined;
  const start = found[0].indexOf(name);
  return { start, end: start + name.length, score: 80 };
}

/** `user jo.doe1`, `username is 'jdoe'`: without quotes or `=` the name must not look like a word. */
function behindLabel({ words }: Situation, word: number, at: number): Match | undefined {
  const { text, starts, ends, hashes } = words;
  if (word === 0 || at - (ends[word - 1] as number) > 5) return undefined;
  let label = word - 1;
  if (FILLERS.has(hashes[label] as number) && label > 0) label--;
  const isStrong = STRONG.has(hashes[label] as number);
  if (!isStrong && !WEAK.has(hashes[label] as number)) return undefined;
  let gap = text.slice(ends[word - 1], at);
  if (label < word - 1) gap += text.slice(ends[label], starts[label + 1]);
  const found = NAME.exec(text.slice(at, at + 64));
  const name = found?.[0];
  if (name === undefined || name.includes('@') || isNoName(name)) return undefined;
  const next = text.charAt(at + name.length);
  if (next === '@' || next === '(' || next === '=') return undefined;
  const isQuoted = QUOTED.test(gap) && /['"`’]/.test(next);
  const isAssigned = isStrong && /[=:]/.test(gap);
  const isOdd = /\d/.test(name) || /[a-z][A-Z]/.test(name) || /\w[._-]\w/.test(name);
  if (!isQuoted && !isAssigned && !isOdd) return undefined;
  return { start: at, end: at + name.length, score: 70 };
}

const NAME = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.\\-]{0,48}[\p{L}\p{N}_])?/u;
const WHOLE = /^\s*@?([\p{L}\p{N}_][\p{L}\p{N}_.\\/$+-]{1,48})\s*$/u;
const QUOTED = /['"`‘]$/;
const STRONG = new Set(
  ['username', 'login', 'userid', 'usuario', 'benutzername', 'benutzer', 'utente'].map(hashOfWord),
);
const WEAK = new Set(
  ['user', 'handle', 'nickname', 'as', 'account', 'usuário', 'gebruiker', 'utilisateur'].map(hashOfWord),
);
const FILLERS = new Set(['is', 'was', 'name', 'id', 'ist', 'es', 'est', 'è'].map(hashOfWord));

/** Roles, answers, placeholders and identifiers of machines. */
function isNoName(name: string): boolean {
  return NO_NAMES.has(name.toLowerCase()) || UUID.test(name) || LONG_HEX.test(name) || DATE.test(name);
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-/i;
const LONG_HEX = /^[\da-f]{16,}$/i;
const DATE = /^\d{4}-\d\d-\d\d/;
const NO_NAMES: ReadonlySet<string> = new Set([
  ...[
    'true',
    'false',
    'null',
    'none',
    'undefined',
    'admin',
    'administrator',
    'root',
    'system',
    'user',
    'guest',
  ],
  ...[
    'anonymous',
    'unknown',
    'default',
    'public',
    'string',
    'varchar',
    'text',
    'username',
    'name',
    'example',
    'test',
  ],
  ...[
    'member',
    'owner',
    'active',
    'inactive',
    'new',
    'agent',
    'assistant',
    'customer',
    'human',
    'bot',
    'redacted',
  ],
  ...[
    'postgres',
    'mysql',
    'nobody',
    'www-data',
    'git',
    'ubuntu',
    'daemon',
    'login',
    'logout',
    'success',
    'failed',
  ],
  ...[
    'user-agent',
    'user-id',
    'user_id',
    'user-name',
    'user_name',
    'sign-in',
    'log-in',
    'self',
    'me',
    'this',
  ],
]);
