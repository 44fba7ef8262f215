import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { descendants } from '../../scripts/support/processes.mjs';
import { needs } from '../support/capabilities.js';
import { startServer } from '../support/start-server.js';
import { verifies } from './verifies.js';

const LOOP = 'while True:\n    pass';

/** Of each process below the server that runs Python: its nice value, and that of its group where Linux has one. */
function priorities(server: number): number[] {
  return descendants(server).flatMap(({ pid, command }) => {
    if (!/^(deno|python)/.test(command)) return [];
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      return [Math.max(Number(stat[16]), groupNice(pid))];
    } catch {
      return []; // ended meanwhile
    }
  });
}

function groupNice(pid: number): number {
  try {
    return Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // a kernel without groups
  }
}

for (const backend of ['wasm', 'native'] as const) {
  needs('linux', 'bubblewrap').test(
    verifies('LOAD-2', `on ${backend} a loop goes behind when others run, and nothing stays behind after it`),
    async () => {
      const server = await startServer({ config: { sandbox: { backend } } });
      await server.call('execute_code', { code: '1', session: 'quick' });
      let isOver = false;
      const loop = server
        .call('execute_code', { code: LOOP, timeout_seconds: 8 })
        .finally(() => (isOver = true));
      const seen = new Set<number>();
      while (!isOver && !seen.has(19)) {
        const { data } = await server.call('execute_code', { code: '6 * 7', session: 'quick' });
        expect(data.result).toBe(42);
        for (const nice of priorities(server.pid)) seen.add(nice);
      }
      expect(seen).toContain(19);
      expect((await loop).code).toBe('timeout');

      const inSession = server.call('execute_code', { code: LOOP, timeout_seconds: 2, session: 'slow' });
      await server.call('execute_code', { code: 'import time\ntime.sleep(1)', session: 'quick' });
      await server.call('execute_code', { code: '1', session: 'quick' });
      expect((await inSession).code).toBe('timeout');
      await expect.poll(() => priorities(server.pid)).not.toContain(19);
    },
  );
}
