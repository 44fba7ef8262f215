import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CodeExecutionError } from '../../../src/core/errors.js';
import {
  encodeFrame,
  FrameReader,
  MAX_HEADER_BYTES,
  MAX_PAYLOAD_BYTES,
  type WorkerFrame,
} from '../../../src/wire/frames.js';
import { workerFrame } from './worker-frame.js';

const path = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const message = fc.oneof(
  fc.record({ type: fc.constant('out'), stream: fc.constantFrom('stdout', 'stderr') }),
  fc.record({ type: fc.constant('folder'), path }),
  fc.record({ type: fc.constant('remove'), path }),
  fc.record({ type: fc.constant('file'), path, offset: fc.nat(), last: fc.boolean() }),
  fc.record({ type: fc.constant('read'), id: fc.nat(), path, ahead: fc.array(path, { maxLength: 3 }) }),
  fc.record({ type: fc.constant('ready'), python: fc.constant('3.14.2') }),
);
const payload = fc.uint8Array({ maxLength: 300 });
const stream = fc.array(fc.tuple(message, payload), { maxLength: 8 });

/** Feeds bytes cut at the given places. */
function feed(bytes: Uint8Array, cuts: readonly number[]): WorkerFrame[] {
  const reader = new FrameReader();
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).flatMap((end, index) => reader.push(bytes.subarray(places[index], end)));
}

const plain = (frames: readonly WorkerFrame[]) => frames.map((frame) => [frame.message, [...frame.payload]]);

