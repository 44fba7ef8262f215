import type { DetectorRecord, Match, Situation } from '../record.js';
import { HAS_DIGIT, HAS_LETTER, hashOfWord } from '../words.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

export const IP_NAMES: readonly string[] = [
  ...[
    'ip',
    'ip address',
    'ip addr',
    'ipv4',
    'ipv6',
    'ip v4',
    'ip v6',
    'remote addr',
    'remote address',
    'client ip',
  ],
  ...[
    'source ip',
    'src ip',
    'dst ip',
    'x forwarded for',
    'forwarded for',
    'host',
    'hosts',
    'peer',
    'gateway',
  ],
  ...[
    'ip adresse',
    'adresse ip',
    'dirección ip',
    'indirizzo ip',
    'ip adres',
    'endereço ip',
    'subnet',
    'cidr',
  ],
  ...['nameserver', 'dns server', 'server', 'addr'],
];

/** IPv4 addresses and networks; not versions, sections, object identifiers. */
export const ipV4: DetectorRecord = {
  type: 'IP',
  source: 'RFC 791, RFC 4632',
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: HAS_LETTER, minDigits: 4, minLength: 1, maxLength: 3 },
  keys: IP_NAMES,
  context: IP_NAMES,
  match: matchFour,
  examples: [
    { text: 'login from 192.168.1.20 failed', found: '192.168.1.20' },
    { text: 'route 10.0.0.0/8.', found: '10.0.0.0/8' },
    { text: 'http://203.0.113.9:8080/x', found: '203.0.113.9' },
    { text: '1.1.1.1', key: 'client_ip', found: '1.1.1.1' },
    { text: '192.168.2.1@eth0', found: '192.168.2.1' },
    { text: '10.0.0.1-10.0.0.20', found: '10.0.0.20' },
  ],
  counterExamples: [
    'version 192.168.1.20',
    'Chrome/120.0.0.0 Safari/537.36',
    'oid 2.16.840.1.113883.4.3.9',
    'section 10.2.3.4 says',
    '300.1.1.1',
    '1.2.3.4 Introduction',
    'lib-192.168.1.20.tar.gz',
    { text: '192.168.1.20', key: 'firmwareVersion' },
  ],
};

const FOUR = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(\/\d{1,2}(?!\d))?/;

function matchFour(situation: Situation, word: number, at: number): Match | undefined {
  const { words } = situation;
  const { starts, ends, count } = words;
  // Four words in a row with one character between, and that a point: no text is touched for other numbers.
  if (word + 3 >= count || (starts[word + 1] as number) !== (ends[word] as number) + 1) return undefined;
  if ((starts[word + 2] as number) !== (ends[word + 1] as number) + 1) return undefined;
  const { text } = words;
  if (unitAt.call(text, ends[word] as number) !== 46) return undefined;
  const found = FOUR.exec(text.slice(at, at + 19));
  if (!found) return undefined;
  const octets = [Number(found[1]), Number(found[2]), Number(found[3]), Number(found[4])];
  if (octets.some((octet) => octet > 255)) return undefined;
  const dotted = found[0].length - (found[5]?.length ?? 0);
  const behind = text.charAt(at + dotted);
  if (GLUED.test(behind) || (behind === '.' && GLUED.test(text.charAt(at + dotted + 1)))) return undefined;
  if (!mayPrecede(text, at)) return undefined;
  const hasEvidence = situation.keySays('IP') || situation.contextSays('IP', word);
  if (isVersion(situation, word)) return undefined;
  if (!hasEvidence && isLikelyVersion(octets)) return undefined;
  const end = at + (Number(found[5]?.slice(1) ?? 0) <= 32 ? found[0].length : dotted);
  return { start: at, end, score: hasEvidence ? 90 : 85 };
}

const GLUED = /[0-9A-Za-z_]/;

function mayPrecede(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  if (before === '.' || before === '$') return false;
  if (before !== '/' && before !== '-' && before !== '_') return true;
  if (before === '-' && RANGE.test(text.slice(Math.max(0, at - 16), at))) return true;
  // `Chrome/120.0.0.0` and `lib-1.2.3.4` are versions; `//10.1.2.3` and ` /10.1.2.3` are not.
  return !GLUED.test(text.charAt(at - 2));
}

const RANGE = /(?:\d{1,3}\.){3}\d{1,3}-$/;

/** Small numbers all over are a version or the number of a heading, but for the private network 10 and `0.0.0.0`. */
function isLikelyVersion(octets: readonly number[]): boolean {
  return octets[0] !== 10 && octets[0] !== 0 && octets.every((octet) => octet < 24);
}

function isVersion({ words, keys }: Situation, word: number): boolean {
  for (let before = word - 1; before >= 0 && before >= word - 3; before--) {
    const gap = (words.starts[before + 1] as number) - (words.ends[before] as number);
    if (gap > 3) break;
    if (VERSIONS.has(words.hashes[before] as number)) return true;
  }
  const key = keys.at(-1);
  return key?.split(' ').some((part) => VERSION_WORDS.has(part)) ?? false;
}

const VERSION_WORDS: ReadonlySet<string> = new Set([
  ...[
    'version',
    'versions',
    'ver',
    'v',
    'section',
    'sec',
    'chapter',
    'clause',
    'oid',
    'build',
    'release',
    'rev',
  ],
  ...['revision', 'firmware', 'fw', 'paragraph', 'figure', 'fig', 'table', 'abschnitt', 'kapitel', 'versión'],
  ...['versione', 'versie', 'versão', 'sección', 'article', 'art', 'rule', 'appendix', 'driver'],
]);
const VERSIONS: ReadonlySet<number> = new Set([...VERSION_WORDS].map(hashOfWord));
