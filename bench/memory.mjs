// @ts-check
import { readFileSync } from 'node:fs';
import { descendants } from '../scripts/support/processes.mjs';
import { poolFull, run, withServer } from './support/bench-server.mjs';
import { median } from './support/measure.mjs';

const SESSIONS = 4;
const MIB = 1024 * 1024;

/**
 * Resident memory of the server and of its idle workers. Linux only: reads /proc.
 * @param {{ backend?: string | undefined }} options
 * @returns {Promise<import('./support/measure.mjs').Result>}
 */
export async function bench({ backend }) {
  if (process.platform !== 'linux') throw new Error('memory is read from /proc: run this bench on Linux');
  const idle = await withServer({ backend, sandbox: { pool: 2 } }, async (server) => {
    await poolFull(server);
    await run(server, '1+1');
    await poolFull(server);
    return { server: memory(server.pid), workers: workersOf(server.pid).map(memory) };
  });
  const sessions = await withServer(
    { backend, sandbox: { pool: 0, maxSessions: SESSIONS } },
    async (server) => {
      for (let i = 0; i < SESSIONS; i++) await run(server, 'import json, csv, re', { session: `s${i}` });
      return workersOf(server.pid).map(memory);
    },
  );
  const workers = [...idle.workers, ...sessions];
  const row = (/** @type {string} */ name, /** @type {number} */ bytes) => ({
    name,
    value: bytes / MIB,
    unit: 'MiB',
  });
  return {
    title: 'resident memory',
    notes: [
      `Medians of ${idle.workers.length} spares and ${sessions.length} sessions. Proportional: pages shared between processes are divided among them.`,
    ],
    rows: [
      row('server, idle', idle.server.resident),
      row('spare worker, idle, resident', median(idle.workers.map((worker) => worker.resident))),
      row('spare worker, idle, proportional', median(idle.workers.map((worker) => worker.proportional))),
      row('session worker after a run, resident', median(sessions.map((worker) => worker.resident))),
      row('session worker after a run, proportional', median(sessions.map((worker) => worker.proportional))),
    ],
    data: { server: idle.server, workers },
  };
}

/** @param {number} pid */
function memory(pid) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const bytes = (/** @type {string} */ key) =>
    Number(rollup.match(new RegExp(`^${key}:\\s+(\\d+)`, 'm'))?.[1] ?? 0) * 1024;
  return { resident: bytes('Rss'), proportional: bytes('Pss') };
}

/**
 * The deno processes below a process.
 * @param {number} root
 * @returns {number[]}
 */
function workersOf(root) {
  return descendants(root)
    .filter((process) => process.command.startsWith('deno'))
    .map((process) => process.pid);
}
