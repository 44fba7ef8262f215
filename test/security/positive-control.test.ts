import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContractHost } from '../contract/contract-host.js';
import { needs } from '../support/capabilities.js';
import { BRIDGE_PROBES } from './bridge-probes.js';
import { Canaries } from './canaries.js';
import type { Control, Probe } from './probe.js';
import { PYTHON_PROBES } from './python-probes.js';
import { SCRIPT_PROBES } from './script-probes.js';
import { Unprotected } from './unprotected.js';
import { guestBehind } from './walls.js';

/**
 * Every probe of wasm-escape.test.ts is seen to succeed here, in an interpreter without our walls: one that cannot
 * succeed would prove nothing by failing there.
 */
const PROBES = [...PYTHON_PROBES, ...BRIDGE_PROBES, ...SCRIPT_PROBES];
/** How long is looked for what takes some time; what is found ends the wait. */
const WITHIN_MS = 20_000;
/** Probes of what only Linux has: elsewhere they can succeed nowhere. */
const LINUX_ONLY = /\/proc|abstract/;

let canaries: Canaries;
beforeAll(async () => {
  canaries = await Canaries.set();
});
afterAll(() => canaries[Symbol.asyncDispose]());

/** Probes that succeed in one kind of interpreter, whose `run` gives back all that was said. */
function succeedIn(
  control: Control,
  open: () => Promise<{ run(code: string): Promise<string>; close(): Promise<void> }>,
) {
  let interpreter: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    interpreter = await open();
  }, 60_000);
  afterAll(() => interpreter.close());

  const probes = PROBES.filter(
    (probe) => probe.control === control && (process.platform === 'linux' || !LINUX_ONLY.test(probe.name)),
  );
  test.each(probes.map((probe): [string, Probe] => [`${probe.goal} by ${probe.name}`, probe]))(
    '%s',
    async (_name, { code }) => {
      const text = await interpreter.run(code(canaries.targets));
      expect(await canaries.breachesWithin(WITHIN_MS, text), text).not.toEqual([]);
    },
  );
}

const openUnprotected = (kind: 'node' | 'cpython') => async () => {
  const interpreter = new Unprotected(kind);
  return { run: (code: string) => interpreter.run(code), close: () => interpreter[Symbol.asyncDispose]() };
};

describe('stock Pyodide in Node lets in', () => {
  succeedIn('node', openUnprotected('node'));
});

needs('linux', 'python3').describe('CPython lets in', () => {
  succeedIn('cpython', openUnprotected('cpython'));
});

needs('linux').describe('our guest without its walls lets in', () => {
  succeedIn('deno', async () => {
    const sandbox = await guestBehind('no walls');
    const host = new ContractHost(sandbox);
    return {
      run: async (code) => JSON.stringify(await host.run(code, { session: 'control' })),
      async close() {
        await host[Symbol.asyncDispose]();
        await sandbox[Symbol.asyncDispose]();
      },
    };
  });
});

test('every way is tried against every goal, and no two probes share a name', () => {
  const goals = (probes: readonly Probe[]) => [...new Set(probes.map((probe) => probe.goal))].sort();
  const all = ['environment', 'file', 'network', 'process', 'write'];
  expect([goals(PYTHON_PROBES), goals(BRIDGE_PROBES), goals(SCRIPT_PROBES)]).toEqual([all, all, all]);
  const names = [PYTHON_PROBES, BRIDGE_PROBES, SCRIPT_PROBES].map((list) =>
    list.map(({ goal, name }) => `${goal} ${name}`),
  );
  for (const list of names) expect(new Set(list).size).toBe(list.length);
});
