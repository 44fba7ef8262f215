import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { imageBytes, MAX_SHOWN_BYTES } from '../../../src/server/images/image-bytes.js';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, 'latin1');
  out.set(data, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}

function header(width = 2, height = 1): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = 8;
  return chunk('IHDR', data);
}

const PIXELS = chunk('IDAT', deflateSync(Buffer.from([0, 1, 2])));
const PNG = Buffer.concat([SIGNATURE, header(), PIXELS, chunk('IEND')]);
const SECRET = Buffer.from('jane.doe@example.org');

/** A segment of a JPEG: marker, length, data. */
function segment(marker: number, data: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(2 + data.length, 2);
  return Buffer.concat([head, data]);
}

const SOI = Buffer.from([0xff, 0xd8]);
const EOI = Buffer.from([0xff, 0xd9]);
const TABLE = segment(0xdb, Buffer.alloc(65));
const FRAME = segment(0xc0, Buffer.from([8, 0, 3, 0, 5, 1, 1, 0x11, 0]));
const HUFFMAN = segment(0xc4, Buffer.alloc(20));
const ADOBE = segment(0xee, Buffer.from('Adobe\0\x64\0\0\0\0\x01', 'latin1'));
// With a stuffed byte and a restart in it.
const SCAN = Buffer.concat([
  segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  Buffer.from('12ff0034ffd356', 'hex'),
]);

describe('a PNG', () => {
  test('without anything else comes as it is, with its size', () => {
    const shown = imageBytes(PNG);
    expect(shown).toMatchObject({ mimeType: 'image/png', width: 2, height: 1 });
    expect(Buffer.from(shown?.bytes ?? []).equals(PNG)).toBe(true);
  });

  test('loses its texts, times, profiles, unknown chunks and what follows its end', () => {
    const extra = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME', 'iCCP', 'prVt'].map((type) => chunk(type, SECRET));
    const source = Buffer.concat([SIGNATURE, header(), ...extra, PIXELS, ...extra, chunk('IEND'), SECRET]);
    expect(Buffer.from(imageBytes(source)?.bytes ?? []).equals(PNG)).toBe(true);
  });

  test('keeps its palette and transparency', () => {
    const source = Buffer.concat([
      SIGNATURE,
      header(),
      chunk('PLTE', Buffer.alloc(6)),
      chunk('tRNS', Buffer.alloc(2)),
      PIXELS,
      chunk('IEND'),
    ]);
    expect(Buffer.from(imageBytes(source)?.bytes ?? []).equals(source)).toBe(true);
  });

  test.each<[string, Buffer]>([
    ['only a header', SIGNATURE],
    ['a text behind the header', Buffer.concat([SIGNATURE, SECRET])],
    ['no pixels', Buffer.concat([SIGNATURE, header(), chunk('IEND')])],
    ['no end', PNG.subarray(0, -12)],
    ['a chunk that is longer than the file', Buffer.concat([SIGNATURE, header(), PIXELS.subarray(0, -5)])],
    ['a second header', Buffer.concat([SIGNATURE, header(), header(), PIXELS, chunk('IEND')])],
    ['something before its header', Buffer.concat([SIGNATURE, PIXELS, header(), chunk('IEND')])],
    ['no width', Buffer.concat([SIGNATURE, header(0, 1), PIXELS, chunk('IEND')])],
    ['8,001 pixels in height', Buffer.concat([SIGNATURE, header(1, 8_001), PIXELS, chunk('IEND')])],
    [
      'too many bytes',
      Buffer.concat([SIGNATURE, header(), chunk('IDAT', Buffer.alloc(MAX_SHOWN_BYTES)), chunk('IEND')]),
    ],
    [
      'a flood of empty chunks',
      Buffer.concat([
        SIGNATURE,
        header(),
        ...Array<Buffer>(20_001).fill(chunk('IDAT')),
        PIXELS,
        chunk('IEND'),
      ]),
    ],
  ])('with %s is not shown', (_what, source) => {
    expect(imageBytes(source)).toBeUndefined();
  });
});

describe('a JPEG', () => {
  const jpeg = (...parts: Buffer[]) => Buffer.concat([SOI, ...parts, EOI]);
  const plain = jpeg(TABLE, FRAME, HUFFMAN, SCAN);

  test('without anything else comes as it is, with its size', () => {
    const shown = imageBytes(plain);
    expect(shown).toMatchObject({ mimeType: 'image/jpeg', width: 5, height: 3 });
    expect(Buffer.from(shown?.bytes ?? []).equals(plain)).toBe(true);
  });

  test('loses its application segments, comments and what follows its end, and keeps how colours are stored', () => {
    const extra = [segment(0xe1, SECRET), segment(0xfe, SECRET), segment(0xee, SECRET)];
    const source = Buffer.concat([
      jpeg(...extra, ADOBE, TABLE, ...extra, FRAME, HUFFMAN, SCAN, ...extra),
      SECRET,
    ]);
    const shown = Buffer.from(imageBytes(source)?.bytes ?? []);
    expect(shown.equals(jpeg(ADOBE, TABLE, FRAME, HUFFMAN, SCAN))).toBe(true);
  });

  test('in several scans keeps them all', () => {
    const source = jpeg(TABLE, FRAME, SCAN, HUFFMAN, SCAN);
    expect(Buffer.from(imageBytes(source)?.bytes ?? []).equals(source)).toBe(true);
  });

  test.each<[string, Buffer]>([
    ['only a header', Buffer.from([0xff, 0xd8, 0xff])],
    ['no size', jpeg(TABLE, HUFFMAN, SCAN)],
    ['no pixels', jpeg(TABLE, FRAME)],
    ['no end', plain.subarray(0, -2)],
    [
      'a segment that is longer than the file',
      Buffer.concat([SOI, FRAME, Buffer.from([0xff, 0xdb, 0xff, 0xff])]),
    ],
    ['a segment without its length', Buffer.concat([SOI, FRAME, Buffer.from([0xff, 0xdb, 0, 1])])],
    ['text between its segments', jpeg(TABLE, SECRET, FRAME, SCAN)],
  ])('with %s is not shown', (_what, source) => {
    expect(imageBytes(source)).toBeUndefined();
  });
});

test.each<[string, Buffer]>([
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0', 'latin1')],
  ['a WebP', Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1')],
  ['a text', SECRET],
  ['nothing', Buffer.alloc(0)],
])('%s is not shown', (_what, source) => {
  expect(imageBytes(source)).toBeUndefined();
});
