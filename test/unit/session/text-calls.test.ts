import { expect, test } from 'vitest';
import { TextCalls } from '../../../src/session/text-calls.js';
import type { HostFrame } from '../../../src/wire/frames.js';
import { FakeWorker } from './fake-worker.js';

class Recorder extends FakeWorker {
  readonly sent: HostFrame[] = [];
  override send(frame: HostFrame): void {
    this.sent.push(frame);
  }
}

function setUp(tokenise?: (principal: string, text: string) => Promise<string>) {
  const worker = new Recorder(() => undefined);
  const calls = new TextCalls({ privacy: tokenise && { tokenise }, worker, principal: 'p' });
  const ask = (id: number, body: unknown) =>
    calls.handle({
      message: { type: 'call', id, op: 'tokenise', name: '' },
      payload: Buffer.from(JSON.stringify(body)),
    });
  const replies = async (count: number) => {
    await expect.poll(() => worker.sent.length).toBe(count);
    return worker.sent.map(({ message, payload }) => [message, Buffer.from(payload).toString()]);
  };
  return { calls, ask, replies, worker };
}

test('texts are tokenised for the principal of the channel, one after the other', async () => {
  const { ask, replies } = setUp(async (principal, text) => `${principal}:${text}`);
  ask(1, { text: 'a' });
  ask(2, { text: 'b', principal: 'other' });
  expect(await replies(2)).toEqual([
    [{ type: 'reply', id: 1, ok: true }, '{"value":"p:a"}'],
    [{ type: 'reply', id: 2, ok: true }, '{"value":"p:b"}'],
  ]);
});

test('what is no text is refused, and with privacy off the code is told so', async () => {
  const { ask, replies } = setUp(async (_, text) => text);
  ask(1, { text: 7 });
  expect((await replies(1))[0]?.[0]).toMatchObject({ ok: false, code: 'bad_arguments' });
  const off = setUp();
  off.ask(1, { text: 'a' });
  expect((await off.replies(1))[0]?.[0]).toMatchObject({ ok: false, code: 'config_error' });
});

test('a loop without end comes to the end of its budget', async () => {
  const { ask, replies } = setUp(async () => 'x');
  const text = 'x'.repeat(8 * 1024 * 1024);
  for (let id = 1; id <= 5; id++) ask(id, { text });
  const all = await replies(5);
  expect(all.map(([message]) => (message as { ok: boolean }).ok)).toEqual([true, true, true, false, false]);
  expect(all.at(-1)?.[0]).toMatchObject({ code: 'call_budget' });
});

test('a fault of the server is told by a neutral sentence, and after the end nothing is sent', async () => {
  const { ask, replies, calls, worker } = setUp(async () => {
    throw new Error('value ann@x.test');
  });
  ask(1, { text: 'a' });
  const [first] = await replies(1);
  expect(first?.[0]).toMatchObject({
    ok: false,
    code: 'internal',
    message: 'the server failed to answer this',
  });
  calls.close();
  ask(2, { text: 'a' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(worker.sent).toHaveLength(1);
});
