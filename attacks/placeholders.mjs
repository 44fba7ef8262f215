// @ts-check

/** `${REPEAT:text:n}` may not make a text longer than this: the longest case has 21 MB. */
const MAX_CHARS = 300_000_000;
const MAX_VARIANTS = 2_000;

/**
 * Every name that a case may use beside REPEAT, EACH and RANGE.
 * @type {ReadonlySet<string>}
 */
export const NAMES = new Set([
  ...['CANARY_VALUE', 'CANARY_FILE', 'CANARY_DIR', 'CANARY_ENV', 'CANARY_LISTENER', 'CANARY_UNIX_SOCKET'],
  ...['CANARY_ABSTRACT', 'CANARY_FREE_PORT', 'CANARY_PID', 'CANARY_PROC', 'CANARY_ADDR'],
  ...['WORKSPACE_HOST', 'WORKSPACE_NAME', 'SESSION_A', 'SESSION_B', 'TOOL_EXECUTE'],
  ...['HOST_HOME', 'HOST_NAME', 'HOST_USER', 'COUNTER', 'SESSION_INDEX', 'CALL_INDEX'],
  ...['PII_EMAIL', 'PII_PHONE', 'PII_NAME', 'PII_SSN', 'PII_CARD', 'PII_IBAN', 'PII_ADDRESS', 'PII_IP'],
]);

/** @typedef {{ kind: 'text', text: string } | { kind: 'name', name: string, body: string }} Part */

/**
 * The names of all placeholders in a value, whatever its depth.
 * @param {unknown} value
 * @returns {Set<string>}
 */
export function placeholdersIn(value) {
  /** @type {Set<string>} */
  const names = new Set();
  for (const text of textsOf(value)) {
    for (const part of split(text)) {
      if (part.kind !== 'name') continue;
      names.add(part.name);
      if (part.body !== '') for (const inner of placeholdersIn(part.body)) names.add(inner);
    }
  }
  return names;
}

/**
 * Replaces placeholders in every text of a value, keys included. A name that `values` lacks stays as it is, so that it
 * can be replaced later.
 * @param {unknown} value
 * @param {Readonly<Record<string, string>>} values
 * @returns {any}
 */
export function replaceIn(value, values) {
  if (typeof value === 'string') return replaceText(value, values);
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [replaceText(key, values), replaceIn(item, values)]),
  );
}

/**
 * A value with `${EACH:a,b}` or `${RANGE:a:b}` in it is several values: one for each combination.
 * @template T
 * @param {T} value
 * @returns {T[]}
 * @throws {RangeError} more than 2,000 of them.
 */
export function variantsOf(value) {
  const bodies = [...new Set([...textsOf(value)].flatMap((text) => choicesIn(text)))];
  /** @type {T[]} */
  let variants = [value];
  for (const body of bodies) {
    const chosen = valuesOf(body);
    if (variants.length * chosen.length > MAX_VARIANTS) throw new RangeError(`too many variants of ${body}`);
    variants = variants.flatMap((variant) => chosen.map((text) => substitute(variant, body, text)));
  }
  return variants;
}

/** @param {string} text @returns {string[]} */
function choicesIn(text) {
  return split(text).flatMap((part) =>
    part.kind === 'name' && (part.name === 'EACH' || part.name === 'RANGE')
      ? [`${part.name}:${part.body}`]
      : [],
  );
}

/** @param {string} choice @returns {string[]} */
function valuesOf(choice) {
  if (choice.startsWith('EACH:')) return splitOutside(choice.slice('EACH:'.length), ',');
  const [from = 0, to = 0] = choice
    .slice('RANGE:'.length)
    .split(/:|,|\.\./)
    .map(Number);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => String(from + index));
}

/**
 * @template T
 * @param {T} value
 * @param {string} body
 * @param {string} text
 * @returns {T}
 */
function substitute(value, body, text) {
  const whole = `\${${body}}`;
  if (typeof value === 'string') return /** @type {any} */ (value.replaceAll(whole, () => text));
  if (Array.isArray(value)) return /** @type {any} */ (value.map((item) => substitute(item, body, text)));
  if (typeof value !== 'object' || value === null) return value;
  return /** @type {any} */ (
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, substitute(item, body, text)]))
  );
}

/** @param {string} text @param {Readonly<Record<string, string>>} values @returns {string} */
function replaceText(text, values) {
  if (!text.includes('${')) return text;
  return split(text)
    .map((part) => {
      if (part.kind === 'text') return part.text;
      if (part.name === 'REPEAT') return repeat(part.body, values);
      const value = part.body === '' && Object.hasOwn(values, part.name) ? values[part.name] : undefined;
      return value ?? `\${${part.name}${part.body === '' ? '' : `:${replaceText(part.body, values)}`}}`;
    })
    .join('');
}

/** @param {string} body @param {Readonly<Record<string, string>>} values */
function repeat(body, values) {
  const colon = body.lastIndexOf(':');
  const text = replaceText(body.slice(0, colon), values);
  const times = Number(body.slice(colon + 1).replaceAll('_', ''));
  if (!Number.isInteger(times) || times < 0 || text.length * times > MAX_CHARS)
    throw new RangeError(`\${REPEAT} with ${body.slice(colon + 1)} times ${text.length} characters`);
  return text.repeat(times);
}

/**
 * Texts and placeholders of a string in order; braces inside a placeholder are counted, since one may hold another.
 * @param {string} text
 * @returns {Part[]}
 */
function split(text) {
  /** @type {Part[]} */
  const parts = [];
  let from = 0;
  for (let start = text.indexOf('${'); start >= 0; start = text.indexOf('${', from)) {
    const end = closingBrace(text, start + 2);
    const match = end < 0 ? null : /^([A-Z][A-Z0-9_]*)(?::([\s\S]*))?$/.exec(text.slice(start + 2, end));
    const stop = match ? start : start + 2;
    if (stop > from) parts.push({ kind: 'text', text: text.slice(from, stop) });
    if (match) parts.push({ kind: 'name', name: match[1] ?? '', body: match[2] ?? '' });
    from = match ? end + 1 : stop;
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

/** @param {string} text @param {number} from */
function closingBrace(text, from) {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

/** @param {string} text @param {string} separator one character; not inside braces. */
function splitOutside(text, separator) {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '{') depth++;
    if (char === '}') depth--;
    if (char === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}

/** @param {unknown} value @returns {Generator<string>} */
function* textsOf(value) {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      yield key;
      yield* textsOf(item);
    }
}
