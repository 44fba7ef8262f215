/** Verhoeff's check (dihedral group of order 10) over a string of digits, the check digit last: Aadhaar. */
export function passesVerhoeff(digits: string): boolean {
  let check = 0;
  for (let at = digits.length - 1, place = 0; at >= 0; at--, place++) {
    const digit = digits.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return false;
    check = product(check, permuted(place, digit));
  }
  return digits.length > 0 && check === 0;
}

/** The product in D5: rotations are 0 to 4, reflections 5 to 9. */
function product(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b - 5) % 5);
  return b < 5 ? 5 + ((a - 5 - b + 5) % 5) : (a - b + 5) % 5;
}

function permuted(place: number, digit: number): number {
  let value = digit;
  for (let round = place % 8; round > 0; round--) value = PERMUTATION.charCodeAt(value) - 48;
  return value;
}

/** 0 goes to 1, 1 to 5, ... */
const PERMUTATION = '1576283094';
