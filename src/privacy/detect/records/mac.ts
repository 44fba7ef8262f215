import type { DetectorRecord, Match, Situation } from '../record.js';
import { IS_FOREIGN } from '../words.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

const NAMES = [
  ...[
    'mac',
    'mac address',
    'mac addr',
    'hwaddr',
    'hw address',
    'hardware address',
    'ether',
    'ethernet address',
  ],
  ...[
    'physical address',
    'bssid',
    'bluetooth address',
    'lladdr',
    'mac adresse',
    'adresse mac',
    'dirección mac',
  ],
];

/** Hardware addresses: six pairs, or Cisco's three groups of four. */
export const mac: DetectorRecord = {
  type: 'MAC',
  source: 'IEEE 802-2014 section 8.1',
  trigger: { kind: 'word', has: 0, lacks: IS_FOREIGN, minLength: 2, maxLength: 4 },
  keys: NAMES,
  context: NAMES,
  match: matchPairs,
  examples: [
    { text: 'Device 00:1A:2B:3C:4D:5E joined', found: '00:1A:2B:3C:4D:5E' },
    { text: 'to 28-03-AC-DC-DF-4D via eth0', found: '28-03-AC-DC-DF-4D' },
    { text: 'Cisco MAC: 0012.3456.789A', found: '0012.3456.789A' },
    { text: '02:42:ac:ff:fe:11:00:02', key: 'eui64', found: '02:42:ac:ff:fe:11:00:02' },
  ],
  counterExamples: [
    '12:30:45',
    '2001:db8:85a3:1:2:3:4:5',
    'aa:bb:cc:dd:ee',
    '10-20-30-40-50-60-70',
    '1234.5678.9012.3456',
    'GG:HH:II:JJ:KK:LL',
  ],
};

/** Twelve hexadecimal digits in a row are one only where the key says so. */
export const macPlain: DetectorRecord = {
  type: 'MAC',
  source: 'IEEE 802-2014 section 8.1',
  needsEvidence: true,
  trigger: { kind: 'word', has: 0, lacks: IS_FOREIGN, minLength: 12, maxLength: 12 },
  match: (situation, word, at) => matchPlain(situation, word, at),
  keys: NAMES,
  examples: [{ text: '001a2b3c4d5e', key: 'mac_address', found: '001a2b3c4d5e' }],
  counterExamples: ['001a2b3c4d5e', { text: 'not-hex-here', key: 'mac' }],
};

function matchPairs({ words }: Situation, word: number, at: number): Match | undefined {
  const { ends } = words;
  const end = ends[word] as number;
  // Six pairs with five joints, or three groups of four with two: no text is touched for all other short words.
  const isPairs = end - at === 2 && word + 5 < words.count && (ends[word + 5] as number) - at === 17;
  if (!isPairs && !(end - at === 4 && word + 2 < words.count && (ends[word + 2] as number) - at === 14))
    return undefined;
  const { text } = words;
  const joint = unitAt.call(text, end);
  const before = unitAt.call(text, at - 1);
  if (before === joint || before === 95 || before === 46) return undefined;
  const found = (isPairs ? PAIRS : GROUPS).exec(text.slice(at, at + 26));
  return found ? { start: at, end: at + found[0].length, score: 93 } : undefined;
}

const PAIRS =
  /^[\dA-Fa-f]{2}([:-])[\dA-Fa-f]{2}(?:\1[\dA-Fa-f]{2}){4}(?:(?:\1[\dA-Fa-f]{2}){2})?(?![\dA-Za-z_]|[:-][\dA-Fa-f])/;
const GROUPS = /^[\dA-Fa-f]{4}\.[\dA-Fa-f]{4}\.[\dA-Fa-f]{4}(?![\dA-Za-z_]|\.[\dA-Za-z])/;

function matchPlain({ words, isValue }: Situation, word: number, at: number): Match | undefined {
  if (!isValue || word !== 0 || !/^[\dA-Fa-f]{12}$/.test(words.text.trim())) return undefined;
  return { start: at, end: words.ends[word] as number, score: 90 };
}
