// @ts-check
const RELATIVE = 1e-9;

/**
 * The first difference between two JSON values, or undefined. Floats are equal within 1e-9 relative, everything else
 * exactly; object keys in any order.
 * @param {unknown} expected
 * @param {unknown} actual
 * @param {string} [where]
 * @returns {string | undefined}
 */
export function firstDifference(expected, actual, where = '$') {
  if (typeof expected === 'number' && typeof actual === 'number') {
    if (expected === actual) return undefined;
    const exact = Number.isInteger(expected) && Number.isInteger(actual);
    if (!exact && Math.abs(expected - actual) <= RELATIVE * Math.max(Math.abs(expected), Math.abs(actual)))
      return undefined;
    return told(where, expected, actual);
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length)
      return `${where}: ${expected.length} items expected, ${actual.length} came`;
    return first(expected.map((item, index) => firstDifference(item, actual[index], `${where}[${index}]`)));
  }
  if (isRecord(expected) && isRecord(actual)) {
    const missing = Object.keys(expected).find((key) => !Object.hasOwn(actual, key));
    if (missing !== undefined) return `${where}: no key ${JSON.stringify(missing)}`;
    const extra = Object.keys(actual).find((key) => !Object.hasOwn(expected, key));
    if (extra !== undefined) return `${where}: unexpected key ${JSON.stringify(extra)}`;
    return first(
      Object.entries(expected).map(([key, value]) => firstDifference(value, actual[key], `${where}.${key}`)),
    );
  }
  return expected === actual ? undefined : told(where, expected, actual);
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {(string | undefined)[]} differences */
function first(differences) {
  return differences.find((difference) => difference !== undefined);
}

/**
 * @param {string} where
 * @param {unknown} expected
 * @param {unknown} actual
 */
function told(where, expected, actual) {
  const short = (/** @type {unknown} */ value) => String(JSON.stringify(value)).slice(0, 160);
  return `${where}: expected ${short(expected)}, came ${short(actual)}`;
}
