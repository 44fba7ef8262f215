import { describe, expect, it } from 'vitest';
import { callingCodeLength } from '../../../../../src/privacy/detect/records/phone-calling-codes.js';

describe('calling codes', () => {
  it.each([
    ['12125550123', 1],
    ['442079460123', 2],
    ['33199003619', 2],
    ['4930231255', 2],
    ['35312345678', 3],
    ['80012345678', 3],
  ])('the calling code of %s has %i digits', (digits, length) => {
    expect(callingCodeLength(digits)).toBe(length);
  });

  it.each(['1212555012', '121255501234', '20240101', '0123456789', '99912345678', '331990036', ''])(
    '%s is no number of any country',
    (digits) => {
      expect(callingCodeLength(digits)).toBe(0);
    },
  );
});
