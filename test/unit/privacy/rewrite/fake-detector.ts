import type { PiiType } from '../../../../src/core/pii.js';
import type { Detection, Detector, Finding } from '../../../../src/privacy/detect/detector.js';

const PATTERNS: readonly (readonly [PiiType, RegExp])[] = [
  [
    'EMAIL',
    /[A-Za-z0-9._%+\u00c0-\u024f-]+(?:@|%40)[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.(?:org|com|test)(?![A-Za-z])/gi,
  ],
  ['SECRET', /(?:sk_live_|ghp_)[A-Za-z0-9]{16,}/g],
  ['CREDIT_CARD', /(?<![\d.])[45]\d{3}([ -]?)\d{4}\1\d{4}\1\d{4}(?![\d.])/g],
  ['IBAN', /\bDE\d{2}(?: ?\d{4}){4} ?\d{2}\b/g],
  ['SSN', /(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])/g],
  ['PHONE', /\+\d{1,3}(?:[ -]\d{2,4}){2,4}/g],
];
const BY_KEY: Readonly<Record<string, PiiType>> = { ssn: 'SSN', account: 'BANK_ACCOUNT', name: 'PERSON' };
const JSON_NUMBER = /"(ssn|account)\\*":\s*(-?\d[\d.eE+-]*)/g;

/** Finds by a few patterns and keys: what the real one does belongs to its own tests. */
export const fakeDetector: Detector = {
  begin(types) {
    const inText = (text: string): Finding[] => {
      const found: Finding[] = [];
      for (const [type, pattern] of PATTERNS)
        for (const match of text.matchAll(pattern))
          found.push({ type, start: match.index, end: match.index + match[0].length });
      for (const match of text.matchAll(JSON_NUMBER)) {
        const end = match.index + match[0].length;
        found.push({ type: BY_KEY[match[1] ?? ''] ?? 'SSN', start: end - (match[2] ?? '').length, end });
      }
      const kept: Finding[] = [];
      for (const finding of found.sort((a, b) => a.start - b.start || b.end - a.end))
        if (types.has(finding.type as PiiType) && finding.start >= (kept.at(-1)?.end ?? 0))
          kept.push(finding);
      return kept;
    };
    const byKey = (keys: readonly string[]): PiiType | undefined => {
      const type = BY_KEY[keys.at(-1) ?? ''];
      return type !== undefined && types.has(type) ? type : undefined;
    };
    return {
      inText,
      inValue(text, keys) {
        const type = byKey(keys);
        return type !== undefined && text !== '' ? [{ type, start: 0, end: text.length }] : inText(text);
      },
      inNumber: (_lexeme, keys) => byKey(keys),
    } satisfies Detection;
  },
};
