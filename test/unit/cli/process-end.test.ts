import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { type ProcessEvents, watchProcessEnd } from '../../../src/cli/process-end.js';
import type { Logger } from '../../../src/core/logger.js';

/** A process whose exit ends nothing, and all that happened in order. */
function fakeProcess() {
  const events: string[] = [];
  const exits: Array<(code: number) => void> = [];
  const exited = new Promise<number>((resolve) => exits.push(resolve));
  const stdout = Object.assign(new EventEmitter(), {
    write: (_: string, done: () => void) => {
      events.push('flush');
      done();
    },
  });
  const emitter = Object.assign(new EventEmitter(), {
    stdout,
    stderr: { write: (text: string) => events.push(`stderr ${text}`) },
    exit: (code: number) => {
      events.push(`exit ${code}`);
      for (const resolve of exits) resolve(code);
    },
  });
  const record = (level: string) => (fields: Record<string, unknown>, message: string) => {
    events.push(`${level} ${message} ${JSON.stringify(Object.keys(fields))} ${fields.error ?? ''}`.trim());
  };
  const logger: Logger = {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  };
  const app = {
    close: () => {
      events.push('close');
      return Promise.resolve();
    },
  };
  const mask = (text: string) => text.replaceAll('hunter22', '***');
  return {
    emitter,
    stdout,
    events,
    exited,
    logger,
    app,
    end: watchProcessEnd(emitter as unknown as ProcessEvents, mask),
  };
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('%s closes the app, then exits with %i', async (signal, code) => {
  const { emitter, events, exited, end, app, logger } = fakeProcess();
  end.closeOnExit(app, logger);
  emitter.emit(signal);
  expect(await exited).toBe(code);
  expect(events).toEqual(['info ended by a signal ["signal"]', 'close', `exit ${code}`]);
});

test('the ordinary end waits for what was printed', async () => {
  const { events, exited, end } = fakeProcess();
  end.exit(1);
  expect([await exited, events]).toEqual([1, ['flush', 'exit 1']]);
});

test('the ordinary end leaves the exit code to a signal that came first', async () => {
  const { emitter, events, exited, end, app, logger } = fakeProcess();
  end.closeOnExit(app, logger);
  emitter.emit('SIGTERM');
  end.exit(0);
  expect([await exited, events.filter((event) => event.startsWith('exit'))]).toEqual([143, ['exit 143']]);
});

test('a second signal does not wait for the app', async () => {
  const { emitter, events, exited, end, logger } = fakeProcess();
  end.closeOnExit({ close: () => new Promise(() => {}) }, logger);
  emitter.emit('SIGINT');
  emitter.emit('SIGINT');
  expect(await exited).toBe(130);
  expect(events.filter((event) => event.startsWith('exit'))).toEqual(['exit 130']);
});

test('a signal before there is an app exits at once', async () => {
  const { emitter, exited } = fakeProcess();
  emitter.emit('SIGTERM');
  expect(await exited).toBe(143);
});

test('a reader of standard output that is gone ends the process quietly', async () => {
  const { stdout, events, exited, end, app, logger } = fakeProcess();
  end.closeOnExit(app, logger);
  stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  expect(await exited).toBe(0);
  expect(events).toEqual(['close', 'exit 0']);
});

test.each(['uncaughtException', 'unhandledRejection'])(
  '%s is logged without the properties of the error, exit 3',
  async (kind) => {
    const { emitter, events, exited, end, app, logger } = fakeProcess();
    end.closeOnExit(app, logger);
    emitter.emit(kind, Object.assign(new TypeError('bad'), { code: 'E_BAD', env: { TOKEN: 'hunter22' } }));
    expect(await exited).toBe(3);
    expect(events).toEqual([
      'error ended by an error that nobody caught ["error","code","stack"] TypeError',
      'close',
      'exit 3',
    ]);
  },
);

test('an error before there is a logger goes to standard error, masked', async () => {
  const { emitter, events, exited } = fakeProcess();
  emitter.emit('uncaughtException', new Error('cannot use hunter22'));
  expect(await exited).toBe(3);
  expect(events[0]).toMatch(/^stderr code-execution-mcp: Error: cannot use \*\*\*\n/);
});

test('a thrown value that is no error is not printed', async () => {
  const { emitter, events, exited } = fakeProcess();
  emitter.emit('unhandledRejection', { token: 'hunter22' });
  expect(await exited).toBe(3);
  expect(events[0]).toBe('stderr code-execution-mcp: a thrown object\n');
});
