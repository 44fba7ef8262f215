// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer } from '../../scripts/support/server-process.mjs';
import { STUB_SERVER } from './tool-runner.mjs';

const SERVERS = 60;
const TOOLS_EACH = 50;
/** As in app.ts; the answer itself takes a little. */
const DEADLINE_MS = 10_000;
const SLACK_MS = 1_500;
const CACHED_BAR_MS = 1_000;
const node = process.execPath;
const BROKEN = [
  ...Array.from({ length: 4 }, () => ({ command: 'no-such-program-of-this-bench' })),
  ...Array.from({ length: 3 }, () => ({ command: node, args: ['-e', 'process.exit(3)'] })),
  ...Array.from({ length: 3 }, () => ({ command: node, args: ['-e', 'setInterval(() => {}, 1000)'] })),
];

/**
 * 60 servers that work and 10 that do not: the first search of a fresh machine, and that of the next start.
 * @returns {Promise<{ rows: import('./measure.mjs').Row[], data: object }>}
 */
export async function manyServers() {
  const folder = mkdtempSync(path.join(tmpdir(), 'code-execution-mcp-bench-'));
  const dataDir = path.join(folder, 'data');
  try {
    const first = await firstSearch(dataDir);
    const cached = await firstSearch(dataDir);
    const problems = [first, cached].map(({ answer }) => namedOnce(answer));
    const deadline = DEADLINE_MS + SLACK_MS;
    const total = Number(cached.overview.data.total);
    const expected = SERVERS * (TOOLS_EACH + 2);
    return {
      rows: [
        {
          name: `${SERVERS + BROKEN.length} servers, first search without cache`,
          value: first.answer.ms,
          unit: 'ms',
          bar: `<= ${deadline} ms`,
          held: first.answer.ms <= deadline,
        },
        {
          name: `${SERVERS + BROKEN.length} servers, first search from cache`,
          value: cached.answer.ms,
          unit: 'ms',
          bar: `<= ${CACHED_BAR_MS} ms`,
          held: cached.answer.ms <= CACHED_BAR_MS,
        },
        {
          name: 'tools known from cache',
          value: total,
          unit: 'tools',
          bar: `= ${expected}`,
          held: total === expected,
        },
        {
          name: 'broken servers named once, in the worse answer',
          value: Math.min(...problems),
          unit: 'servers',
          bar: `= ${BROKEN.length}`,
          held: Math.min(...problems) === BROKEN.length,
        },
      ],
      data: { firstMs: first.answer.ms, cachedMs: cached.answer.ms, problems },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** @param {string} dataDir */
async function firstSearch(dataDir) {
  const works = Array.from({ length: SERVERS }, (_, i) => [
    `works${i}`,
    { command: node, args: [STUB_SERVER, String(TOOLS_EACH), `branch ${i}`] },
  ]);
  const mcpServers = Object.fromEntries([...works, ...BROKEN.map((entry, i) => [`broken${i}`, entry])]);
  const server = await startServer({
    dataDir,
    config: { mcpServers, sandbox: { pool: 0 }, logLevel: 'error' },
  });
  try {
    const answer = await server.call('search_tools', { query: 'archive contracts of branch 7' });
    if (answer.isError) throw new Error(answer.text);
    const overview = await server.call('search_tools');
    return { answer, overview };
  } finally {
    await server.close();
  }
}

/**
 * How many of the broken servers the text of an answer names exactly once.
 * @param {import('../../scripts/support/server-process.mjs').Answer} answer
 */
function namedOnce({ text }) {
  return BROKEN.filter((_, i) => text.match(new RegExp(`\\bbroken${i} \\(`, 'g'))?.length === 1).length;
}
