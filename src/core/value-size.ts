/** What a walk over a JSON value came to. */
export type ValueSize = { readonly bytes: number } | 'too large' | 'too deep';

/**
 * The length of a value as JSON text, roughly (a character counts one byte). No recursion, and it stops at the limits, so that
 * a value of any shape costs no more than they allow.
 */
export function valueSize(value: unknown, maxBytes: number, maxDepth: number): ValueSize {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let bytes = 0;
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    if (one.depth > maxDepth) return 'too deep';
    bytes += 2;
    if (typeof one.value === 'string') bytes += one.value.length;
    else if (typeof one.value !== 'object' || one.value === null) bytes += 4;
    else {
      const depth = one.depth + 1;
      for (const [key, child] of Object.entries(one.value)) {
        if (!Array.isArray(one.value)) bytes += key.length + 3;
        waiting.push({ value: child, depth });
        if (bytes + waiting.length > maxBytes) return 'too large';
      }
    }
    if (bytes > maxBytes) return 'too large';
  }
  return { bytes };
}
