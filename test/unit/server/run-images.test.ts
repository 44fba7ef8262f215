import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { RunReport } from '../../../src/core/outcome.js';
import { connect, printed, report } from './harness.js';

/** The smallest PNG: one grey pixel, with a comment in it. */
function png(comment = ''): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.from('00000001000000010800000000', 'hex')),
    ...(comment === '' ? [] : [chunk('tEXt', Buffer.from(comment))]),
    chunk('IDAT', deflateSync(Buffer.from([0, 128]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const block = (bytes: Buffer) => ({ type: 'image', data: bytes.toString('base64'), mimeType: 'image/png' });

/** A run that has written `files`, names `images` and has no value. */
async function answerOf(files: Record<string, Buffer>, images: string[], more: Partial<RunReport> = {}) {
  const filesChanged = Object.entries(files).map(([path, bytes]) => ({
    path,
    change: 'created' as const,
    size: bytes.length,
  }));
  const server = await connect({ run: () => report({ kind: 'value' }, { filesChanged, images, ...more }) });
  for (const [path, bytes] of Object.entries(files)) server.workspace.put(path, bytes);
  return server.call('execute_code', { code: '1' });
}

test('a picture of a run comes as an image, is named in the text, and no missing result is told', async () => {
  const { content, text, structured } = await answerOf({ 'figure-1.png': png() }, ['figure-1.png']);
  expect(content.slice(1)).toEqual([block(png())]);
  const wrote = `wrote figure-1.png (${png().length} bytes)`;
  expect(text).toBe(`ok · 0.84 s · ${wrote}\nimages: figure-1.png (1 x 1)`);
  expect(structured.images).toEqual([{ path: 'figure-1.png', shown: true }]);
});

test('a comment in a picture does not leave', async () => {
  const { content } = await answerOf({ 'figure-1.png': png('Comment\0jane@example.org') }, ['figure-1.png']);
  expect(content.slice(1)).toEqual([block(png())]);
});

test('four pictures are shown, in the order of the run; how to see the others is told', async () => {
  const names = [3, 1, 2, 5, 4].map((n) => `image-${n}.png`);
  const files = Object.fromEntries([...names].sort().map((name) => [name, png()]));
  const { content, text } = await answerOf(files, names);
  expect(content.slice(1)).toEqual(Array(4).fill(block(png())));
  expect(text.split('\n').slice(1)).toEqual([
    'images: image-3.png (1 x 1), image-1.png (1 x 1), image-2.png (1 x 1), image-5.png (1 x 1)',
    'not shown: image-4.png, an answer shows 4 images: read_workspace_file image-4.png',
  ]);
});

test.each<[string, Buffer, string]>([
  ['a text', Buffer.from('jane@example.org'), 'it is too large, or no PNG or JPEG'],
  ['a GIF', Buffer.from('GIF89a'), 'it is too large, or no PNG or JPEG'],
  ['a huge file', Buffer.concat([png(), Buffer.alloc(2 * 1024 * 1024)]), 'it is too large'],
])('%s under the name of a picture is not shown, and the answer says why', async (_what, bytes, reason) => {
  const { content, text, structured } = await answerOf({ 'image-1.png': bytes }, ['image-1.png']);
  expect(content).toHaveLength(1);
  expect(text.split('\n').at(-1)).toBe(`not shown: image-1.png, ${reason}: read_workspace_file image-1.png`);
  expect(structured.images).toEqual([{ path: 'image-1.png', shown: false }]);
});

test('a picture that the run did not write is neither shown nor named', async () => {
  const server = await connect({ run: () => report({ kind: 'value' }, { images: ['figure-1.png'] }) });
  server.workspace.put('figure-1.png', png());
  const { content, structured } = await server.call('execute_code', { code: '1' });
  expect(content).toHaveLength(1);
  expect(structured.images).toBeUndefined();
});

test('None beside a picture is not worth a line; printed text is', async () => {
  const none = { kind: 'value', value: { json: 'null', type: 'NoneType', truncated: false } } as const;
  const files = { 'figure-1.png': png() };
  const shown = await answerOf(files, ['figure-1.png'], { outcome: none, output: printed('drawn\n') });
  expect(shown.text.split('\n').slice(1)).toEqual(['output:', 'drawn', 'images: figure-1.png (1 x 1)']);
  const silent = await answerOf(files, ['figure-1.png'], { outcome: none });
  expect(silent.text.split('\n').slice(1)).toEqual(['images: figure-1.png (1 x 1)']);
});
