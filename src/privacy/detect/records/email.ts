import type { DetectorRecord, Match, Situation } from '../record.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** Mail addresses, also international ones, quoted local parts, tags, half-masked ones. */
export const email: DetectorRecord = {
  type: 'EMAIL',
  source: 'RFC 5321 section 4.1.2, RFC 6531 for other scripts',
  trigger: { kind: 'symbol', symbols: '@' },
  keys: [
    'email',
    'e mail',
    'mail',
    'email address',
    'mail address',
    'correo',
    'courriel',
    'posta',
    'recipient',
  ],
  context: ['email', 'e mail', 'mail', 'correo', 'courriel'],
  match: matchAddress,
  examples: [
    { text: 'write to jane.doe+tag@example.co.uk.', found: 'jane.doe+tag@example.co.uk' },
    { text: 'https://app.example.com/invite?email=jo%40example.com&v=1', found: 'jo%40example.com' },
    { text: 'mailto:jo@example.com?subject=hi', found: 'jo@example.com' },
    { text: 'user@xn--80ak6aa92e.com', found: 'user@xn--80ak6aa92e.com' },
    { text: 'Jörg <jörg@müller.example>', found: 'jörg@müller.example' },
    { text: '"john smith"@example.com', found: '"john smith"@example.com' },
    { text: "o'brien@example.com", found: "o'brien@example.com" },
    { text: 'sent to j***e@example.com', found: 'j***e@example.com' },
    { text: 'bounce+jo=example.com@list.example.org', found: 'bounce+jo=example.com@list.example.org' },
    { text: 'jo&#64;example.com', found: 'jo&#64;example.com' },
    { text: 'ad\u200bmin@exаmple.com', found: 'ad\u200bmin@exаmple.com' },
    { text: 'user@[192.168.1.7]', found: 'user@[192.168.1.7]' },
  ],
  counterExamples: [
    'import x from "@acme/ui-kit@10.29.28"',
    'npm install pkg@latest @types/node@2.1.12',
    'ssh://git@host.example:2222/repo.git',
    'git@github.com:org/repo.git',
    'scp file deploy@server.example.com:/var/www',
    'logo@2x.png',
    'getty@tty1.service',
    '@app.route("/")',
    'a@',
  ],
};

function matchAddress({ words }: Situation, _word: number, at: number): Match | undefined {
  const { text } = words;
  const end = endOfDomain(text, at + 1);
  if (end === -1) return undefined;
  const start = startOfLocal(text, at);
  if (start === at || isUserOfUrl(text, start, at, end)) return undefined;
  return { start, end, score: 90 };
}

function startOfLocal(text: string, at: number): number {
  if (unitAt.call(text, at - 1) === 34 /* " */) {
    const open = text.lastIndexOf('"', at - 2);
    const isClosing = open !== -1 && at - open <= LONGEST_LOCAL && !text.slice(open, at).includes('\n');
    return isClosing && at - open > 2 ? open : at;
  }
  const limit = Math.max(0, at - LONGEST_LOCAL);
  let start = at;
  while (start > limit && isLocal(text, start - 1)) start--;
  // The sender of a bounce holds another address: bounce+jo=example.com@list.example.org.
  if (start > limit && unitAt.call(text, start - 1) === 61 /* = */) {
    let before = start - 1;
    while (before > limit && isLocal(text, before - 1)) before--;
    if (text.slice(before, start).includes('+')) start = before;
  }
  while (start < at && TRIMMED.includes(text.charAt(start))) start++;
  return start;
}

function isLocal(text: string, at: number): boolean {
  const unit = unitAt.call(text, at);
  if (unit > 127) return !isBreak(unit);
  if ((UNITS[unit] as number) !== 0) return true;
  return unit === 39 /* ' */ && isLetter(unitAt.call(text, at - 1)) && isLetter(unitAt.call(text, at + 1));
}

