import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '../support/project-root.js';
import { REQUIREMENTS } from './requirements.js';

const cited = new Set(testSources().flatMap(citations));

test('every requirement is cited by a test', () => {
  expect(Object.keys(REQUIREMENTS).filter((id) => !cited.has(id))).toEqual([]);
});

test('every cited id is a requirement', () => {
  expect([...cited].filter((id) => !(id in REQUIREMENTS))).toEqual([]);
});

test('citations are found alone, in lists, over several lines and in Python', () => {
  const call = 'verifies';
  expect(citations(`test(${call}('A-1', 'x')); test(\n ${call}(['B-2', 'C-3'], 'y'))`)).toEqual([
    'A-1',
    'B-2',
    'C-3',
  ]);
  expect(citations('# verifies: D-4, E-5')).toEqual(['D-4', 'E-5']);
  expect(citations(`mentions 'A-1' only`)).toEqual([]);
});

/** The ids in `verifies('ID', ...)`, `verifies(['ID', 'ID'], ...)`, and in Python `# verifies: ID, ID`. */
function citations(source: string): string[] {
  const calls = source.matchAll(/\bverifies\(\s*('[^']+'|\[[^\]]*\])/g);
  const marks = source.matchAll(/# verifies: ([A-Z0-9, -]+)/g);
  return [...calls, ...marks].flatMap(([, ids = '']) => ids.match(/[A-Z]+-\d+/g) ?? []);
}

function testSources(): string[] {
  return ['test', 'python/tests'].flatMap((folder) =>
    readdirSync(path.join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|py)$/.test(file) && !/e2e.(coverage\.test|verifies)\.ts$/.test(file))
      .map((file) => readFileSync(path.join(PROJECT_ROOT, folder, file), 'utf8')),
  );
}
