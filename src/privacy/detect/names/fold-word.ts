/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** The hash of a word of a text in plain Latin letters: `José` as `jose`, `Łukasz` as `lukasz`, other scripts as they are. */
export function foldedHash(text: string, start: number, end: number): number {
  let hash = FNV_OFFSET;
  for (let at = start; at < end; at++) {
    const unit = unitAt.call(text, at);
    if (unit < 128) {
      hash = Math.imul(hash ^ (unit >= 65 && unit <= 90 ? unit | 32 : unit), FNV_PRIME);
      continue;
    }
    const plain = plainOf(unit);
    for (let index = 0; index < plain.length; index++)
      hash = Math.imul(hash ^ unitAt.call(plain, index), FNV_PRIME);
  }
  return hash >>> 0;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Letters whose plain form is no decomposition. */
const SPECIAL: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** At most one entry for each of the 65,536 units, filled as they are met. */
const known = new Map<number, string>();

function plainOf(unit: number): string {
  const before = known.get(unit);
  if (before !== undefined) return before;
  const lower = String.fromCharCode(unit).toLowerCase();
  const plain = SPECIAL[lower] ?? lower.normalize('NFD').replace(/\p{M}/gu, '');
  known.set(unit, plain);
  return plain;
}
