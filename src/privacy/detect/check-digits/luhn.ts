/** Luhn's check (ISO/IEC 7812-1) over a string of digits, the check digit last. False for an empty string. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  let doubled = false;
  for (let at = digits.length - 1; at >= 0; at--) {
    const digit = digits.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return false;
    const value = doubled ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
    doubled = !doubled;
  }
  return digits.length > 0 && sum % 10 === 0;
}
