import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Session, SessionTable } from '../../../src/session/session-table.js';
import { FakeWorker } from '../sandbox/fake-worker.js';

interface FakeSession extends Session {
  readonly worker: FakeWorker;
}

const session = (name: string, fields: Partial<Session> = {}, principal = 'me'): FakeSession => ({
  principal,
  name,
  busy: false,
  ended: false,
  usedAt: Date.now(),
  seenWorkspace: '',
  ...fields,
  worker: new FakeWorker(),
});
const table = (maxSessions = 3, idleMs = 600_000) => new SessionTable({ maxSessions, idleMs });
const errorOf = (call: () => unknown): unknown => {
  try {
    return call();
  } catch (error) {
    return error;
  }
};

afterEach(() => vi.useRealTimers());

describe('a table of sessions', () => {
  test('finds a session by principal and name, which cannot be played against each other', () => {
    const sessions = table();
    const mine = session('a');
    sessions.add(mine);
    expect(sessions.find('me', 'a')).toBe(mine);
    expect(sessions.find('you', 'a')).toBeUndefined();
    expect(sessions.find('me","a', '')).toBeUndefined();
    expect(sessions.find('__proto__', 'constructor')).toBeUndefined();
    expect(sessions.size).toBe(1);
  });

  test('refuses a busy one', () => {
    const sessions = table();
    sessions.add(session('a', { busy: true }));
    expect(errorOf(() => sessions.find('me', 'a'))).toMatchObject({ code: 'busy', hint: expect.any(String) });
  });

  test('tells once why a session is gone, and then knows it no more', async () => {
    const sessions = table();
    const dead = session('a');
    sessions.add(dead);
    dead.worker.exit();
    await turn();
    expect(sessions.size).toBe(0);
    expect(errorOf(() => sessions.find('me', 'a'))).toMatchObject({
      code: 'session_broken',
      message: 'session "a" is gone: its interpreter ended',
    });
    expect(sessions.find('me', 'a')).toBeUndefined();
  });

  test('leaves it to the run to tell when the worker ends under it', async () => {
    const sessions = table();
    const running = session('a', { busy: true });
    sessions.add(running);
    running.worker.exit();
    await turn();
    expect(running.ended).toBe(true);
    await sessions.close(running, undefined);
    expect(sessions.find('me', 'a')).toBeUndefined();
  });

  test('forgets the epitaph when the name is used again', async () => {
    const sessions = table();
    const first = session('a');
    sessions.add(first);
    await sessions.close(first, 'for a reason');
    const second = session('a');
    sessions.add(second);
    expect(sessions.find('me', 'a')).toBe(second);
    await sessions.close(first, 'for a reason');
    expect(sessions.find('me', 'a'), 'closing the old one does not close the new one').toBe(second);
  });

  test('makes room by closing the session that was idle longest, and tells its owner', async () => {
    const sessions = table(2);
    const old = session('old', { usedAt: Date.now() - 300_000 });
    const older = session('older', { usedAt: Date.now() - 400_000 });
    sessions.add(old);
    sessions.add(older);
    await sessions.makeRoom('me');
    expect(older.worker.calls).toEqual(['kill']);
    expect(old.worker.calls).toEqual([]);
    expect(errorOf(() => sessions.find('me', 'older'))).toMatchObject({
      code: 'session_broken',
      message: expect.stringContaining('make room'),
    });
  });

  test('closes neither busy nor fresh sessions to make room', async () => {
    const sessions = table(2);
    sessions.add(session('busy', { busy: true, usedAt: 0 }));
    sessions.add(session('fresh'));
    await expect(sessions.makeRoom('me')).rejects.toMatchObject({
      code: 'busy',
      message: '2 sessions are open, the most this server keeps',
    });
    expect(sessions.size).toBe(2);
  });

  test('a principal that holds more than another gives one back to it, never below what that one then has', async () => {
    const sessions = table(3);
    const first = session('first', { usedAt: Date.now() - 2_000 }, 'crowd');
    sessions.add(session('newest', {}, 'crowd'));
    sessions.add(first);
    sessions.add(session('running', { busy: true, usedAt: 0 }, 'crowd'));
    await sessions.makeRoom('me');
    expect(first.worker.calls).toEqual(['kill']);
    sessions.add(session('mine'));
    await expect(sessions.makeRoom('me')).rejects.toMatchObject({ code: 'busy' });
    await expect(sessions.makeRoom('crowd')).rejects.toMatchObject({ code: 'busy' });
    expect(sessions.size).toBe(3);
  });

  test('closes what nobody used for the idle time, and keeps what is busy or in use', async () => {
    vi.useFakeTimers();
    const sessions = table(5, 120_000);
    const idle = session('idle');
    const busy = session('busy', { busy: true });
    const used = session('used');
    for (const one of [idle, busy, used]) sessions.add(one);
    await vi.advanceTimersByTimeAsync(60_000);
    used.usedAt = Date.now();
    await vi.advanceTimersByTimeAsync(61_000 + 60_000);
    expect([idle, busy, used].map((one) => one.worker.calls)).toEqual([['kill'], [], []]);
    expect(errorOf(() => sessions.find('me', 'idle'))).toMatchObject({
      message: 'session "idle" is gone: nobody used it for 2 minutes',
    });
    await sessions.closeAll();
  });

  test('remembers 1,000 epitaphs and no more', async () => {
    const sessions = table();
    for (let n = 0; n <= 1_000; n++) {
      const one = session(`s${n}`);
      sessions.add(one);
      await sessions.close(one, 'x');
    }
    expect(sessions.find('me', 's0')).toBeUndefined();
    expect(errorOf(() => sessions.find('me', 's1'))).toMatchObject({ code: 'session_broken' });
  });

  test('closes all, without a word to anybody', async () => {
    const sessions = table();
    const both = [session('a'), session('b', { busy: true })];
    for (const one of both) sessions.add(one);
    await sessions.closeAll();
    expect(both.map((one) => one.worker.calls)).toEqual([['kill'], ['kill']]);
    expect([sessions.size, sessions.find('me', 'a')]).toEqual([0, undefined]);
  });
});
