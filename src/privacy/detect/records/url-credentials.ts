import type { DetectorRecord, Match, Situation } from '../record.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** Addresses with a user and a password in them: the whole address, for host and path tell what it opens. */
export const urlCredentials: DetectorRecord = {
  type: 'URL_CREDENTIALS',
  source: 'RFC 3986 section 3.2.1',
  trigger: { kind: 'symbol', symbols: ':' },
  keys: [
    'database url',
    'db url',
    'connection url',
    'dsn',
    'sentry dsn',
    'redis url',
    'mongo uri',
    'proxy url',
  ],
  match: matchUserinfo,
  examples: [
    {
      text: 'export DB_URL=redis://:csb8f1A5@cache.internal:6379/0',
      found: 'redis://:csb8f1A5@cache.internal:6379/0',
    },
    {
      text: 'postgres://root:tfIr@db-3.internal:5432/orders',
      found: 'postgres://root:tfIr@db-3.internal:5432/orders',
    },
    {
      text: 'clone https://ci:D7m5UF@git.example.com/a.git.',
      found: 'https://ci:D7m5UF@git.example.com/a.git',
    },
    { text: 'amqp://u:p/w#x@mq.example/v', found: 'amqp://u:p/w#x@mq.example/v' },
    {
      text: 'https://0123456789abcdef0123456789abcdef@o1.ingest.example/2',
      found: 'https://0123456789abcdef0123456789abcdef@o1.ingest.example/2',
    },
  ],
  counterExamples: [
    'https://example.com:8080/a@b',
    'ssh://git@host.example:2222/repo.git',
    'https://medium.example/@someone',
    'postgres://<user>:<password>@host/db',
    'postgres://user:password@localhost/db',
    'https://${USER}:${PASS}@host/',
  ],
};

function matchUserinfo({ words }: Situation, _word: number, at: number): Match | undefined {
  const { text } = words;
  if (unitAt.call(text, at + 1) !== 47 || unitAt.call(text, at + 2) !== 47) return undefined;
  const start = startOfScheme(text, at);
  if (start === at) return undefined;
  const from = at + 3;
  const limit = Math.min(text.length, from + LONGEST);
  let end = from;
  let sign = -1;
  let isBeforePath = true;
  let colon = -1;
  let signInPath = -1;
  for (; end < limit; end++) {
    const unit = unitAt.call(text, end);
    if (unit <= 32 || unit === 34 || unit === 60 || unit === 62 || unit === 39 || unit === 96) break;
    if (unit === 58 && sign === -1 && text.startsWith('://', end)) return undefined;
    if (unit === 58 && colon === -1 && sign === -1) colon = end;
    else if (unit === 64) {
      if (isBeforePath) sign = end;
      else if (signInPath === -1) signInPath = end;
    } else if (unit === 47 || unit === 63 || unit === 35) isBeforePath = false;
  }
  // A password may hold `/`, `?` or `#`; what is behind the colon is then no port.
  if (sign === -1 && colon !== -1 && signInPath !== -1 && !PORT.test(text.slice(colon + 1, signInPath)))
    sign = signInPath;
  if (sign === -1 || !isSecret(text, from, colon, sign)) return undefined;
  while (end > sign + 1 && TRAILING.includes(text.charAt(end - 1))) end--;
  return end > sign + 1 ? { start, end, score: 97 } : undefined;
}

function startOfScheme(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < 24 && isSchemeUnit(unitAt.call(text, start - 1))) start--;
  while (start < at && !isLetter(unitAt.call(text, start))) start++;
  return start;
}

function isSecret(text: string, from: number, colon: number, sign: number): boolean {
  if (colon === -1 || colon > sign) {
    const user = text.slice(from, sign);
    return user.length >= SHORTEST_KEY && /\d/.test(user) && /^[\w.~-]+$/.test(user);
  }
  const user = text.slice(from, colon).toLowerCase();
  const password = text.slice(colon + 1, sign);
  if (password === '' || PLACEHOLDER.test(password)) return false;
  return !(GENERIC.has(user) && GENERIC.has(password.toLowerCase()));
}

const LONGEST = 600;
const SHORTEST_KEY = 16;
const PORT = /^\d{1,5}(?:[/?#]|$)/;
const TRAILING = '.,;:!?)]}';
const PLACEHOLDER = /^(?:<[^>]*>?|\$\{?\w.*|\{.*\}?|%\w.*|\*+|x+|\[.*\]?|\.{3,}|…)$/i;
const GENERIC: ReadonlySet<string> = new Set([
  ...['user', 'username', 'usr', 'name', 'login', 'password', 'pass', 'passwd', 'pwd', 'secret', 'pw'],
]);

function isSchemeUnit(unit: number): boolean {
  return isLetter(unit) || (unit >= 48 && unit <= 57) || unit === 43 || unit === 45 || unit === 46;
}

function isLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
}
