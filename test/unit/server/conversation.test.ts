import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  ANSWER_MS,
  type CallInTurns,
  Conversation,
  WaitingConversations,
} from '../../../src/server/conversation.js';
import type { RunProgress } from '../../../src/session/runner.js';
import type { ApprovalQuestion } from '../../../src/session/tool-access.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const question = (tool: string): ApprovalQuestion => ({ tool, argumentsText: '{}', reason: 'listed' });
const live = () => new AbortController().signal;
const silent = () => undefined;

/** The next turn, which is a question: its tool. */
async function asked<R>(conversation: Conversation<R>, signal = live()): Promise<string> {
  const turn = await conversation.next(signal, silent);
  if (turn.kind !== 'question') throw new Error('no question');
  return turn.question.tool;
}

test('work without questions is one turn, and begins with it', async () => {
  const work = vi.fn(async () => 42);
  const conversation = new Conversation(work);
  expect(work).not.toHaveBeenCalled();
  expect(await conversation.next(live(), silent)).toEqual({ kind: 'result', result: 42 });
  expect(work).toHaveBeenCalledTimes(1);
});

test('a question ends a turn, and its answer goes on with the same work', async () => {
  const work = vi.fn(async ({ ask }: CallInTurns) => [await ask(question('a')), await ask(question('b'))]);
  const conversation = new Conversation(work);
  const first = await conversation.next(live(), silent);
  expect(first).toEqual({
    kind: 'question',
    question: question('a'),
    state: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  conversation.answer('approved');
  const second = await conversation.next(live(), silent);
  expect(second).toMatchObject({ kind: 'question', question: { tool: 'b' } });
  expect('state' in first && 'state' in second && first.state !== second.state).toBe(true);
  conversation.answer('declined');
  expect(await conversation.next(live(), silent)).toEqual({
    kind: 'result',
    result: ['approved', 'declined'],
  });
  expect(work).toHaveBeenCalledTimes(1);
});

test('questions asked at the same time come one after the other, each with its own answer', async () => {
  const conversation = new Conversation(({ ask }) =>
    Promise.all(['a', 'b', 'c'].map((tool) => ask(question(tool)))),
  );
  const tools: string[] = [];
  for (const answer of ['approved', 'declined', 'approved'] as const) {
    tools.push(await asked(conversation));
    conversation.answer(answer);
  }
  expect(tools).toEqual(['a', 'b', 'c']);
  expect(await conversation.next(live(), silent)).toMatchObject({
    result: ['approved', 'declined', 'approved'],
  });
});

test('a question is answered once', async () => {
  const conversation = new Conversation(async ({ ask }) => [
    await ask(question('a')),
    await ask(question('b')),
  ]);
  await asked(conversation);
  conversation.answer('declined');
  conversation.answer('approved');
  expect(await asked(conversation)).toBe('b');
  conversation.answer('approved');
  expect(await conversation.next(live(), silent)).toMatchObject({ result: ['declined', 'approved'] });
});

test('a question that comes between two turns waits for the next', async () => {
  let askLater: () => void = silent;
  const conversation = new Conversation(async ({ ask }) => {
    const first = ask(question('a'));
    const second = new Promise((resolve) => {
      askLater = () => resolve(ask(question('b')));
    });
    return Promise.all([first, second]);
  });
  await asked(conversation);
  askLater();
  conversation.answer('approved');
  expect(await asked(conversation)).toBe('b');
});

test('a call that the client cancels is aborted, and its questions are declined', async () => {
  const answers: string[] = [];
  const conversation = new Conversation(async ({ ask, signal }) => {
    answers.push(...(await Promise.all([ask(question('a')), ask(question('b'))])));
    answers.push(await ask(question('c')), `aborted ${signal.aborted}`);
  });
  await asked(conversation);
  const request = new AbortController();
  const turn = conversation.next(request.signal, silent);
  request.abort();
  await turn;
  expect(answers).toEqual(['declined', 'declined', 'declined', 'aborted true']);
});

test('a request that is over when the turn begins cancels the call', async () => {
  const conversation = new Conversation(async ({ signal }) => signal.aborted);
  expect(await conversation.next(AbortSignal.abort(), silent)).toEqual({ kind: 'result', result: true });
});

test('a request that is over no longer cancels the call', async () => {
  let signal = live();
  const conversation = new Conversation(async (call) => {
    signal = call.signal;
    return call.ask(question('a'));
  });
  const first = new AbortController();
  await asked(conversation, first.signal);
  first.abort();
  expect(signal.aborted).toBe(false);
});

test('a person who does not answer has declined, and is not asked again', async () => {
  let answers: unknown;
  const conversation = new Conversation(async ({ ask }) => {
    answers = [...(await Promise.all([ask(question('a')), ask(question('b'))])), await ask(question('c'))];
  });
  await asked(conversation);
  await vi.advanceTimersByTimeAsync(ANSWER_MS - 1);
  expect(answers).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(answers).toEqual(['declined', 'declined', 'declined']);
});

test('the time to answer begins when the person is asked, not while others are answered', async () => {
  const conversation = new Conversation(({ ask }) => Promise.all([ask(question('a')), ask(question('b'))]));
  await asked(conversation);
  await vi.advanceTimersByTimeAsync(ANSWER_MS - 1);
  conversation.answer('approved');
  await asked(conversation);
  await vi.advanceTimersByTimeAsync(ANSWER_MS - 1);
  conversation.answer('approved');
  expect(await conversation.next(live(), silent)).toMatchObject({ result: ['approved', 'approved'] });
});

test('progress goes to the request of the moment, and to nobody between two', async () => {
  let step: (progress: RunProgress) => void = silent;
  const conversation = new Conversation(async ({ ask, progress }) => {
    step = progress;
    progress({ done: 1 });
    await ask(question('a'));
    progress({ done: 3 });
  });
  const first: RunProgress[] = [];
  const second: RunProgress[] = [];
  await conversation.next(live(), (one) => first.push(one));
  step({ done: 2 });
  conversation.answer('approved');
  await conversation.next(live(), (one) => second.push(one));
  expect([first, second]).toEqual([[{ done: 1 }], [{ done: 3 }]]);
});

test('work that fails fails its turn, also when it fails between two', async () => {
  const conversation = new Conversation(async ({ ask }) => {
    await ask(question('a'));
    throw new Error('broken');
  });
  await asked(conversation);
  conversation.answer('approved');
  await new Promise((resolve) => setImmediate(resolve));
  await expect(conversation.next(live(), silent)).rejects.toThrow('broken');
});

test('a waiting call is taken once, by its own tool and state only, and not after its time', () => {
  const waiting = new WaitingConversations<number>();
  const conversation = new Conversation(async () => 1);
  waiting.keep('s1', 'execute_code', conversation);
  expect(waiting.take('s2', 'execute_code')).toBeUndefined();
  expect(waiting.take('s1', 'search_tools')).toBeUndefined();
  expect(waiting.take('s1', 'execute_code')).toBe(conversation);
  expect(waiting.take('s1', 'execute_code')).toBeUndefined();
  waiting.keep('s3', 'execute_code', conversation);
  vi.advanceTimersByTime(ANSWER_MS);
  expect(waiting.take('s3', 'execute_code')).toBeUndefined();
});

test('when the client is gone, all calls that wait are cancelled', async () => {
  const waiting = new WaitingConversations<string>();
  const ends: string[] = [];
  for (const name of ['a', 'b']) {
    const conversation = new Conversation<string>(async ({ ask, signal }) => {
      ends.push(`${await ask(question(name))} ${signal.aborted}`);
      return '';
    });
    const turn = await conversation.next(live(), silent);
    if (turn.kind === 'question') waiting.keep(turn.state, 'execute_code', conversation);
  }
  waiting.cancelAll();
  await vi.waitFor(() => expect(ends).toEqual(['declined true', 'declined true']), 20_000);
});
