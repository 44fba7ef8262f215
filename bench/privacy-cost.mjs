// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from '../scripts/support/server-process.mjs';
import { median } from './support/measure.mjs';

const OFFICE = fileURLToPath(new URL('../test/support/fake-servers/office-server.mjs', import.meta.url));
const ROUNDS = 15;
const MODES = /** @type {const} */ (['off', 'egress', 'strict']);
const LARGE =
  'rows = tools.office.export_rows(megabytes=10)["rows"]\nprint(str(rows[0])[:100], len(rows), "x" * 80)';
const SMALL = 'tools.office.add(first=1, second=2)["sum"]';

/** What privacy costs a run: one whose tool returns 10 MB and which prints 200 characters, and a small one. */
export async function bench() {
  const folder = mkdtempSync(path.join(tmpdir(), 'privacy-cost-'));
  const office = { command: process.execPath, args: [OFFICE, path.join(folder, 'log')] };
  const servers = await Promise.all(
    MODES.map((mode) => startServer({ config: { privacy: { mode }, mcpServers: { office } } })),
  );
  try {
    const large = await inTurns(servers, LARGE);
    const small = await inTurns(servers, SMALL);
    return {
      title: 'Privacy: what it costs a run',
      notes: [`Fresh runs through MCP, ${ROUNDS} rounds, the modes in turn; baseline: privacy off.`],
      rows: [
        row('10 MB from a tool, 200 characters printed, egress', large, 1, 1.05),
        row('10 MB from a tool, 200 characters printed, strict', large, 2),
        row('a small call and a small answer, egress', small, 1),
        row('a small call and a small answer, strict', small, 2),
      ],
      data: { large, small },
    };
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Medians in milliseconds, by mode.
 * @param {readonly import('../scripts/support/server-process.mjs').ServerProcess[]} servers
 * @param {string} code
 */
async function inTurns(servers, code) {
  const times = servers.map(() => /** @type {number[]} */ ([]));
  for (let round = -2; round < ROUNDS; round++) {
    for (const [at, server] of servers.entries()) {
      const { isError, ms, text } = await server.call('execute_code', { code });
      if (isError) throw new Error(text);
      if (round >= 0) times[at]?.push(ms);
      // The pool fills meanwhile, so that no run waits for its worker.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
  return times.map(median);
}

/**
 * @param {string} name
 * @param {readonly number[]} medians
 * @param {number} at
 * @param {number} [bar]
 */
function row(name, medians, at, bar) {
  const [baseline = 0] = medians;
  const value = medians[at] ?? 0;
  const ratio = value / baseline;
  return {
    name,
    value,
    unit: 'ms',
    baseline,
    against: 'privacy off',
    ...(bar === undefined ? {} : { bar: `<= ${bar} x`, held: ratio <= bar }),
  };
}
