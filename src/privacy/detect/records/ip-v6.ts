import type { DetectorRecord, Match, Situation } from '../record.js';
import { IP_NAMES } from './ip-v4.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** IPv6 addresses and networks, with an embedded IPv4 address or a zone. */
export const ipV6: DetectorRecord = {
  type: 'IP',
  source: 'RFC 4291 section 2.2, RFC 4007 for zones',
  trigger: { kind: 'symbol', symbols: ':' },
  keys: IP_NAMES,
  context: IP_NAMES,
  match: matchGroups,
  examples: [
    { text: 'connect to [2001:db8::1]:8080', found: '2001:db8::1' },
    { text: 'Loopback ::1', found: '::1' },
    { text: 'via fe80::1%eth0', found: 'fe80::1%eth0' },
    { text: 'Use 2001:db8::/32.', found: '2001:db8::/32' },
    { text: 'default ::/0', found: '::/0' },
    { text: '684D:1111:222:3333:4444:5555:6:77', found: '684D:1111:222:3333:4444:5555:6:77' },
    { text: '64:ff9b::198.51.100.1', found: '64:ff9b::198.51.100.1' },
    { text: 'SSH to user@2001:db8::1', found: '2001:db8::1' },
  ],
  counterExamples: [
    'at 12:30:45 UTC',
    'std::vector<int>',
    'abc::def',
    'a[::2] and b[1::2]',
    'a::before { }',
    'MAC 00:1A:2B:3C:4D:5E',
    'ratio 16:9',
  ],
};

function matchGroups(situation: Situation, word: number, at: number): Match | undefined {
  const { text } = situation.words;
  let start = at;
  while (at - start < 5 && isHex(unitAt.call(text, start - 1))) start--;
  if (at - start > 4) return undefined;
  // Only the first colon of an address: what stands before its first group is no part of one.
  const before = unitAt.call(text, start - 1);
  if (before === 58 || before === 46 || isWordUnit(before)) return undefined;
  let second = at + 1;
  while (second - at < 6 && isHex(unitAt.call(text, second))) second++;
  if (unitAt.call(text, second) !== 58) return undefined;
  let end = start;
  while (end - start < LONGEST && isAddressUnit(unitAt.call(text, end))) end++;
  if (unitAt.call(text, end - 1) === 46) end--;
  if (unitAt.call(text, end - 1) === 58 && unitAt.call(text, end - 2) !== 58) end--;
  if (isWordUnit(unitAt.call(text, end))) return undefined;
  const address = text.slice(start, end);
  if (!isAddress(address)) return undefined;
  const rest = REST.exec(text.slice(end, end + 24))?.[0] ?? '';
  const hasRest = rest !== '' && (!rest.startsWith('/') || Number(rest.slice(1)) <= 128);
  const hasEvidence = situation.keySays('IP') || situation.contextSays('IP', word);
  if (!hasEvidence && !hasRest && isDoubtful(address, text, start)) return undefined;
  return { start, end: hasRest ? end + rest.length : end, score: 92 };
}

const LONGEST = 45;
const REST = /^%[A-Za-z0-9._-]{1,15}(?:\/\d{1,3})?|^\/\d{1,3}(?!\d)/;

function isAddress(address: string): boolean {
  const halves = address.split('::');
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [index, half] of halves.entries()) {
    if (half === '') continue;
    const parts = half.split(':');
    for (const [place, part] of parts.entries()) {
      const isLast = index === halves.length - 1 && place === parts.length - 1;
      if (isLast && part.includes('.')) {
        if (!FOUR.test(part) || part.split('.').some((octet) => Number(octet) > 255)) return false;
        groups += 2;
      } else if (HEX.test(part)) groups++;
      else return false;
    }
  }
  return halves.length === 2 ? groups <= 7 : groups === 8;
}

const FOUR = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const HEX = /^[\dA-Fa-f]{1,4}$/;

/** `dead::beef`, `x[1::2]`, `::`: programs hold such things. */
function isDoubtful(address: string, text: string, start: number): boolean {
  if (address === '::1')
    return isWordUnit(unitAt.call(text, start - 2)) && unitAt.call(text, start - 1) === 91;
  const digits = address.replace(/[^0-9A-Fa-f]/g, '');
  if (digits.length < 4 || !/\d/.test(digits)) return true;
  return unitAt.call(text, start - 1) === 91 && isWordUnit(unitAt.call(text, start - 2));
}

function isHex(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 70) || (unit >= 97 && unit <= 102);
}

function isAddressUnit(unit: number): boolean {
  return isHex(unit) || unit === 58 || unit === 46;
}

function isWordUnit(unit: number): boolean {
  if (unit >= 48 && unit <= 57) return true;
  return (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || unit === 95;
}
