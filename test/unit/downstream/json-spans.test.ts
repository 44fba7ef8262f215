import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonSpans } from '../../../src/downstream/json-spans.js';

/** The parts as JSON values, from the text fed in pieces of the given size. */
function spansOf(text: string, size = 7): { parts: Record<string, unknown>; scan: JsonSpans } {
  const bytes = Buffer.from(text, 'utf8');
  const scan = new JsonSpans();
  for (let at = 0; at < bytes.length; at += size) scan.feed(bytes.subarray(at, at + size));
  const parts = [...scan.spans].map(([name, { start, end }]) => [
    name,
    JSON.parse(bytes.subarray(start, end).toString('utf8')),
  ]);
  return { parts: Object.fromEntries(parts), scan };
}

test('finds the parts of a message and of its result, wherever the id stands', () => {
  const text =
    ' {"result" : { "content":[{"id":9,"result":{"content":1}}] , "isError":true },"id": "a:\\"7,", "jsonrpc":"2.0"} ';
  const { parts, scan } = spansOf(text);
  expect(parts).toEqual({
    'result.content': [{ id: 9, result: { content: 1 } }],
    'result.isError': true,
    result: { content: [{ id: 9, result: { content: 1 } }], isError: true },
    id: 'a:"7,',
    jsonrpc: '2.0',
  });
  expect([scan.complete, scan.deepest, JSON.parse(scan.idText)]).toEqual([true, 5, 'a:"7,']);
});

test('agrees with JSON.parse on any message, in pieces of any size', () => {
  const message = fc.record({
    jsonrpc: fc.constant('2.0'),
    id: fc.oneof(fc.integer(), fc.string({ maxLength: 20 })),
    result: fc.dictionary(fc.constantFrom('content', 'structuredContent', 'isError', 'x'), fc.jsonValue()),
  });
  fc.assert(
    fc.property(message, fc.integer({ min: 1, max: 50 }), fc.boolean(), (value, size, pretty) => {
      const text = JSON.stringify(value, null, pretty ? 2 : 0);
      const { parts, scan } = spansOf(text, size);
      const expected = JSON.parse(text);
      for (const [key, member] of Object.entries(expected)) expect(parts[key]).toEqual(member);
      for (const [key, member] of Object.entries(expected.result))
        expect(parts[`result.${key}`]).toEqual(member);
      expect(scan.complete).toBe(true);
      expect(JSON.parse(scan.idText)).toEqual(expected.id);
    }),
  );
});

test('keys inside strings, lists and deeper objects are no keys', () => {
  const { parts } = spansOf('{"a":"\\"id\\":1,","b":["id",":",2],"params":{"id":3},"id":4}');
  expect(parts).toEqual({ a: '"id":1,', b: ['id', ':', 2], params: { id: 3 }, id: 4 });
});

test('an open message is not complete, and any bytes are survived', () => {
  expect(spansOf('{"id":1,"result":{').scan.complete).toBe(false);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const scan = new JsonSpans();
      scan.feed(bytes);
      expect(scan.spans.size).toBeLessThan(101);
    }),
  );
});