describe('the reader of frames', () => {
  test('gives the same frames however the stream is cut', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 20 }), (sent, cuts) => {
        const bytes = Buffer.concat(sent.map(([header, body]) => workerFrame(header, body)));
        expect(plain(feed(bytes, cuts))).toEqual(sent.map(([header, body]) => [header, [...body]]));
      }),
    );
  });

  test('gives the same frames byte by byte, also when more bytes wait than chunks are kept', () => {
    const body = Uint8Array.from({ length: 20_000 }, (_, n) => n % 251);
    const bytes = Buffer.concat([
      workerFrame({ type: 'out', stream: 'stdout' }, body),
      workerFrame({ type: 'folder', path: 'next' }),
    ]);
    const reader = new FrameReader();
    const frames = [...bytes].flatMap((byte) => reader.push(Uint8Array.of(byte)));
    expect(plain(frames)).toEqual([
      [{ type: 'out', stream: 'stdout' }, [...body]],
      [{ type: 'folder', path: 'next' }, []],
    ]);
  });

  test('answers any bytes with frames, with waiting or with `crashed`, and after that with `crashed` only', () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      // A right prefix, so that headers of noise are reached.
      fc.uint8Array({ minLength: 2, maxLength: 60 }).map((header) => workerFrame(header)),
      fc.json().map((text) => workerFrame(Buffer.from(text.padEnd(2)))),
    );
    fc.assert(
      fc.property(fc.array(noise, { maxLength: 4 }), (chunks) => {
        const reader = new FrameReader();
        let broken = false;
        for (const chunk of chunks) {
          try {
            reader.push(chunk);
            expect(broken).toBe(false);
          } catch (error) {
            broken = true;
            expect(error).toMatchObject({ name: 'CodeExecutionError', code: 'crashed' });
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test('takes payloads as views, so that what a worker sends is held once', () => {
    const bytes = workerFrame({ type: 'out', stream: 'stdout' }, Buffer.from('abc'));
    const [frame] = new FrameReader().push(bytes);
    expect(frame?.payload.buffer).toBe(bytes.buffer);
  });

  test.each<[string, number, number]>([
    ['a header beyond the cap', MAX_HEADER_BYTES + 1, 0],
    ['a payload beyond the cap', 2, MAX_PAYLOAD_BYTES + 1],
    ['4 GB', 0xffffffff, 0xffffffff],
    ['a header of one byte', 1, 0],
    ['a header of none', 0, 4],
  ])('refuses %s by the prefix alone, before there is anything to hold', (_what, header, body) => {
    const prefix = Buffer.alloc(8);
    prefix.writeUInt32BE(header, 0);
    prefix.writeUInt32BE(body, 4);
    expect(() => new FrameReader().push(prefix)).toThrow(CodeExecutionError);
  });

  test('waits for a frame at the caps', () => {
    const prefix = Buffer.alloc(8);
    prefix.writeUInt32BE(MAX_HEADER_BYTES, 0);
    prefix.writeUInt32BE(MAX_PAYLOAD_BYTES, 4);
    expect(new FrameReader().push(prefix)).toEqual([]);
  });

  const done = { type: 'done', id: 'x', notes: [], variables: [], names: [] };
  test('takes a done with nothing but its lists', () => {
    expect(new FrameReader().push(workerFrame(done))[0]?.message).toEqual(done);
  });

  test.each<[string, unknown]>([
    ['no object', [done]],
    ['null', null],
    ['no type', { path: 'a' }],
    ['an unknown type', { type: 'exec' }],
    ['the name of a method', { type: 'constructor' }],
    ['a message of the host', { type: 'reply', id: 1, ok: true }],
    ['an unknown field', { type: 'folder', path: 'a', principal: 'root' }],
    ['a field named __proto__', Buffer.from('{"type":"folder","path":"a","__proto__":{"polluted":1}}')],
    ['a field named constructor', { ...done, constructor: { prototype: { polluted: 1 } } }],
    ['a number for a path', { type: 'folder', path: 7 }],
    ['an empty path', { type: 'folder', path: '' }],
    ['a path of 5,000 characters', { type: 'folder', path: 'x'.repeat(5_000) }],
    ['a negative offset', { type: 'file', path: 'a', offset: -1, last: true }],
    ['half an offset', { type: 'file', path: 'a', offset: 0.5, last: true }],
    ['an offset beyond 2**53', { type: 'file', path: 'a', offset: 2 ** 60, last: true }],
    ['an infinite number', Buffer.from('{"type":"progress","done":1e999}')],
    ['300 files ahead', { type: 'read', id: 1, path: 'a', ahead: Array(300).fill('a') }],
    ['an error code of the host', { ...done, error: { code: 'internal', type: 'x', message: 'x' } }],
    ['an image outside the workspace', { ...done, images: ['../figure-1.png'] }],
    ['an image in a folder', { ...done, images: ['a/figure-1.png'] }],
    ['an image with a name of its own', { ...done, images: ['jane@example.org.png'] }],
    ['21 images', { ...done, images: Array(21).fill('figure-1.png') }],
    [
      'a file of the value with a name of its own',
      { ...done, value: { type: 'x', truncated: true, file: 'a.csv' } },
    ],
    ['501 names', { ...done, names: Array(501).fill('a') }],
    ['a note of 1,001 characters', { ...done, notes: ['x'.repeat(1_001)] }],
    ['a header nested 500,000 deep', Buffer.from('['.repeat(500_000) + ']'.repeat(500_000))],
    ['bytes that are no UTF-8', Buffer.from('{"type":"folder","path":"\xff"}', 'latin1')],
    ['text that is no JSON', Buffer.from('{nonsense')],
  ])('refuses %s', (_what, header) => {
    expect(() => new FrameReader().push(workerFrame(header))).toThrow(/broke the protocol/);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('the writer of frames', () => {
  test('puts both lengths in front, big-endian, and does not copy the payload', () => {
    const body = Uint8Array.from([1, 2, 3]);
    const chunks = encodeFrame({ type: 'reply', id: 1, ok: true }, body);
    const header = '{"type":"reply","id":1,"ok":true}';
    expect(Buffer.concat(chunks)).toEqual(
      Buffer.concat([Buffer.from([0, 0, 0, header.length, 0, 0, 0, 3]), Buffer.from(header), body]),
    );
    expect(chunks.at(-1)).toBe(body);
  });

  test('counts bytes, not characters', () => {
    const [head] = encodeFrame({
      type: 'content',
      path: 'caf\u00e9\u{1f600}',
      offset: 0,
      size: 0,
      last: true,
    });
    expect(head?.length).toBe(8 + Buffer.from(head ?? []).readUInt32BE(0));
  });
});
