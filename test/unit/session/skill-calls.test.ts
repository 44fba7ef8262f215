import { expect, test, vi } from 'vitest';
import type { SkillAccess } from '../../../src/session/skill-access.js';
import { isSkillCall, SkillCalls } from '../../../src/session/skill-calls.js';
import type { HostFrame } from '../../../src/wire/frames.js';
import { workerMessageSchema } from '../../../src/wire/messages.js';
import { draft, memorySkills } from '../../support/memory-skills.js';
import type { Reply } from './fake-tools.js';
import { FakeWorker } from './fake-worker.js';

type Op = 'skill' | 'skills' | 'save_skill';

async function channel(change: (skills: SkillAccess) => SkillAccess = (skills) => skills) {
  const { skills, store } = memorySkills();
  await skills.save('local', draft('area', { code: 'def area(x):\n    return 1\n' }), {});
  await skills.save('local', draft('area', { code: 'def area(x):\n    return 2\n', overwrite: true }), {});
  const replies: Reply[] = [];
  const worker = new FakeWorker(() => undefined);
  worker.send = ({ message, payload }: HostFrame) => {
    if (message.type !== 'reply') throw new Error(`a ${message.type} frame`);
    const { type: _, ...reply } = message;
    replies.push({ ...reply, text: Buffer.from(payload).toString() });
  };
  const calls = new SkillCalls({ access: change(skills), worker, principal: 'local', runId: 'run1' });
  let id = 0;
  const send = (op: Op, name: string, body: unknown = {}, as = ++id) =>
    calls.handle({
      message: { type: 'call', id: as, op, name },
      payload: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    });
  const ask = async (op: Op, name: string, body?: unknown): Promise<Reply & { value?: unknown }> => {
    const before = replies.length;
    send(op, name, body);
    await vi.waitFor(() => expect(replies.length).toBeGreaterThan(before), 20_000);
    const reply = replies[before] ?? { id: 0, ok: false, text: '' };
    return { ...reply, ...(reply.text === '' ? {} : { value: JSON.parse(reply.text).value }) };
  };
  return { calls, send, ask, replies, store };
}

test('frames of skills are told from those of tools, and pass the schema of the wire', () => {
  const frame = (op: string) =>
    workerMessageSchema.parse({ type: 'call', id: 1, op, name: 'x' }) as Parameters<typeof isSkillCall>[0];
  const ops = ['tool', 'search', 'describe', 'names', 'skill', 'skills', 'save_skill'];
  expect(ops.map((op) => isSkillCall(frame(op)))).toEqual([false, false, false, false, true, true, true]);
});

test('the source of the newest and of a former version comes with its entry', async () => {
  const { ask } = await channel();
  expect((await ask('skill', 'area')).value).toEqual({
    name: 'area',
    version: 2,
    code: 'def area(x):\n    return 2\n',
    entry: 'area',
  });
  expect((await ask('skill', 'area', { version: 1 })).value).toMatchObject({
    version: 1,
    code: 'def area(x):\n    return 1\n',
  });
});

test('a run that uses a skill many times has used it once', async () => {
  const { ask, store } = await channel();
  await ask('skill', 'area');
  await ask('skill', 'area', { version: 1 });
  await vi.waitFor(() => expect(store.uses).toEqual(['area']), 20_000);
});

test('a skill or version that does not exist is told in the words of the store', async () => {
  const { ask } = await channel();
  expect(await ask('skill', 'nope')).toMatchObject({
    ok: false,
    code: 'not_found',
    message: 'There is no skill "nope".',
    hint: 'List the skills to see what there is.',
  });
  expect(await ask('skill', 'area', { version: 9 })).toMatchObject({ code: 'not_found' });
  expect(await ask('skill', 'area', { version: 'x' })).toMatchObject({ code: 'bad_arguments' });
});

test('skills are listed by name, or found by words', async () => {
  const { ask } = await channel();
  expect((await ask('skills', '', { names: true })).value).toEqual(['area']);
  expect((await ask('skills', '', { query: 'zebra' })).value).toEqual([]);
  expect((await ask('skills', '', { query: 'area', limit: 5 })).value).toEqual([
    {
      name: 'area',
      description: 'Does what it does.',
      signature: 'area(x)',
      version: 2,
      updated: '2026-12-02T10:00:00.000Z',
      uses: 0,
      tags: [],
    },
  ]);
});

