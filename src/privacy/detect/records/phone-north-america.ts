import type { DetectorRecord } from '../record.js';
import { HAS_DIGIT, IS_FOREIGN } from '../words.js';
import { extensionEnd, isFree, mayEnd, nextGroup } from './phone-groups.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** `(212) 555-0131`, `212-555-0131`, `212.555.0131`, `1-800-555-0161`: area and exchange begin with 2 to 9. */
export const phoneNorthAmerica: DetectorRecord = {
  type: 'PHONE',
  source: 'https://www.nanpa.com/numbering/area-codes',
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: IS_FOREIGN, minDigits: 6, minLength: 1, maxLength: 3 },
  match(situation, word) {
    const { text, starts, ends } = situation.words;
    const at = starts[word] as number;
    const length = (ends[word] as number) - at;
    const first = unitAt.call(text, at);
    const before = at === 0 ? 0x20 : unitAt.call(text, at - 1);
    const lowest = before === 0x28 ? 0x31 : 0x32;
    if (length === 3 ? first < lowest : length !== 1 || first !== 0x31) return undefined;
    const inParentheses = before === 0x28 && unitAt.call(text, at + length) === 0x29;
    if (!inParentheses && !isFree(before)) return undefined;
    if (length === 3 && isBehindOne(text, at)) return undefined;
    const area = length === 3 ? at : nextGroup(text, at + 1, 3);
    const exchange = area < 0 ? -1 : nextGroup(text, area + 3, 3);
    const line = exchange < 0 ? -1 : nextGroup(text, exchange + 3, 4);
    if (line < 0) return undefined;
    const end = line + 4;
    const behind = extensionEnd(text, end);
    if (behind === end && !mayEnd(text, end)) return undefined;
    const hasParentheses = inParentheses || (area > at && unitAt.call(text, area - 1) === 0x28);
    const style = styleOf(text.slice(area + 3, exchange), text.slice(exchange + 3, line), hasParentheses);
    if (style === 'none') return undefined;
    const keyed = situation.keySays('PHONE');
    const said = keyed || situation.contextSays('PHONE', word);
    if (!said && unitAt.call(text, area) < 0x32) return undefined;
    if (!said && unitAt.call(text, exchange) < 0x32 && style !== 'parentheses') return undefined;
    const skipped = area - at;
    if (style === 'blanks' && skipped === 0 && !said && isInSeries(text, at, end)) return undefined;
    return {
      start: inParentheses ? at - 1 : at,
      end: behind,
      score: keyed ? 92 : style === 'blanks' ? (said ? 80 : 65) : said ? 92 : 84,
    };
  },
  context: ['phone'],
  examples: [
    { text: 'My US number is (415) 555-0132, and', found: '(415) 555-0132' },
    { text: '(898)666-3621x0135', found: '(898)666-3621x0135' },
    { text: '"212.555.0140"', found: '212.555.0140' },
    { text: 'Vasudev on 1-800-555-0160. Vasudev', found: '1-800-555-0160' },
    { text: '617-555-0108 ext. 668 or', found: '617-555-0108 ext. 668' },
    { text: 'at 212 555 0131 today', found: '212 555 0131' },
    { text: 'phone (111) 555-1212', found: '(111) 555-1212' },
    { text: '1 (303) 555-0138', found: '1 (303) 555-0138' },
  ],
  counterExamples: [
    'range 100-200-300 and 10.20.30',
    'Phase 1-800 units, phase 2-60236 units',
    'ORD-212-555-0131',
    '212-555-01312',
    '300 400 5000 600 7000',
    '113.604.1234.7',
    '114-123-4567',
  ],
};

/** How the groups stand together; `none` for two different joints that no one writes. */
type Style = 'parentheses' | 'joints' | 'blanks' | 'none';

function styleOf(first: string, second: string, inParentheses: boolean): Style {
  if (inParentheses) return 'parentheses';
  if (first.includes('(') || second.includes('(') || second.includes(')')) return 'none';
  if (first === second) return /[-.–‑/]/.test(first) ? 'joints' : 'blanks';
  return second === '-' || second === '.' ? 'joints' : 'none';
}

/** Other numbers right before or behind, with blanks between. */
function isInSeries(text: string, start: number, end: number): boolean {
  return (
    /[0-9][ ,;]$/.test(text.slice(Math.max(0, start - 2), start)) ||
    /^[ ][0-9]/.test(text.slice(end, end + 2))
  );
}

/** The `1` of `1 212 555 0131` or `+1 (212) ...` stands before: it is read from there. */
function isBehindOne(text: string, at: number): boolean {
  const gap = unitAt.call(text, at - 1);
  const joint = gap === 0x28 ? at - 2 : at - 1;
  return unitAt.call(text, joint - 1) === 0x31 && joint >= 1 && !/[0-9A-Za-z]/.test(text.charAt(joint - 2));
}
