import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../support/project-root.js';
import { type Answer, type ServerProcess, startServer } from '../support/start-server.js';
import { verifies } from './verifies.js';

let server: ServerProcess;
let answer: Answer;

beforeAll(async () => {
  server = await startServer();
  await server.call('write_workspace_file', { filename: 'tickets.csv', content: program('tickets.csv') });
  answer = await server.call('execute_code', { code: program('support-tickets.py') });
});

test(verifies('PROGRAM-1', 'a program as models write them gives the right value'), () => {
  expect(answer.data).toMatchObject({
    success: true,
    result: {
      tickets: 5,
      urgency: { late: 1, 'in time': 2, open: 1, slow: 1 },
      mean_hours: { 'Ada Lovelace': 6.5, 'Alan Turing': 0.75, 'Grace Hopper': 25.5 },
      tags: ['billing', 'eu', 'login', 'outage'],
      longest: 4,
    },
  });
});

test(verifies('PROGRAM-1', 'a program as models write them prints what it prints elsewhere'), () => {
  expect(answer.data.output).toBe(
    'line 6: skipped (ValueError)\nline 7: skipped (ValueError)\n5 tickets,   1 late, 4 tags',
  );
});

test(
  verifies(['PROGRAM-1', 'FILES-1'], 'the file it writes through pathlib is in the workspace'),
  async () => {
    expect(answer.data.files_changed).toMatchObject([{ path: 'reports/first.json', change: 'created' }]);
    const file = await server.call('read_workspace_file', { filename: 'reports/first.json' });
    expect(JSON.parse(String(file.data.content))).toEqual({
      id: 1,
      customer: 'Ada Lovelace',
      opened: '2025-03-01 08:00:00',
      closed: '2025-03-01 14:30:00',
      tags: ['outage', 'eu'],
    });
  },
);

function program(file: string): string {
  return readFileSync(path.join(PROJECT_ROOT, 'test', 'e2e', 'programs', file), 'utf8');
}
