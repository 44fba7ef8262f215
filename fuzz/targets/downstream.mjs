// @ts-check
/** Bytes that a downstream server prints: src/downstream/message-lines.ts and large-message.ts against a plain split at line ends. */
import fc from 'fast-check';
import { standInFor } from '../../dist/downstream/large-message.js';
import { LARGE_KEY } from '../../dist/downstream/large-result.js';
import { MessageLines, PARSE_BYTES } from '../../dist/downstream/message-lines.js';
import { cuts, edited, hostileText, hostileValue, inPieces } from '../support/hostile.mjs';
import { insist, insistUnpolluted, sameJson } from '../support/oracle.mjs';

/** @typedef {{ text: Uint8Array, cuts: readonly number[], isCall: boolean }} Printed */
/** @typedef {import('../../dist/downstream/message-lines.js').Line} Line */

const MAX_BYTES = 2 * PARSE_BYTES;

/** @returns {Promise<import('../support/campaign.mjs').Target<Printed>>} */
export async function open() {
  return {
    promise:
      'any bytes give the same lines however they are cut, every line of JSON its value, and long ones the parts that JSON has',
    runs: 200,
    input,
    check,
  };
}

/** @param {Printed} printed */
function check({ text, cuts: places, isCall }) {
  const bytes = Buffer.from(text);
  const whole = linesOf([bytes]);
  insist(sameJson(whole.map(plainly), linesOf(inPieces(bytes, places)).map(plainly)), 'other lines when cut');
  let at = 0;
  for (const raw of linesIn(bytes)) {
    const line = raw.toString('utf8').trim();
    if (raw.length === 0 || (raw.length <= PARSE_BYTES && line === '')) continue;
    const found = whole[at++];
    insist(found, 'a line is missing');
    if (raw.length > PARSE_BYTES) checkLong(found, raw, isCall);
    else checkShort(found, line);
  }
  insist(at === whole.length, 'a line too many');
  insistUnpolluted();
}

/** @param {Line} found @param {string} line */
function checkShort(found, line) {
  const value = line.startsWith('{') ? parsed(line) : undefined;
  if (value === undefined)
    insist(found.kind === 'noise' || found.kind === 'broken', 'what is no JSON was taken for a message');
  else insist(found.kind === 'message' && sameJson(found.value, value), 'another value than JSON has');
  if (found.kind === 'noise') insist(found.text.length <= 200, 'a long noise');
}

/** @param {Line} found @param {Buffer} raw @param {boolean} isCall */
function checkLong(found, raw, isCall) {
  if (found.kind !== 'large') return void insist(found.kind !== 'message', 'a long line was parsed');
  const standIn = standInFor(found, isCall);
  if ('reason' in standIn)
    return void insist(standIn.code === 'too_large' || standIn.code === 'tool_unavailable', 'another fault');
  const value = /** @type {any} */ (parsed(raw.toString('utf8')));
  if (!('result' in standIn)) return;
  const large = /** @type {any} */ (standIn.result)._meta?.[LARGE_KEY];
  if (large === undefined || value === undefined) return;
  const parts = /** @type {any} */ (parsed(Buffer.concat(large.parts).toString('utf8')));
  insist(sameJson(parts?.content, value.result?.content ?? []), 'another content than JSON has');
  insist(sameJson(parts?.structured, value.result?.structuredContent), 'another structure than JSON has');
  insist(sameJson(standIn.id, value.id), 'another id than JSON has');
}

/** @param {readonly Buffer[]} pieces */
function linesOf(pieces) {
  /** @type {Line[]} */
  const lines = [];
  const reader = new MessageLines((line) => lines.push(line), MAX_BYTES);
  for (const piece of pieces) reader.push(piece);
  return lines;
}

/** What is told of a line, whatever pieces it is kept in; the noise of a long one is what lies in its first piece. @param {Line} line */
function plainly(line) {
  if (line.kind === 'large')
    return { ...line, chunks: Buffer.concat(line.chunks), spans: [...line.spans.spans] };
  return line.kind === 'noise' ? { kind: line.kind } : line;
}

/** Those that end, without their ends. @param {Buffer} bytes */
function linesIn(bytes) {
  const lines = [];
  for (let at = 0, end = bytes.indexOf(10); end >= 0; at = end + 1, end = bytes.indexOf(10, at))
    lines.push(bytes.subarray(at, end));
  return lines;
}

/** @param {string} text */
function parsed(text) {
  try {
    return /** @type {unknown} */ (JSON.parse(text));
  } catch {
    return undefined;
  }
}

const id = fc.oneof(fc.integer(), hostileText, hostileValue);
const message = fc.oneof(
  fc.record({ jsonrpc: fc.constant('2.0'), id, result: hostileValue }),
  fc.record({
    jsonrpc: fc.constant('2.0'),
    id,
    result: fc.record(
      {
        content: hostileValue,
        structuredContent: hostileValue,
        isError: fc.oneof(fc.boolean(), hostileValue),
        resultType: hostileText,
        _meta: hostileValue,
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ id, error: hostileValue, jsonrpc: hostileText }),
  hostileValue,
);
const json = message.map((value) => JSON.stringify(value) ?? 'null');
/** White space that makes a line one that is not parsed at once. */
const long = json.map((text) => text.replace('{', `{${' '.repeat(PARSE_BYTES)}`));
const line = fc.oneof(
  { weight: 80, arbitrary: json },
  { weight: 80, arbitrary: edited(json) },
  { weight: 40, arbitrary: hostileText },
  {
    weight: 1,
    arbitrary: fc.oneof(
      long,
      edited(long),
      long.map((text) => text + text),
    ),
  },
);
/** @type {fc.Arbitrary<Printed>} */
const input = fc.record({
  text: fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .array(line, { maxLength: 4 })
        .map((lines) => Buffer.from(lines.map((one) => `${one}\n`).join(''))),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
  ),
  cuts,
  isCall: fc.boolean(),
});
