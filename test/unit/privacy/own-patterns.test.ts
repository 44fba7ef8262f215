import { expect, test } from 'vitest';
import type { Detector, Finding } from '../../../src/privacy/detect/detector.js';
import { withOwnPatterns } from '../../../src/privacy/own-patterns.js';

/** Finds what it is told to, whatever the text. */
function fixed(found: readonly Finding[]): Detector {
  return { begin: () => ({ inText: () => found, inValue: () => found, inNumber: () => undefined }) };
}

const EMPLOYEE = { type: 'EMPLOYEE_ID', pattern: 'EMP-[0-9]{6}' };

test('the kinds of the operator are found beside the others, in order', () => {
  const detector = withOwnPatterns(fixed([{ start: 0, end: 2, type: 'EMAIL' }]), [EMPLOYEE]);
  const text = 'xx EMP-123456 EMP-000001';
  for (const found of [detector.begin(new Set()).inText(text), detector.begin(new Set()).inValue(text, [])])
    expect(found).toEqual([
      { start: 0, end: 2, type: 'EMAIL' },
      { start: 3, end: 13, type: 'EMPLOYEE_ID' },
      { start: 14, end: 24, type: 'EMPLOYEE_ID' },
    ]);
});

test('of findings that overlap the one of the operator stays', () => {
  const others = [
    { start: 0, end: 4, type: 'PHONE' },
    { start: 12, end: 20, type: 'PHONE' },
  ];
  const detector = withOwnPatterns(fixed(others), [EMPLOYEE]);
  expect(detector.begin(new Set()).inText('xx EMP-123456 12345678')).toEqual([
    { start: 3, end: 13, type: 'EMPLOYEE_ID' },
  ]);
});

test('a number is of the kind whose pattern matches all of it', () => {
  const detection = withOwnPatterns(fixed([]), [{ type: 'BADGE', pattern: '77[0-9]{4}' }]).begin(new Set());
  expect([detection.inNumber('771234', []), detection.inNumber('7712345', [])]).toEqual(['BADGE', undefined]);
});

test.each([
  ['a backreference', '(a)\\1'],
  ['a look-ahead', 'a(?=b)'],
  ['an open bracket', '(a'],
  ['a pattern that matches nothing at all', 'a*'],
])('%s is refused with its place', (_, pattern) => {
  const patterns = [EMPLOYEE, { type: 'ODD', pattern }];
  expect(() => withOwnPatterns(fixed([]), patterns)).toThrow('privacy.patterns[1] (ODD)');
});

test('a pattern that would backtrack for ever elsewhere ends', () => {
  const detection = withOwnPatterns(fixed([]), [{ type: 'ODD', pattern: '(a+)+b' }]).begin(new Set());
  expect(detection.inText('a'.repeat(50_000))).toEqual([]);
});
