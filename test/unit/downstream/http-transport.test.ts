import { expect, test } from 'vitest';
import { cappedFetch } from '../../../src/downstream/http-transport.js';

/** A `fetch` that answers with these chunks. */
function answering(type: string, chunks: readonly string[]): typeof fetch {
  return async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': type } });
  };
}

test('an answer up to the cap passes, a longer one ends with an error', async () => {
  const base = answering('application/json', ['12345', '67890']);
  expect(await (await cappedFetch(base, 10)('http://a/')).text()).toBe('1234567890');
  await expect((await cappedFetch(base, 9)('http://a/')).text()).rejects.toThrow(
    'an answer of more than 9 bytes',
  );
});

test('a stream may be endless, one event in it may not', async () => {
  const event = 'data: 12\n\n';
  const many = answering(
    'text/event-stream; charset=utf-8',
    Array.from({ length: 100 }, () => event),
  );
  expect((await (await cappedFetch(many, 20)('http://a/')).text()).length).toBe(1_000);
  const long = answering('text/event-stream', [event, ...Array.from({ length: 10 }, () => 'data: 12\n')]);
  await expect((await cappedFetch(long, 20)('http://a/')).text()).rejects.toThrow(
    'an answer of more than 20 bytes',
  );
});

test('status, headers and address of an answer are kept', async () => {
  const base = async () => new Response('x', { status: 401, headers: { 'www-authenticate': 'Bearer' } });
  const response = await cappedFetch(base, 10)('http://a/');
  expect([response.status, response.headers.get('www-authenticate'), response.url]).toEqual([
    401,
    'Bearer',
    '',
  ]);
});