test('a save from code is one of its run and is noted in its report', async () => {
  const { ask, store, calls } = await channel();
  const body = { ...draft('net', { code: 'def net(x):\n    return tools.missing.tool()\n' }) };
  expect((await ask('save_skill', 'net', body)).value).toEqual({
    name: 'net',
    version: 1,
    signature: 'net(x)',
    requires_tools: ['missing.tool'],
    missing_tools: ['missing.tool'],
    missing_skills: [],
    notes: [],
  });
  expect(store.saved.at(-1)?.provenance).toEqual({ principal: 'local', run: 'run1' });
  expect(calls.notes).toEqual(['saved the skill net (version 1)']);
});

test('a refused save tells why', async () => {
  const { ask } = await channel();
  expect(await ask('save_skill', 'area', draft('area'))).toMatchObject({ ok: false, code: 'exists' });
  expect(await ask('save_skill', 'json', draft('json'))).toMatchObject({
    code: 'bad_name',
    hint: 'Use json_skill.',
  });
});

test.each<[string, Op, unknown]>([
  ['no JSON', 'skill', '{'],
  ['no object', 'skills', '[]'],
  ['code that is no text', 'save_skill', { code: 1, description: 'x' }],
  ['no description', 'save_skill', { code: 'x' }],
])('%s is bad arguments', async (_, op, body) => {
  expect(await (await channel()).ask(op, 'area', body)).toMatchObject({ ok: false, code: 'bad_arguments' });
});

test('odd kinds in a frame count as absent', async () => {
  const { ask, store } = await channel();
  const body = { code: 'def f(x): pass', description: 'd', tags: 'x', overwrite: 'yes', test: 1 };
  await ask('save_skill', 'f', body);
  expect(store.saved.at(-1)).toMatchObject({ tags: [], overwrite: false });
  expect((await ask('skills', '', { query: 5, limit: 'x', names: 'yes' })).value).toHaveLength(2);
});

test('a run saves at most twenty times', async () => {
  const { ask } = await channel();
  for (let at = 0; at < 20; at++) expect((await ask('save_skill', `s${at}`, draft(`s${at}`))).ok).toBe(true);
  expect(await ask('save_skill', 's20', draft('s20'))).toMatchObject({
    code: 'call_budget',
    message: 'the run has saved skills 20 times, all that it may',
  });
});

test('a fault of the server is told without its words', async () => {
  const { ask } = await channel((skills) => ({
    ...skills,
    load: () => Promise.reject(new Error('secret path')),
  }));
  expect(await ask('skill', 'area')).toEqual({
    id: 1,
    ok: false,
    code: 'internal',
    retryable: false,
    message: 'the server failed to answer this',
    text: '',
  });
});

test('at the deadline whoever waits is told so once, what comes later at once, and a save is stopped', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const { calls, send, replies } = await channel((skills) => ({
    ...skills,
    save: (_principal, _draft, { signal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    },
  }));
  send('save_skill', 'x', draft('x'));
  calls.expire();
  send('skill', 'area');
  expect(replies.map(({ id, code }) => [id, code])).toEqual([
    [1, 'timeout'],
    [2, 'timeout'],
  ]);
  expect(signals[0]?.aborted).toBe(true);
});

test('after the end of the run nothing is heard or said', async () => {
  const { calls, send, replies } = await channel();
  send('skill', 'area');
  calls.close();
  send('skill', 'area');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(replies).toEqual([]);
});

test('more than four at the same time are refused, and an id in use is not heard twice', async () => {
  const { send, replies } = await channel((skills) => ({
    ...skills,
    load: () => new Promise(() => undefined),
  }));
  for (const id of [1, 1, 2, 3, 4, 5]) send('skill', 'area', {}, id);
  expect(replies.map(({ id, code }) => [id, code])).toEqual([[5, 'busy']]);
});
