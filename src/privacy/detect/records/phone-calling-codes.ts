import { getCountries, getCountryCallingCode, Metadata } from 'libphonenumber-js/min';

/**
 * How many digits of a string belong to the calling code in front, if the number behind it may have the length that it
 * has; 0 if not. Lengths from the metadata of libphonenumber: parsing each candidate would cost a hundred times as much.
 */
export function callingCodeLength(digits: string): number {
  known ??= readLengths();
  for (let length = 1; length <= 3; length++) {
    const lengths = known.get(digits.slice(0, length));
    if (lengths !== undefined) return (lengths & (1 << (digits.length - length))) !== 0 ? length : 0;
  }
  return 0;
}

/** One bit for each length of a national number, by calling code; read when the first number is met (some 5 ms). */
let known: Map<string, number> | undefined;

function readLengths(): Map<string, number> {
  const lengths = new Map<string, number>();
  for (const country of getCountries()) {
    const code = getCountryCallingCode(country);
    const metadata = new Metadata();
    metadata.selectNumberingPlan(country);
    for (const length of metadata.numberingPlan?.possibleLengths() ?? [])
      if (length >= SHORTEST) lengths.set(code, (lengths.get(code) ?? 0) | (1 << length));
  }
  lengths.set('1', 1 << 10);
  for (const code of WITHOUT_COUNTRY) lengths.set(code, WITHOUT_COUNTRY_LENGTHS);
  return lengths;
}

/** German local numbers of 4 digits exist; no one writes them behind +49. */
const SHORTEST = 6;
/** Free phone, shared cost, satellites, networks of no country. */
const WITHOUT_COUNTRY = ['800', '808', '870', '878', '881', '882', '883', '888', '979'];
const WITHOUT_COUNTRY_LENGTHS = (1 << 8) | (1 << 9) | (1 << 10) | (1 << 11) | (1 << 12);
