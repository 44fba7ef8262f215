// @ts-check
/** Results of tools: from what the server sent to what Python gets, and the arguments on the way there. */
import fc from 'fast-check';
import { seenShape } from '../../dist/catalog/python/seen-shape.js';
import { unwrap } from '../../dist/downstream/unwrap.js';
import { hashOf, parseBody } from '../../dist/session/call-arguments.js';
import { encodedResult } from '../../dist/session/tool-result.js';
import { edited, hostileText, hostileValue, objectOf } from '../support/hostile.mjs';
import { attempt, insist, insistUnpolluted, sameJson } from '../support/oracle.mjs';

/** @typedef {{ result: unknown, body: Uint8Array }} Sent */

const MAX_BYTES = 20_000;
const TYPES = ['text', 'image', 'audio', 'resource', 'resource_link'];

/** @returns {Promise<import('../support/campaign.mjs').Target<Sent>>} */
export async function open() {
  return {
    promise:
      'any result becomes JSON with its value or its parts, or is refused as too large, and any payload arguments or `bad_arguments`',
    runs: 500,
    input,
    check,
  };
}

/** @param {Sent} sent */
function check({ result, body }) {
  const { value: unwrapped } = attempt(['too_large', 'tool_unavailable'], () =>
    unwrap(result, MAX_BYTES, true),
  );
  if (unwrapped) {
    const { content, structured } = unwrapped;
    insist(
      content.every((part) => TYPES.includes(part.type)),
      'a part of an unknown type',
    );
    insist(
      content.every((part) => Object.values(part).every((one) => typeof one === 'string')),
      'a field that is no text',
    );
    const { json, value } = encodedResult(unwrapped);
    const read = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json));
    insist(['value', 'parts'].includes(Object.keys(read).join()), 'neither value nor parts');
    const hasMedia = content.some((part) => part.type === 'image' || part.type === 'audio');
    if (structured !== undefined && !hasMedia)
      insist(sameJson(read.value, plain(structured)), 'another value than was sent');
    if ('value' in read) insist(sameJson(read.value, plain(value)), 'another value than is noted');
    insist(typeof seenShape(value) === 'object', 'a value without a shape');
  }
  const { value: args } = attempt(['bad_arguments'], () => parseBody(body));
  if (args) insist(/^[0-9a-f]{16}$/.test(hashOf(args)), 'arguments without a hash');
  insistUnpolluted();
}

/** As JSON can hold it. @param {unknown} value @returns {unknown} */
function plain(value) {
  return JSON.parse(JSON.stringify(value) ?? 'null');
}

const json = hostileValue.map((value) => JSON.stringify(value) ?? 'null');
/** Halves of surrogate pairs as they are, not as JSON writes them. */
const rawHalves = hostileText.map((text) =>
  JSON.stringify({ a: `\ud800${text}` }).replaceAll('\\ud800', '\ud800'),
);
const part = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.oneof(hostileText, json, edited(json), rawHalves) }),
  fc.record({
    type: fc.constantFrom('image', 'audio'),
    data: fc.oneof(hostileText, hostileValue),
    mimeType: hostileValue,
  }),
  fc.record({
    type: fc.constant('resource'),
    resource: fc.oneof(
      hostileValue,
      fc.record({ uri: hostileText, text: hostileValue, blob: hostileText }, { requiredKeys: [] }),
    ),
  }),
  fc.record({ type: fc.constantFrom('resource_link', 'other'), uri: hostileValue, name: hostileValue }),
  hostileValue,
);
const result = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      {
        content: fc.oneof(fc.array(part, { maxLength: 3 }), hostileValue),
        structuredContent: hostileValue,
        isError: fc.oneof(fc.boolean(), hostileValue),
        _meta: objectOf(fc.constantFrom('code-execution-mcp/large', 'x'), hostileValue),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: hostileValue },
);
/** @type {fc.Arbitrary<Sent>} */
const input = fc.record({
  result,
  body: fc.oneof(
    fc.oneof(json, edited(json), hostileText).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 30 }),
  ),
});
