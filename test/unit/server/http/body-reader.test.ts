import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type Body, BodyReader } from '../../../../src/server/http/body-reader.js';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A server that reads bodies; `send` writes a body in parts and gives what came of it. */
async function open(reader: BodyReader) {
  const server = createServer(async (incoming, outgoing) => {
    const body: Body = await reader.read(incoming);
    outgoing.statusCode = 'refused' in body ? body.refused.status : 200;
    outgoing.end('refused' in body ? await body.refused.text() : JSON.stringify(body.value));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const { port } = server.address() as AddressInfo;
  return (parts: readonly (string | Buffer)[], headers = {}, pause?: Promise<unknown>) =>
    new Promise<[number | undefined, unknown]>((resolve, reject) => {
      const outgoing = request({
        port,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
      });
      outgoing.on('error', reject);
      outgoing.on('response', (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve([answer.statusCode, JSON.parse(text)]));
      });
      const write = async () => {
        for (const part of parts) {
          outgoing.write(part);
          await pause;
        }
        outgoing.end();
      };
      void write();
    });
}

test('a body in parts, cut within a character, is put together', async () => {
  const send = await open(new BodyReader());
  const bytes = Buffer.from('{"name":"Zoë"}');
  expect(await send([bytes.subarray(0, 12), bytes.subarray(12)])).toEqual([200, { name: 'Zoë' }]);
});

test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
  'the type %s is taken',
  async (type) => {
    expect(await (await open(new BodyReader()))(['7'], { 'content-type': type })).toEqual([200, 7]);
  },
);

test.each(['text/plain', 'application/jsonx', 'multipart/form-data', ''])(
  'the type "%s" is refused',
  async (type) => {
    expect((await (await open(new BodyReader()))(['7'], { 'content-type': type }))[0]).toBe(415);
  },
);

test('bytes that are no UTF-8 are no JSON', async () => {
  const [status, error] = await (await open(new BodyReader()))([Buffer.from([0x22, 0xff, 0x22])]);
  expect([status, error]).toMatchObject([400, { error: { code: -32_700 } }]);
});

test('what comes without a length is refused at the cap, with the cap and the next step', async () => {
  const send = await open(new BodyReader(1_000));
  const [status, error] = await send(['"', 'x'.repeat(2_000), '"'], { 'transfer-encoding': 'chunked' });
  expect(status).toBe(413);
  expect(error).toMatchObject({
    error: {
      message:
        'the body has more than 1000 bytes; send large content in parts (write_workspace_file, mode append)',
    },
  });
  expect(await send([JSON.stringify('x'.repeat(998))])).toEqual([200, 'x'.repeat(998)]);
});

test('all bodies together have a cap, which is free again when they are read', async () => {
  const send = await open(new BodyReader(1_000, 1_500));
  let resume = (): void => undefined;
  const paused = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const slow = send([`"${'x'.repeat(900)}`, '"'], {}, paused);
  await expect
    .poll(async () => (await send([JSON.stringify('y'.repeat(900))]))[0], { interval: 20 })
    .toBe(503);
  resume();
  expect((await slow)[0]).toBe(200);
  expect((await send([JSON.stringify('y'.repeat(900))]))[0]).toBe(200);
});

test('a client that leaves gives back its share', async () => {
  const reader = new BodyReader(1_000, 1_000);
  const server = createServer((incoming) => void reader.read(incoming).catch(() => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const { port } = server.address() as AddressInfo;
  const leaving = request({ port, method: 'POST', headers: { 'content-type': 'application/json' } });
  leaving.on('error', () => undefined);
  leaving.write('x'.repeat(900));
  await delay(50);
  leaving.destroy();
  const send = await open(reader);
  await expect
    .poll(async () => (await send([JSON.stringify('y'.repeat(900))]))[0], { interval: 20 })
    .toBe(200);
});
