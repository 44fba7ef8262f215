import { expect, test } from 'vitest';
import { PrincipalService } from '../../../../src/server/http/principal-service.js';
import { SessionLimit } from '../../../../src/server/http/session-limit.js';
import { listedTools } from '../../../../src/server/listed-tools.js';
import type { ServerDeps } from '../../../../src/server/server-deps.js';
import type { SkillAccess } from '../../../../src/session/skill-access.js';
import { INITIALIZE, modern } from '../../../support/http-server.js';
import { connect } from '../harness.js';

/** A service, and the listeners for changes that it has at the moment. */
async function open() {
  const listeners = new Set<() => void>();
  const skills = {
    onChange(_principal: string, listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  } as SkillAccess;
  const deps: ServerDeps = { ...(await connect()).deps, skills };
  const options = { tools: listedTools(deps), sessions: new SessionLimit(5), maxSessions: 5 };
  const service = new PrincipalService(deps, 'ann', options);
  const send = (
    body: unknown,
    more: Record<string, string> = {},
    ended: Promise<void> = Promise.resolve(),
  ) => {
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...more,
    };
    const request = new Request('http://localhost/mcp', { method: 'POST', headers });
    return service.answer({ request, body, ended });
  };
  return { service, listeners, send };
}

test('requests of the modern era leave no listener behind, and those of a session go with it', async () => {
  const { service, listeners, send } = await open();
  expect(listeners.size).toBe(1);
  const list = modern('tools/list');
  const listen = modern('subscriptions/listen', { notifications: { resourcesListChanged: true } });
  for (const { body, headers } of [list, list, listen]) expect((await send(body, headers)).status).toBe(200);
  expect(listeners.size).toBe(1);
  expect((await send(INITIALIZE)).status).toBe(200);
  expect(listeners.size).toBe(2);
  await service.close();
  expect(listeners.size).toBe(0);
});

test('a change reaches the stream that listens for it', async () => {
  const { service, listeners, send } = await open();
  const { body, headers } = modern('subscriptions/listen', { notifications: { resourcesListChanged: true } });
  const answer = await send(body, headers);
  for (const listener of listeners) listener();
  await service.close();
  expect((await answer.text()).match(/"method":"[^"]+"/g)).toEqual([
    '"method":"notifications/subscriptions/acknowledged"',
    '"method":"notifications/resources/list_changed"',
  ]);
});

test('one principal has at most 256 exchanges open', async () => {
  const { service, send } = await open();
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { body, headers } = modern('tools/list');
  for (let i = 0; i < 256; i++) expect((await send(body, headers, ended)).status).toBe(200);
  const refused = await send(body, headers);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  end();
  await ended;
  expect((await send(body, headers)).status).toBe(200);
  await service.close();
});
