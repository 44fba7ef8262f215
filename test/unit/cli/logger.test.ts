import { expect, test } from 'vitest';
import { createLogger } from '../../../src/cli/logger.js';
import type { LogLevel } from '../../../src/core/logger.js';

function collect(options: { level?: LogLevel; readable?: boolean; mask?: (line: string) => string } = {}) {
  const lines: string[] = [];
  const sink = { write: (line: string) => void lines.push(line) };
  const { level = 'info', readable = false, mask = (line: string) => line } = options;
  return { log: createLogger({ level, readable, mask, sink }), lines };
}

test('a line is one JSON object with level, time, fields and message', () => {
  const { log, lines } = collect();
  log.warn({ runId: 'r1', ms: 3 }, 'slow run');
  const { time, ...rest } = JSON.parse(lines[0] ?? '');
  expect(rest).toEqual({ level: 'warn', runId: 'r1', ms: 3, msg: 'slow run' });
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('on a terminal a line is readable', () => {
  const { log, lines } = collect({ readable: true });
  log.info({}, 'started');
  log.error({ code: 3 }, 'failed');
  expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d/, 'T'))).toEqual([
    'T info  started\n',
    'T error failed {"code":3}\n',
  ]);
});

test.each([
  ['silent', []],
  ['error', ['e']],
  ['warn', ['w', 'e']],
  ['info', ['i', 'w', 'e']],
  ['debug', ['d', 'i', 'w', 'e']],
] as const)('level %s logs %j', (level, expected) => {
  const { log, lines } = collect({ level });
  log.debug({}, 'd');
  log.info({}, 'i');
  log.warn({}, 'w');
  log.error({}, 'e');
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(expected);
});

test('fields that never belong in a log are hidden, at the top and one level down', () => {
  const { log, lines } = collect();
  log.info({ token: 'a1', server: { env: { X: 'b2' }, name: 'n' } }, 'm');
  const { token, server } = JSON.parse(lines[0] ?? '');
  expect({ token, server }).toEqual({ token: '***', server: { env: '***', name: 'n' } });
});

test.each([false, true])('every line passes the mask (readable: %s)', (readable) => {
  const { log, lines } = collect({ readable, mask: (line) => line.replaceAll('hunter22', '***') });
  log.info({ path: '/x/hunter22' }, 'at hunter22');
  expect(lines.join('')).not.toContain('hunter22');
  expect(lines.join('')).toContain('at ***');
});
