/** The rest of a string of digits, of any length, when divided by 97. Not a number if it holds anything else. */
export function mod97(digits: string): number {
  let rest = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    rest = (rest * 10 + digit) % 97;
  }
  return rest;
}
