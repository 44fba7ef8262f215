/**
 * The sum of digit times weight, from the first digit on; digits without a weight do not count.
 * Not a number if one of them is no digit.
 */
export function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < weights.length; at++) {
    const digit = digits.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    sum += digit * (weights[at] as number);
  }
  return sum;
}
