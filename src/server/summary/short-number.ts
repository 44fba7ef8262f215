/** Above, two decimals are more than six digits: amounts of money stay exact to the cent. */
const MANY_DIGITS = 1e4;
/** Beyond, a double has no decimals to speak of. */
const NO_DECIMALS = 1e15;

/** A number as tables and arrays show it: whole ones as they are, fractions with six digits, large ones with two decimals. */
export function shortNumber(value: number, digits = 6): string {
  if (Number.isInteger(value) || !Number.isFinite(value) || Math.abs(value) >= NO_DECIMALS)
    return String(value);
  return String(Number(Math.abs(value) >= MANY_DIGITS ? value.toFixed(2) : value.toPrecision(digits)));
}

/** A JSON text of the value with its numbers short; the value nests no deeper than visibleValue lets it. */
export function shortJson(value: unknown): string {
  if (typeof value === 'number') return shortNumber(value);
  if (Array.isArray(value)) return `[${value.map(shortJson).join(',')}]`;
  return JSON.stringify(value) ?? 'null';
}
