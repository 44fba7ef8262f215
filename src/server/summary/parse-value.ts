/** A run of 16 or more digits that starts a number: only such can be an integer that a double does not hold. */
const LONG_INTEGER = /(?<![\d.])\d{16}/;
/**
 * Strings, or integers of 16 digits and more with nothing that makes them a float. A string that never ends reaches to the
 * end of the text: tried again at each of its quotes, 100 kB of them from a hostile worker would take minutes.
 */
const STRING_OR_INTEGER = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|(?<![\w.+-])-?\d{16,}(?![\d.eE])/g;

/**
 * The value of a JSON text from the sandbox. Integers beyond 2**53 become strings of their digits, because a number
 * would change them silently. Text that is no JSON is the value itself: the sandbox is not to be trusted with syntax.
 */
export function parseValue(json: string): unknown {
  try {
    return JSON.parse(LONG_INTEGER.test(json) ? json.replace(STRING_OR_INTEGER, exact) : json);
  } catch {
    return json;
  }
}

function exact(token: string): string {
  if (token.startsWith('"') || Number.isSafeInteger(Number(token))) return token;
  return `"${token}"`;
}
