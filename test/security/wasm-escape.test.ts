import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContractHost, codeOf } from '../contract/contract-host.js';
import { verifies } from '../e2e/verifies.js';
import { needs } from '../support/capabilities.js';
import { BRIDGE_PROBES } from './bridge-probes.js';
import { Canaries } from './canaries.js';
import { JAVASCRIPT_RAN, type Probe, REACH_JS, runJavaScript } from './probe.js';
import { PYTHON_PROBES } from './python-probes.js';
import { SCRIPT_PROBES } from './script-probes.js';
import { guestBehind, type Walls } from './walls.js';

/**
 * Attacks from Python, and from JavaScript that Python reaches, on canaries outside the sandbox: behind all walls, and
 * behind each of the two main ones alone, for one broken wall must not be the end. That each attack can succeed is shown by
 * positive-control.test.ts.
 */
const LANGUAGES: readonly [string, readonly Probe[]][] = [
  ['Python', PYTHON_PROBES],
  ['Python by way of JavaScript objects', BRIDGE_PROBES],
  ['JavaScript of its own', SCRIPT_PROBES],
];

function hold(walls: Walls): void {
  let canaries: Canaries;
  let host: ContractHost;
  const opened: AsyncDisposable[] = [];
  const session = 'attacker';
  beforeAll(async () => {
    canaries = await Canaries.set();
    opened.push(canaries);
    const sandbox = await guestBehind(walls);
    opened.push(sandbox);
    host = new ContractHost(sandbox);
    opened.push(host);
    await host.value('1', { session });
  }, 180_000);
  afterAll(async () => {
    for (const one of opened.reverse()) await one[Symbol.asyncDispose]();
  });

  test('let Python reach JavaScript, so that the attacks below attack something', async () => {
    expect(await host.value(`${REACH_JS}\njs.Deno.version.deno`, { session })).toMatch(/^2\./);
    const report = await host.run(runJavaScript('return 20 + 22;'), { session });
    expect(report.output.head).toBe(`${JAVASCRIPT_RAN}\n42\n`);
  });

  describe.each(LANGUAGES)('hold against %s:', (_language, probes) => {
    const meant = probes.filter((probe) => !probe.permission || walls !== 'bubblewrap alone');
    test.each(meant.map((probe): [string, Probe] => [title(probe), probe]))('%s', async (_title, probe) => {
      const report = await host.run(probe.code(canaries.targets), { session, timeoutMs: 10_000 });
      expect(await canaries.breaches(JSON.stringify(report))).toEqual([]);
      expect(codeOf(report)).not.toBe('timeout');
      if (probe.javascript) expect(report.output.head).toContain(JAVASCRIPT_RAN);
    });
  });

  test('are still there after all of it', async () => {
    expect(await host.value('20 + 22')).toBe(42);
    expect(await canaries.breachesWithin(200, '')).toEqual([]);
  });
}

function title({ goal, name }: Probe): string {
  const what = `${goal} by ${name}`;
  switch (goal) {
    case 'file':
    case 'write':
      return verifies('WALL-1', what);
    case 'environment':
      return verifies('WALL-2', what);
    case 'network':
      return verifies('WALL-3', what);
    case 'process':
      return verifies('WALL-4', what);
  }
}

describe("Deno's permissions alone", () => hold("Deno's permissions alone"));
needs('bubblewrap').describe('all walls', () => hold('all walls'));
needs('bubblewrap').describe('bubblewrap alone', () => hold('bubblewrap alone'));
