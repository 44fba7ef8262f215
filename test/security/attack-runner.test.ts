import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { needs } from '../support/capabilities.js';
import { PROJECT_ROOT } from '../support/project-root.js';

const SAMPLE = path.join(PROJECT_ROOT, 'test', 'unit', 'attacks', 'sample-cases.jsonl');
const TIMEOUT_MS = 240_000;

interface Verdict {
  readonly id: string;
  readonly verdict: string;
  readonly failures: readonly string[];
}

/** Runs the runner of attack cases on the sample; `status` is its exit code. */
function attacks(...args: string[]): { status: number | null; output: string; cases: Verdict[] } {
  const json = path.join(tmpdir(), `attacks-${process.pid}-${args.join('')}.json`);
  const program = [
    path.join(PROJECT_ROOT, 'attacks', 'run.mjs'),
    '--as-built',
    '--json',
    json,
    '--cases',
    SAMPLE,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...program, ...args], { encoding: 'utf8' });
  const { cases } = status === 2 ? { cases: [] } : JSON.parse(readFileSync(json, 'utf8'));
  rmSync(json, { force: true });
  return { status, output: stdout + stderr, cases };
}

needs('linux', 'bubblewrap', 'python3').test(
  'the runner passes what holds, fails what does not with both sides, and runs nothing that it does not know',
  () => {
    const { status, output, cases } = attacks('--backend', 'native');
    expect(
      cases.map(({ id, verdict }) => [id, verdict]),
      output,
    ).toEqual([
      ['sample-holds', 'passed'],
      ['sample-wrong-expectation', 'failed'],
      ['sample-other-backend', 'not applicable'],
      ['sample-unknown', 'not run'],
    ]);
    expect(cases[1]?.failures).toEqual([
      expect.stringMatching(/^next: expected "3" in the answer, got: /),
      expect.stringMatching(/^outcome: expected error, got ok: /),
      expect.stringMatching(/^expected "43" in the result, got: "42"$/),
    ]);
    expect(cases[3]?.failures).toEqual(['unknown expect.feels', 'unknown expect.host "moonFull"']);
    expect(output).toContain('attacks on native: 1 passed, 1 failed, 1 not run, 1 not applicable');
    expect(status).toBe(1);
  },
  TIMEOUT_MS,
);

needs('linux', 'bubblewrap', 'python3').test(
  'without walls the case that holds is seen to fail',
  () => {
    const { status, output, cases } = attacks('--backend', 'native', '--unprotected', '--id', 'sample-holds');
    expect(cases[0]?.failures, output).toEqual([
      expect.stringMatching(/^"CNRY-[0-9a-f]{24}" is in the answer: /),
    ]);
    expect(status).toBe(0);
  },
  TIMEOUT_MS,
);

needs('linux').test(
  'a wrong command line runs nothing and says how it is called',
  () => {
    const { status, output } = attacks('--backend', 'jvm');
    expect(output).toMatch(
      /^failed: --backend is one of wasm, native\nusage: npm run attacks -- --cases FILE/,
    );
    expect(status).toBe(2);
  },
  TIMEOUT_MS,
);
