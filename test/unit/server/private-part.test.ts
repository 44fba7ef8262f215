import { expect, test } from 'vitest';
import type { Privacy } from '../../../src/privacy/privacy.js';
import { connect } from './harness.js';

const VALUE = '4111 1111 1111 1111';

/** Knows one value, and finds it only where it stands whole. */
const hiddenIn: Privacy['hiddenIn'] = async (_principal, text) =>
  [...text.matchAll(/4111 1111 1111 1111/g)].map(({ index }) => ({
    start: index,
    end: index + VALUE.length,
    token: 'PIICARD',
  }));

async function reader(content: string) {
  const server = await connect({ privacy: { hiddenIn } });
  server.workspace.put('f', content);
  return async (offset: number, limit: number, encoding = 'auto') =>
    (await server.call('read_workspace_file', { filename: 'f', offset, limit, encoding })).structured.content;
}

test('a value that the edge of a part cuts is a token in both parts', async () => {
  const read = await reader(`äöü a ${VALUE} b`);
  expect(await read(0, 15)).toBe('äöü a PIICARD');
  expect(await read(15, 100)).toBe('PIICARD b');
  expect(await read(14, 5)).toBe('PIICARD');
});

test('a value far behind the start of a file is found with the text around it', async () => {
  const read = await reader(`${'x'.repeat(10_000)} ${VALUE}${'y'.repeat(10_000)}`);
  expect(await read(10_005, 4)).toBe('PIICARD');
  expect(await read(9_999, 4)).toBe('x PIICARD');
});

test('the bytes of a text that holds values are those of the text with its tokens', async () => {
  const read = await reader(`a ${VALUE} b`);
  expect(Buffer.from(String(await read(0, 100, 'base64')), 'base64').toString()).toBe('a PIICARD b');
});

test('without a value a part is as it was written', async () => {
  const read = await reader('äöü plain');
  expect(await read(1, 100)).toBe('öü plain');
  expect(Buffer.from(String(await read(0, 100, 'base64')), 'base64').toString()).toBe('äöü plain');
});
