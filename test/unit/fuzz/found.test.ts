import { expect, test } from 'vitest';
import { checkArguments } from '../../../src/catalog/python/check-arguments.js';
import { exampleCall } from '../../../src/catalog/python/example-call.js';
import { pythonLiteral } from '../../../src/catalog/python/literal.js';
import { pythonIdentifier } from '../../../src/catalog/python/names.js';
import { pythonType, WHOLE } from '../../../src/catalog/python/python-type.js';
import { FULL, signatureText } from '../../../src/catalog/python/signature.js';
import { inspectConfig } from '../../../src/config/load.js';
import type { JsonSchema } from '../../../src/core/tool.js';
import { JsonSpans } from '../../../src/downstream/json-spans.js';
import { type Line, MessageLines, PARSE_BYTES } from '../../../src/downstream/message-lines.js';
import { fakeHost, USER } from '../config/fake-host.js';

/** Inputs that fuzzing has found: each broke a promise once (design/fuzzing.md). */

const inUserFile = (text: string) => inspectConfig({}, fakeHost({ [USER]: text }));

test('an entry of a server that is nested 3,000 levels deep is a problem of the file', async () => {
  const { problems } = await inUserFile(
    `{"mcpServers":{"a":{"privacy":${'['.repeat(3_000)}${']'.repeat(3_000)}}}}`,
  );
  expect(problems.map(({ message }) => message)).toEqual(['the file is nested too deeply']);
});

test('a URL with a "%" that begins no escape is taken, and its user is masked', async () => {
  const { loaded } = await inUserFile('{"mcpServers":{"a":{"url":"https://%ffsecret:x@host/"}}}');
  expect(loaded?.config.servers[0]).toMatchObject({ name: 'a', secrets: ['%ffsecret'] });
  expect(JSON.stringify(loaded?.shown)).not.toContain('secret');
});

test('a list in the section "sandbox" is frozen like the rest', async () => {
  const { loaded } = await inUserFile('{"sandbox":{"pool":3}}');
  expect(Object.isFrozen(loaded?.config.sandbox.preload)).toBe(true);
});

test.each<[string, unknown, number, string]>([
  ['a list', [[{ a: 9007199254740992 }, -10000, null]], 40, '[[{"a": 9007199254740992}, -10000, ...]]'],
  ['a string', 'x" in "y', 7, '"x..."'],
  ['an escape', '\ud800\ud800', 11, '"\\ud800..."'],
  ['a number that Python has no word for', [Number.POSITIVE_INFINITY], 40, '[None]'],
])('%s that is cut leaves no bracket or string open', (_what, value, most, expected) => {
  expect(pythonLiteral(value, most)).toBe(expected);
});

test('a string with " | " in it is one value of a type, not two types', () => {
  expect(pythonType({ anyOf: [{ const: 'a | b' }, { type: 'null' }] }, WHOLE)).toBe(
    'Literal["a | b"] | None',
  );
});

test('the name of an argument that is none in Python stands in quotes, and cannot forge a line', () => {
  const name = 'a: str) -> x\n# ';
  const schema: JsonSchema = { properties: { [name]: { type: 'string' }, ok: {} }, required: [name] };
  const quoted = '"a: str) -> x\\n# "';
  expect(signatureText('x.y', schema, undefined, FULL)).toBe(`x.y(${quoted}: str, ok?: Any)`);
  expect(exampleCall('x.y', schema)).toBe(`tools.call("x.y", {${quoted}: ${quoted}})`);
  expect(checkArguments('y', schema, ['v'], {})).toEqual({ ok: true, args: { [name]: 'v' } });
});

test.each([
  ['\u{1f469}\u200d\u{1f680}', 'unnamed'],
  ['a\u200db', 'a_b'],
  ['a\ufe0f', 'a'],
  ['\u3164x', 'x'],
])('the name %j becomes %s: what nobody sees tells no two names apart', (name, expected) => {
  expect(pythonIdentifier(name)).toBe(expected);
});

/** @param pieces of a stream */
function linesOf(pieces: readonly string[], maxBytes: number): Line[] {
  const lines: Line[] = [];
  const reader = new MessageLines((line) => lines.push(line), maxBytes);
  for (const piece of pieces) reader.push(Buffer.from(piece));
  return lines;
}

const LONG = ' '.repeat(PARSE_BYTES);

test('a message over the cap is told by its id, also when it comes in one piece', () => {
  const text = `{${LONG}${LONG}"jsonrpc":"2.0","id":7,"result":{}}\n`;
  expect(linesOf([text], 2 * PARSE_BYTES)).toMatchObject([
    { kind: 'broken', fault: { code: 'too_large' }, idText: '7' },
  ]);
});

test('a long message is one, also when its first piece is white space', () => {
  const pieces = ['  ', `{${LONG}"jsonrpc":"2.0","id":7,"result":{}}\n`];
  expect(linesOf(pieces, 2 * PARSE_BYTES)).toMatchObject([{ kind: 'large', spans: { idText: '7' } }]);
});

test('the id of a long message keeps letters beyond ASCII', () => {
  const spans = new JsonSpans();
  for (const byte of Buffer.from('{"id":"\u00e9\u{1f600}","result":{}}')) spans.feed(Uint8Array.of(byte));
  expect(spans.idText).toBe('"\u00e9\u{1f600}"');
});