/** The offset behind a domain with a top level of letters, or an address in brackets; -1 when it is neither. */
function endOfDomain(text: string, from: number): number {
  if (unitAt.call(text, from) === 91 /* [ */) {
    const found = LITERAL.exec(text.slice(from, from + 50));
    return found ? from + found[0].length : -1;
  }
  const limit = Math.min(text.length, from + LONGEST_DOMAIN);
  let end = from;
  let dot = -1;
  for (; end < limit && isDomain(unitAt.call(text, end)); end++) if (unitAt.call(text, end) === 46) dot = end;
  // The name ends where its last label does: `jo@example.com.` and `jo@example.com-`.
  while (end > from && !isAlphanumeric(unitAt.call(text, end - 1)) && unitAt.call(text, end - 1) < 128) end--;
  if (dot >= end - 1) dot = text.lastIndexOf('.', end - 1);
  if (dot <= from) return -1;
  const first = unitAt.call(text, from);
  if (first === 46 || first === 45) return -1;
  const top = text.slice(dot + 1, end).toLowerCase();
  if (top.length < 2 || !(TOP_LEVEL.test(top) || top.startsWith('xn--')) || NO_TOP_LEVEL.has(top)) return -1;
  return end;
}

/** `ssh://git@host`, `git@host:path`: a user of a machine. */
function isUserOfUrl(text: string, start: number, at: number, end: number): boolean {
  if (unitAt.call(text, start - 1) === 47 && unitAt.call(text, start - 2) === 47) return true;
  const next = unitAt.call(text, end);
  const isPath = next === 58 && (unitAt.call(text, end + 1) === 47 || unitAt.call(text, end + 1) === 126);
  if (isPath) return true;
  return (next === 58 || next === 47) && text.slice(start, at) === 'git';
}

function isDomain(unit: number): boolean {
  return unit > 127 ? !isBreak(unit) : isAlphanumeric(unit) || unit === 45 || unit === 46;
}

/** Blanks, dashes, quotes and punctuation beyond ASCII; CJK and full-width punctuation. */
function isBreak(unit: number): boolean {
  return (
    unit < 0xaa ||
    unit === 0xab ||
    unit === 0xbb ||
    unit === 0xbf ||
    (unit >= 0x2000 && unit <= 0x2bff && unit !== 0x2022) ||
    (unit >= 0x3000 && unit <= 0x301f) ||
    (unit >= 0xff00 && unit <= 0xff0f)
  );
}

function isAlphanumeric(unit: number): boolean {
  return UNITS[unit] === 2;
}

function isLetter(unit: number): boolean {
  return isAsciiLetter(unit) || unit > 191;
}

function isAsciiLetter(unit: number): boolean {
  return (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
}

const LONGEST_LOCAL = 80;
const LONGEST_DOMAIN = 254;
/** ASCII characters of a local part; letters and digits are 2. */
const UNITS = new Uint8Array(128);
for (const character of '._%+-*') UNITS[character.charCodeAt(0)] = 1;
for (let unit = 48; unit < 123; unit++) if (/[0-9A-Za-z]/.test(String.fromCharCode(unit))) UNITS[unit] = 2;
const TRIMMED = '.*%+-';
const LITERAL = /^\[(?:IPv6:)?[\dA-Fa-f:.]{3,45}\]/;
const TOP_LEVEL = /^\p{L}{2,24}$/u;
const NO_TOP_LEVEL: ReadonlySet<string> = new Set([
  ...[
    'png',
    'jpg',
    'jpeg',
    'gif',
    'svg',
    'webp',
    'ico',
    'css',
    'js',
    'mjs',
    'jsx',
    'tsx',
    'json',
    'html',
    'xml',
  ],
  ...[
    'yaml',
    'yml',
    'txt',
    'gz',
    'exe',
    'dll',
    'service',
    'socket',
    'slice',
    'timer',
    'mount',
    'target',
    'class',
  ],
]);
