import { PII_TYPES, type PiiType } from '../../core/pii.js';

/** One bit a type: a set of types is a number. */
export const TYPE_BIT: Readonly<Record<PiiType, number>> = Object.freeze(
  Object.fromEntries(PII_TYPES.map((type, index) => [type, 1 << index])) as Record<PiiType, number>,
);

export function bitsOf(types: Iterable<PiiType>): number {
  let bits = 0;
  for (const type of types) bits |= TYPE_BIT[type];
  return bits;
}
