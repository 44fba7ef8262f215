/** What a walk over a JSON value came to. */
export type ValueSize = { readonly bytes: number } | 'too large' | 'too deep';

/**
 * The length of a value as JSON text, roughly: a character counts one byte, a number or a word four. No recursion, and it
 * stops at the limits, so that a value of any shape costs no more than they allow: some 10 ms a MiB.
 */
export function valueSize(value: unknown, maxBytes: number, maxDepth: number): ValueSize {
  // Two stacks instead of one of pairs: a list of a million rows would make a million pairs.
  const waiting: object[] = [];
  const depths: number[] = [];
  let bytes = 0;
  const count = (one: unknown, depth: number): void => {
    bytes += 2;
    if (typeof one === 'string') bytes += one.length;
    else if (typeof one !== 'object' || one === null) bytes += 2;
    else {
      waiting.push(one);
      depths.push(depth);
    }
  };
  count(value, 0);
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    const depth = depths.pop() ?? 0;
    if (depth >= maxDepth) return 'too deep';
    if (Array.isArray(one)) for (const child of one) count(child, depth + 1);
    else {
      for (const key of Object.keys(one)) {
        bytes += key.length + 2;
        count((one as Record<string, unknown>)[key], depth + 1);
      }
    }
    if (bytes > maxBytes) return 'too large';
  }
  return bytes > maxBytes ? 'too large' : { bytes };
}
