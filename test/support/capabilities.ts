import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'vitest';
import { PROJECT_ROOT } from './project-root.js';

/** What a test may need beyond Node, and whether it is here. Each says how to get it. */
const CAPABILITIES = {
  linux: { here: () => process.platform === 'linux', get: 'run on Linux' },
  root: { here: () => process.getuid?.() === 0, get: 'run as root' },
  bubblewrap: { here: () => succeeds('bwrap', ['--version']), get: 'install the package bubblewrap' },
  python3: { here: () => succeeds('python3', ['--version']), get: 'install Python 3.9 or newer' },
  science: {
    here: () => succeeds('/usr/bin/python3', ['-I', '-c', 'import numpy, pandas, matplotlib']),
    get: 'install the packages python3-numpy, python3-pandas and python3-matplotlib',
  },
  prlimit: { here: () => succeeds('prlimit', ['--version']), get: 'install the package util-linux' },
  'shared-bench': {
    here: () => existsSync(path.join(PROJECT_ROOT, '..', 'shared', 'bench', 'python', 'programs.jsonl')),
    get: 'put the shared benchmark files beside the project',
  },
} as const satisfies Record<string, { here: () => boolean; get: string }>;

export type Capability = keyof typeof CAPABILITIES;

const known = new Map<Capability, boolean>();

/** True if this machine has it; asked once per process. */
export function has(capability: Capability): boolean {
  const answer = known.get(capability) ?? CAPABILITIES[capability].here();
  known.set(capability, answer);
  return answer;
}

/**
 * `needs('bubblewrap').describe('...', () => ...)` or `.test(...)`: skipped where the capability is missing, and then the
 * title names it, so that the report of `npm test` does. With REQUIRE_ALL=1 (CI) a skipped test fails the run.
 */
export function needs(...capabilities: Capability[]): {
  describe: (title: string, body: () => void) => void;
  test: (title: string, body: () => void | Promise<void>, timeoutMs?: number) => void;
} {
  const missing = capabilities.filter((name) => !has(name));
  const titled = (title: string) =>
    missing.length === 0
      ? title
      : `${title} [needs ${missing.map((name) => `${name}: ${CAPABILITIES[name].get}`).join('; ')}]`;
  return {
    describe: (title, body) => describe.skipIf(missing.length > 0)(titled(title), body),
    test: (title, body, timeoutMs) => test.skipIf(missing.length > 0)(titled(title), body, timeoutMs),
  };
}

function succeeds(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
