import { weightedSum } from './weighted-sum.js';

/** Whether nine digits are a US routing number: the weights 3, 7, 1 of the American Bankers Association, and its prefixes. */
export function isRoutingNumber(digits: string): boolean {
  if (digits.length !== 9 || weightedSum(digits, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 !== 0) return false;
  const prefix = Number(digits.slice(0, 2));
  return prefix <= 12 || (prefix >= 21 && prefix <= 32) || (prefix >= 61 && prefix <= 72) || prefix === 80;
}
