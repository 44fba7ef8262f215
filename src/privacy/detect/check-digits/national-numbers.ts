import { passesLuhn } from './luhn.js';
import { passesVerhoeff } from './verhoeff.js';
import { weightedSum } from './weighted-sum.js';

/** National numbers that are digits only, with their check. Each takes exactly the digits of its length. */
export const NATIONAL_NUMBERS: Readonly<
  Record<string, { length: number; passes: (digits: string) => boolean }>
> = {
  nlBsn: {
    length: 9,
    passes: (d) => d !== '000000000' && weightedSum(d, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0,
  },
  caSin: { length: 9, passes: passesLuhn },
  auTfn: { length: 9, passes: (d) => weightedSum(d, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0 },
  ptNif: { length: 9, passes: (d) => checkOf(weightedSum(d, [9, 8, 7, 6, 5, 4, 3, 2])) === last(d) },
  ilId: { length: 9, passes: passesLuhn },
  bgEgn: { length: 10, passes: (d) => (weightedSum(d, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === last(d) },
  atVnr: {
    length: 10,
    passes: (d) => weightedSum(d, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === Number(d[3]),
  },
  plNip: { length: 10, passes: (d) => weightedSum(d, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === last(d) },
  plPesel: { length: 11, passes: isPesel },
  deIdnr: { length: 11, passes: isIdnr },
  trTckn: { length: 11, passes: isTckn },
  brCpf: { length: 11, passes: isCpf },
  noFnr: { length: 11, passes: isFodselsnummer },
  hrOib: { length: 11, passes: (d) => iso7064(d.slice(0, 10)) === last(d) },
  inAadhaar: { length: 12, passes: (d) => d >= '2' && passesVerhoeff(d) },
  jpMyNumber: { length: 12, passes: isMyNumber },
  thId: {
    length: 13,
    passes: (d) => (11 - (weightedSum(d, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 10 === last(d),
  },
  zaId: { length: 13, passes: (d) => isDay(d.slice(4, 6), d.slice(2, 4)) && passesLuhn(d) },
  roCnp: { length: 13, passes: isCnp },
};

/** The two check digits of a Brazilian CPF. */
export function isCpf(digits: string): boolean {
  if (/^(.)\1*$/.test(digits)) return false;
  const check = (count: number): number => {
    const weights = Array.from({ length: count }, (_, at) => count + 1 - at);
    return ((weightedSum(digits, weights) * 10) % 11) % 10;
  };
  return check(9) === Number(digits[9]) && check(10) === last(digits);
}

function last(digits: string): number {
  return digits.charCodeAt(digits.length - 1) - 48;
}

/** 11 minus the rest by 11; 10 and 11 count as 0. */
function checkOf(sum: number): number {
  const check = 11 - (sum % 11);
  return check > 9 ? 0 : check;
}

function isDay(day: string, month: string): boolean {
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
}

/** The century is added to the month: 20, 40, 60, 80. */
function isPesel(digits: string): boolean {
  const month = String(Number(digits.slice(2, 4)) % 20);
  return (
    isDay(digits.slice(4, 6), month) && weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0
  );
}

/** One digit two or three times among the first ten, the check of ISO 7064. */
function isIdnr(digits: string): boolean {
  if (digits[0] === '0') return false;
  const counts = [...'0123456789'].map((digit) => digits.slice(0, 10).split(digit).length - 1);
  const repeated = counts.filter((count) => count > 1);
  return (
    repeated.length === 1 && (repeated[0] as number) <= 3 && iso7064(digits.slice(0, 10)) === last(digits)
  );
}

/** ISO 7064 MOD 11,10. */
function iso7064(digits: string): number {
  let product = 10;
  for (const digit of digits) {
    const sum = (Number(digit) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (11 - product) % 10;
}

function isTckn(digits: string): boolean {
  if (digits[0] === '0') return false;
  const tenth = ((weightedSum(digits, [7, -1, 7, -1, 7, -1, 7, -1, 7]) % 10) + 10) % 10 === Number(digits[9]);
  return tenth && weightedSum(digits, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]) % 10 === last(digits);
}

function isFodselsnummer(digits: string): boolean {
  const day = Number(digits.slice(0, 2)) % 40;
  const month = Number(digits.slice(2, 4)) % 40;
  if (!isDay(String(day), String(month))) return false;
  const first = (11 - (weightedSum(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11;
  const second = (11 - (weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return first === Number(digits[9]) && second === last(digits);
}

function isMyNumber(digits: string): boolean {
  const rest = weightedSum(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest <= 1 ? 0 : 11 - rest) === last(digits);
}

function isCnp(digits: string): boolean {
  if (digits[0] === '0' || !isDay(digits.slice(5, 7), digits.slice(3, 5))) return false;
  const rest = weightedSum(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return (rest === 10 ? 1 : rest) === last(digits);
}
