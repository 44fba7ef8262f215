import { expect, test } from 'vitest';
import { RefusalLog } from '../../../../src/server/http/refusal-log.js';

test('a status is told once a minute, with the number that was not', () => {
  const lines: object[] = [];
  let now = 0;
  const log = new RefusalLog({ warn: (fields) => lines.push(fields), error: () => undefined }, () => now);
  log.note(401, 'no token');
  log.note(401, 'no token');
  log.note(403, 'Host');
  log.note(401, 'no token');
  now = 60_000;
  log.note(401, 'no token');
  log.note(401, 'no token');
  expect(lines).toEqual([{ status: 401 }, { status: 403 }, { status: 401, unreported: 2 }]);
});
