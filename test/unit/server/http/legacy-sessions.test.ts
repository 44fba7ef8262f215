import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LegacySessions } from '../../../../src/server/http/legacy-sessions.js';
import { SessionLimit } from '../../../../src/server/http/session-limit.js';
import { INITIALIZE } from '../../../support/http-server.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const create = (limit: SessionLimit, max = 100) =>
  new LegacySessions({
    limit,
    max,
    createServer: () => new McpServer({ name: 'test', version: '1' }, { capabilities: { tools: {} } }),
  });

async function send(
  sessions: LegacySessions,
  body: unknown,
  id?: string,
  ended: Promise<void> = Promise.resolve(),
) {
  const headers = new Headers({
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  });
  if (id !== undefined) headers.set('mcp-session-id', id);
  const request = new Request('http://localhost/mcp', { method: 'POST', headers });
  const answer = await sessions.answer({ request, body, ended });
  await answer.text();
  return { status: answer.status, id: answer.headers.get('mcp-session-id') ?? '' };
}

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

test('a full server closes the longest idle session of the principal, but none used within a minute', async () => {
  const sessions = create(new SessionLimit(100), 2);
  const first = await send(sessions, INITIALIZE);
  vi.advanceTimersByTime(1_000);
  const second = await send(sessions, INITIALIZE);
  vi.advanceTimersByTime(58_000);
  expect((await send(sessions, INITIALIZE)).status).toBe(429);
  vi.advanceTimersByTime(2_000);
  expect((await send(sessions, INITIALIZE)).status).toBe(200);
  expect((await send(sessions, PING, first.id)).status).toBe(404);
  expect((await send(sessions, PING, second.id)).status).toBe(200);
});

test('a session with an open exchange is not closed, neither for another nor as idle', async () => {
  const sessions = create(new SessionLimit(100), 1);
  const { id } = await send(sessions, INITIALIZE);
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  await send(sessions, PING, id, ended);
  vi.advanceTimersByTime(3_600_000);
  await sessions.closeIdle(Date.now() - 1_000);
  expect((await send(sessions, INITIALIZE)).status).toBe(429);
  expect((await send(sessions, PING, id)).status).toBe(200);
  end();
  await ended;
  vi.advanceTimersByTime(2_000);
  await sessions.closeIdle(Date.now() - 1_000);
  expect((await send(sessions, PING, id)).status).toBe(404);
});

test('all principals together have a limit, and nobody loses a session to another principal', async () => {
  const limit = new SessionLimit(2);
  const ann = create(limit);
  const bob = create(limit);
  const { id } = await send(ann, INITIALIZE);
  await send(ann, INITIALIZE);
  vi.advanceTimersByTime(3_600_000);
  expect((await send(bob, INITIALIZE)).status).toBe(503);
  expect((await send(ann, PING, id)).status).toBe(200);
  await ann.close();
  expect((await send(bob, INITIALIZE)).status).toBe(200);
});

test('an initialize that is refused takes no room', async () => {
  const limit = new SessionLimit(1);
  const sessions = create(limit);
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  expect((await sessions.answer({ request, body: INITIALIZE, ended: Promise.resolve() })).status).toBe(406);
  expect(limit.isReached).toBe(false);
  expect((await send(sessions, INITIALIZE)).status).toBe(200);
  expect(limit.isReached).toBe(true);
});
