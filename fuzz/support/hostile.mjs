// @ts-check
/** Input as somebody would send it who wants a reader to stumble, as arbitraries of fast-check. */
import fc from 'fast-check';

const SHARP_TEXTS = [
  '',
  '\0',
  '\ufeff',
  '\r\n',
  '\r',
  '\n',
  '\u2028',
  '\u0085',
  '\x1b[2J',
  '\x1b]0;x',
  '\u202e',
  '\u200b',
  '\u{e0041}',
  '\ud800',
  '\udc00',
  '__proto__',
  'constructor',
  'toString',
  '../',
  '/etc/passwd',
  '\\',
  '"',
  "'",
  '`',
  '${HOME}',
  '#',
  '---\n',
  '-->',
  '1e999',
  '9007199254740993',
  '%00',
  '%ff',
  'e\u0301',
  '\u{1f469}\u200d\u{1f680}',
  '{"a":',
  '[[[[',
  'x'.repeat(300),
];

/** Any text: sharp pieces, ordinary words, and UTF-16 units of all kinds, lone surrogates among them. */
export const hostileText = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...SHARP_TEXTS) },
      { weight: 2, arbitrary: fc.string({ maxLength: 12 }) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) },
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));

/** Keys that every object has, and others. */
export const hostileKey = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'then', '') },
  { weight: 3, arbitrary: fc.stringMatching(/^[a-z_]{1,8}$/) },
  { weight: 1, arbitrary: hostileText },
);

const leaf = fc.oneof(
  hostileText,
  fc.integer(),
  fc.double(),
  fc.constantFrom(null, true, false, -0, 1e308, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY),
);

const trees = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 5 }),
    objectOf(hostileKey, tie('value')),
  ),
}));
const deep = fc
  .tuple(fc.constantFrom(20, 60, 100, 199, 201, 3_000), fc.boolean(), leaf)
  .map(([levels, isList, inner]) => nested(levels, isList, inner));

/**
 * A value as `JSON.parse` may give it, own keys named `__proto__` included; now and then nested 20 to 3,000 levels deep.
 * @type {fc.Arbitrary<unknown>}
 */
export const hostileValue = fc.oneof(
  { weight: 12, arbitrary: /** @type {fc.Arbitrary<unknown>} */ (trees.value) },
  { weight: 1, arbitrary: deep },
);

/**
 * An object with these keys, as own properties whatever they are called.
 *
 * @param {fc.Arbitrary<string>} key
 * @param {fc.Arbitrary<unknown>} value
 * @param {number} [maxKeys]
 * @returns {fc.Arbitrary<Record<string, unknown>>}
 */
export function objectOf(key, value, maxKeys = 5) {
  return fc.array(fc.tuple(key, value), { maxLength: maxKeys }).map((entries) => Object.fromEntries(entries));
}

/**
 * Texts with zero to four changes: a stretch left out, written twice, replaced by something sharp, or the end cut off.
 *
 * @param {fc.Arbitrary<string>} text
 * @returns {fc.Arbitrary<string>}
 */
export function edited(text) {
  const change = fc.record({
    kind: fc.constantFrom('cut', 'double', 'sharp', 'end'),
    at: fc.nat(),
    length: fc.nat({ max: 20 }),
    sharp: fc.constantFrom(...SHARP_TEXTS),
  });
  return fc.tuple(text, fc.array(change, { maxLength: 4 })).map(([original, changes]) => {
    let now = original;
    for (const { kind, at, length, sharp } of changes) {
      const start = at % (now.length + 1);
      const end = Math.min(now.length, start + length);
      if (kind === 'cut') now = now.slice(0, start) + now.slice(end);
      else if (kind === 'double') now = now.slice(0, end) + now.slice(start);
      else if (kind === 'sharp') now = now.slice(0, start) + sharp + now.slice(end);
      else now = now.slice(0, start);
    }
    return now;
  });
}

/**
 * Places at which a stream of bytes is cut; {@link inPieces} takes them.
 */
export const cuts = fc.array(fc.nat(), { maxLength: 12 });

/**
 * @template {Uint8Array} B
 * @param {B} bytes
 * @param {readonly number[]} places
 * @returns {B[]}
 */
export function inPieces(bytes, places) {
  const sorted = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
  const edges = [0, ...sorted, bytes.length];
  return edges.slice(1).map((end, index) => /** @type {B} */ (bytes.subarray(edges[index], end)));
}

/**
 * @param {number} levels
 * @param {boolean} isList
 * @param {unknown} inner
 */
function nested(levels, isList, inner) {
  let value = inner;
  for (let level = 0; level < levels; level += 1) value = isList ? [value] : { a: value };
  return value;
}
