import { describe, expect, it } from 'vitest';
import { isRoutingNumber } from '../../../../../src/privacy/detect/check-digits/aba.js';
import { isIsbn10 } from '../../../../../src/privacy/detect/check-digits/isbn.js';
import { passesLuhn } from '../../../../../src/privacy/detect/check-digits/luhn.js';
import { mod97 } from '../../../../../src/privacy/detect/check-digits/mod-97.js';
import { passesVerhoeff } from '../../../../../src/privacy/detect/check-digits/verhoeff.js';
import { weightedSum } from '../../../../../src/privacy/detect/check-digits/weighted-sum.js';

describe('check digits', () => {
  it('Luhn passes a valid number, and refuses one wrong digit, letters and nothing', () => {
    expect(passesLuhn('4111111111111111')).toBe(true);
    expect(passesLuhn('4111111111111112')).toBe(false);
    expect(passesLuhn('411111111111111x')).toBe(false);
    expect(passesLuhn('')).toBe(false);
  });

  it('Verhoeff passes exactly one check digit, and refuses every swap of neighbours that differ', () => {
    expect([...'0123456789'].filter((digit) => passesVerhoeff(`236${digit}`))).toEqual(['3']);
    expect(passesVerhoeff('2633')).toBe(false);
    expect(passesVerhoeff('2363 ')).toBe(false);
    expect(passesVerhoeff('')).toBe(false);
  });

  it('the rest by 97 is that of the whole number, however long, and not a number for letters', () => {
    expect(mod97('970')).toBe(0);
    expect(mod97('12345678901234567890123')).toBe(Number(12345678901234567890123n % 97n));
    expect(mod97('12a')).toBeNaN();
  });

  it('a weighted sum counts the digits that have a weight', () => {
    expect(weightedSum('1239', [1, 2, 3])).toBe(14);
    expect(weightedSum('12', [1, 2, 3])).toBeNaN();
    expect(weightedSum('1x', [1, 1])).toBeNaN();
  });

  it('a routing number has nine digits, the check of the ABA and a prefix that is in use', () => {
    expect(isRoutingNumber('021000021')).toBe(true);
    expect(isRoutingNumber('021000022')).toBe(false);
    expect(isRoutingNumber('02100002')).toBe(false);
    // 3 * 9 + 7 * 9 + 1 * 0 ... = 90 passes the check, but 99 is no prefix.
    expect(isRoutingNumber('990000000')).toBe(false);
  });

  it('an ISBN-10 may end in X', () => {
    expect(isIsbn10('0306406152')).toBe(true);
    expect(isIsbn10('043942089X')).toBe(true);
    expect(isIsbn10('0306406153')).toBe(false);
    expect(isIsbn10('030640615')).toBe(false);
  });
});
