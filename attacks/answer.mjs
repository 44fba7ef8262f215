// @ts-check

/**
 * An answer as the judge sees it, whoever gave it.
 * @typedef {object} Answer
 * @property {readonly string[]} outcomes What it counts as: a truncated success is `ok` and `limited`.
 * @property {string} all Everything that was said, each text as a reader sees it and as it was on the wire.
 * @property {string} said What the call came to, without envelope and times, in which any digit can be found.
 * @property {unknown} [result] The value of the run, if there is one.
 * @property {string} stdout
 * @property {string} stderr
 * @property {string} wire The answer as it was sent.
 * @property {number} bytes Its length.
 * @property {number} ms From the call to the answer.
 * @property {boolean} validUtf8
 * @property {boolean} isError
 * @property {boolean} truncated The answer says that something was left out.
 * @property {string} [code]
 * @property {number} [status] Of HTTP.
 * @property {Readonly<Record<string, string>>} [headers]
 * @property {readonly string[]} [resources] Addresses of files that the answer names.
 */

/** Error codes that say that a limit was hit (docs/reference/errors.md). */
const LIMIT_CODES = new Set([
  ...['timeout', 'memory_limit', 'output_limit', 'disk_limit', 'process_limit', 'call_budget', 'busy'],
]);

/**
 * @param {Buffer} wire one JSON-RPC message.
 * @param {number} ms
 * @returns {Answer}
 */
export function answerOfMessage(wire, ms) {
  const validUtf8 = isUtf8(wire);
  const text = wire.toString('utf8');
  const message = JSON.parse(text);
  const base = { ms, bytes: wire.length, wire: text, all: readable(message, text), said: saidIn(message) };
  const texts = [...strings(message)];
  const valid = validUtf8 && texts.every(isWellFormed);
  if (!message.result) {
    const code = String(message.error?.code ?? 'no result');
    return {
      ...base,
      validUtf8: valid,
      outcomes: ['error'],
      isError: true,
      truncated: false,
      code,
      stdout: '',
      stderr: '',
    };
  }
  const { structuredContent: data = {}, content = [], isError = false } = message.result;
  const code = data.error?.code;
  const truncated = data.truncated === true || data.files_changed_total !== undefined;
  const resources = content
    .filter((/** @type {any} */ block) => block.type === 'resource_link')
    .map((/** @type {any} */ block) => String(block.uri));
  return {
    ...base,
    validUtf8: valid,
    outcomes: outcomesOf(isError, code, truncated),
    isError,
    truncated,
    ...(code === undefined ? {} : { code }),
    ...('result' in data ? { result: data.result } : {}),
    // Both streams are one text.
    stdout: String(data.output ?? ''),
    stderr: [data.output ?? '', data.traceback ?? '', data.error?.message ?? ''].join('\n'),
    resources,
  };
}

/**
 * Refused input of the wrong size is both: an error answer, and a limit that the answer names.
 * @param {boolean} isError
 * @param {string | undefined} code
 * @param {boolean} truncated
 */
function outcomesOf(isError, code, truncated) {
  if (!isError) return truncated ? ['ok', 'limited'] : ['ok'];
  if (code === 'too_large') return ['error', 'limited'];
  return [code !== undefined && LIMIT_CODES.has(code) ? 'limited' : 'error'];
}

/**
 * @param {{ status: number, headers: Record<string, string>, body: Buffer, ms: number }} response
 * @returns {Answer}
 */
export function answerOfHttp({ status, headers, body, ms }) {
  const wire = body.toString('utf8');
  const failed = status >= 400 || /"error"\s*:\s*\{/.test(wire);
  return {
    ...{
      ms,
      status,
      headers,
      wire,
      bytes: body.length,
      validUtf8: isUtf8(body),
      isError: failed,
      truncated: false,
    },
    outcomes: [
      status === 413 || status === 429 ? 'limited' : failed ? 'error' : 'ok',
      ...(status === 413 ? ['error'] : []),
    ],
    all: `${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n')}\n${wire}`,
    stdout: wire,
    said: wire,
    stderr: '',
  };
}

/**
 * An answer that never came, or a client that does not wait for one.
 * @param {string} why
 * @param {number} ms
 * @returns {Answer}
 */
export function noAnswer(why, ms) {
  const rest = {
    wire: '',
    bytes: 0,
    ms,
    validUtf8: true,
    isError: true,
    truncated: false,
    stdout: '',
    stderr: '',
  };
  return { ...rest, outcomes: ['none'], all: why, said: why, code: 'no_answer' };
}

/** No half of a surrogate pair alone. @param {string} text */
export function isWellFormed(text) {
  return !/\p{Surrogate}/u.test(text);
}

/** @param {Buffer} bytes */
function isUtf8(bytes) {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Fields of an answer that say nothing of what the call came to. */
const MEASURES = new Set([
  'execution_time_ms',
  'uptime_seconds',
  'ms',
  'modified',
  'resource',
  'output_resource',
]);

/** @param {any} message */
function saidIn({ result, error }) {
  const data = Object.entries(Object(result?.structuredContent)).filter(([name]) => !MEASURES.has(name));
  // The first line of the text tells the outcome and its time.
  const texts = (result?.content ?? []).map((/** @type {any} */ { text = '' }) =>
    String(text).split('\n').slice(1).join('\n'),
  );
  return [
    ...texts,
    ...data.flatMap(([, value]) => [...strings(value), JSON.stringify(value)]),
    error?.message ?? '',
  ].join('\n');
}

/** @param {unknown} message @param {string} wire */
function readable(message, wire) {
  return [...strings(message), wire].join('\n');
}

/** @param {unknown} value @returns {Generator<string>} */
function* strings(value) {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      yield key;
      yield* strings(item);
    }
}
