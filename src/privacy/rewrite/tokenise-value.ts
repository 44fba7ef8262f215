import { type LeafMap, mapValue } from './map-value.js';
import { replaceFindings } from './replace-findings.js';
import { type Replacing, tokenFor } from './replacing.js';

/**
 * A JSON value with tokens in place of its values: the same keys, lengths and kinds; numbers become numbers. Keys are never
 * changed, they are evidence. What holds no values is the same object as before.
 */
export function tokeniseValue(value: unknown, using: Replacing): unknown {
  return mapValue(value, tokenisingLeaves(using));
}

/** For who does it in slices. */
export function tokenisingLeaves(using: Replacing): LeafMap {
  return {
    string: (text, keys) => replaceFindings(text, using.detection.inValue(text, keys), using),
    number: (number, keys) => tokenisedNumber(number, keys, using),
  };
}

function tokenisedNumber(number: number, keys: readonly string[], using: Replacing): number {
  const lexeme = String(number);
  const type = using.detection.inNumber(lexeme, keys);
  const token = type === undefined ? undefined : tokenFor(using, type, lexeme, 'number');
  return token === undefined ? number : Number(token);
}
