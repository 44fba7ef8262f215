import { describe, expect, test } from 'vitest';
import type { WorkerExit } from '../../../src/sandbox/sandbox.js';
import { endedByWorker, outcomeOf, stopped } from '../../../src/session/outcomes.js';
import type { RunRequest } from '../../../src/session/runner.js';

const request: RunRequest = { code: '1', context: {}, timeoutMs: 1_500, memoryMb: 128 };
const inSession: RunRequest = { ...request, session: 'work' };
const NO_TEXT = new Uint8Array(0);
const done = (fields: object) =>
  ({ type: 'done', id: 'x', notes: [], variables: [], names: [], ...fields }) as Parameters<
    typeof outcomeOf
  >[0];
const exit = (reason: WorkerExit['reason']): WorkerExit => ({
  reason,
  code: 1,
  signal: null,
  detail: 'for the log',
});

describe('the outcome of an answer', () => {
  test('is its value, or none', () => {
    expect(outcomeOf(done({}), NO_TEXT)).toEqual({ kind: 'value' });
    expect(outcomeOf(done({ value: { type: 'int', truncated: true } }), Buffer.from('42'))).toEqual({
      kind: 'value',
      value: { json: '42', type: 'int', truncated: true },
    });
  });

  test.each([
    ['syntax_error', 'raised'],
    ['python_error', 'raised'],
    ['import_denied', 'raised'],
    ['timeout', 'timedOut'],
    ['memory_limit', 'limited'],
    ['output_limit', 'limited'],
    ['disk_limit', 'limited'],
  ])('of the code %s is %s', (code, kind) => {
    expect(outcomeOf(done({ error: { code, type: 'X', message: 'm' } }), NO_TEXT)).toEqual({
      kind,
      error: { code, type: 'X', message: 'm' },
    });
  });

  test('is an error if it claims both, with every field that came', () => {
    const error = {
      code: 'python_error',
      type: 'X',
      message: 'm',
      line: 1,
      source: 's',
      hint: 'h',
      traceback: 't',
    };
    expect(outcomeOf(done({ value: { type: 'int', truncated: false }, error }), Buffer.from('1'))).toEqual({
      kind: 'raised',
      error,
    });
  });
});

describe('the outcome of an end that the host made', () => {
  test.each([
    ['timeout', 'timedOut', /after 1.5 s/],
    ['cancelled', 'cancelled', /cancelled/],
    ['output_limit', 'limited', /16 MiB/],
  ] as const)('for %s is %s', (reason, kind, text) => {
    const outcome = stopped(reason, request);
    expect(outcome).toMatchObject({ kind, error: { code: reason, message: expect.stringMatching(text) } });
    expect(stopped(reason, inSession)).toMatchObject({
      error: { hint: expect.stringContaining('session "work" are gone') },
    });
  });
});

describe('the outcome of a worker that is gone', () => {
  test.each([
    ['memory', 'limited', 'memory_limit'],
    ['exited', 'crashed', 'crashed'],
    ['killed', 'crashed', 'crashed'],
    ['protocol', 'crashed', 'crashed'],
  ] as const)('by %s is %s', (reason, kind, code) => {
    const outcome = endedByWorker(exit(reason), request);
    expect(outcome).toMatchObject({ kind, error: { code, hint: expect.any(String) } });
    expect(JSON.stringify(outcome)).not.toContain('for the log');
    expect(endedByWorker(exit(reason), inSession)).toMatchObject({
      error: { hint: expect.stringContaining('"work"') },
    });
  });
});
