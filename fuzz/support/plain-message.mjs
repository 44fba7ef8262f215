// @ts-check
/** What a worker may say, told a second time and without a library: the other side of a comparison with src/wire/messages.ts. */

/** @typedef {(value: unknown) => boolean} Rule */
/** @typedef {Readonly<Record<string, Rule>>} Rules a name with `?` behind it may be absent */

const text =
  (/** @type {number} */ most, least = 0) =>
  (/** @type {unknown} */ value) =>
    typeof value === 'string' && value.length >= least && value.length <= most;
const oneOf = (/** @type {readonly unknown[]} */ values) => (/** @type {unknown} */ value) =>
  values.includes(value);
const list = (/** @type {Rule} */ rule, /** @type {number} */ most) => (/** @type {unknown} */ value) =>
  Array.isArray(value) && value.length <= most && value.every(rule);
const record = (/** @type {Rules} */ rules) => (/** @type {unknown} */ value) => isRecord(value, rules);
/** @type {Rule} */
const count = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
/** @type {Rule} */
const finite = (value) => typeof value === 'number' && Number.isFinite(value);
/** @type {Rule} */
const flag = (value) => typeof value === 'boolean';
const path = text(4096, 1);
const matching = (/** @type {RegExp} */ form) => (/** @type {unknown} */ value) =>
  typeof value === 'string' && form.test(value);
const valueFile = matching(/^result-[0-9]{1,6}\.(csv|parquet|npy)$/);
const imageFile = matching(/^(figure|image)-[0-9]{1,6}\.(png|jpg|gif|webp)$/);

const ERROR_CODES =
  'call_budget tool_unknown tool_denied restore_denied tool_needs_approval tool_failed tool_unavailable bad_arguments syntax_error python_error import_denied timeout memory_limit output_limit disk_limit';
const OPS = 'tool search describe names skill skills save_skill tokenise';

/** @type {ReadonlyMap<unknown, Rules>} */
const KINDS = new Map([
  ['ready', { python: text(40) }],
  ['out', { stream: oneOf(['stdout', 'stderr']) }],
  ['progress', { done: finite, 'total?': finite, 'message?': text(1_000) }],
  ['read', { id: count, path, ahead: list(path, 256) }],
  ['call', { id: count, op: oneOf(OPS.split(' ')), name: text(512) }],
  ['file', { path, offset: count, last: flag }],
  ['folder', { path }],
  ['remove', { path }],
  [
    'done',
    {
      id: text(64),
      'value?': record({
        type: text(200),
        truncated: flag,
        'form?': oneOf(['table', 'array']),
        'label?': text(200),
        'file?': valueFile,
      }),
      'images?': list(imageFile, 20),
      'error?': record({
        code: oneOf(ERROR_CODES.split(' ')),
        type: text(200),
        message: text(200_000),
        'line?': count,
        'source?': text(4_000),
        'hint?': text(4_000),
        'traceback?': text(200_000),
      }),
      notes: list(text(1_000), 50),
      variables: list(
        record({ name: text(200), type: text(200), 'size?': count, 'preview?': text(200) }),
        50,
      ),
      names: list(text(200), 500),
    },
  ],
]);

/** Whether a value is a message of a worker. @param {unknown} value */
export function isWorkerMessage(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (!Object.hasOwn(value, 'type')) return false;
  const { type, ...rest } = /** @type {{ type: unknown }} */ (value);
  const rules = KINDS.get(type);
  return rules !== undefined && isRecord(rest, rules);
}

/**
 * @param {unknown} value
 * @param {Rules} rules
 */
function isRecord(value, rules) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const fields = new Map(Object.entries(value));
  for (const [name, rule] of Object.entries(rules)) {
    const key = name.replace('?', '');
    if (fields.has(key) ? !rule(fields.get(key)) : !name.endsWith('?')) return false;
    fields.delete(key);
  }
  return fields.size === 0;
}
