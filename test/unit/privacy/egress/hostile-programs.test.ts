import { describe, expect, test } from 'vitest';
import { PII_TYPES } from '../../../../src/core/pii.js';
import { EgressFilter } from '../../../../src/privacy/egress/egress-filter.js';
import { fakeDetector } from '../rewrite/fake-detector.js';
import { memoryVaults } from '../rewrite/open-vault.js';
import { customers, DETECTABLE, FURTHER, leaked, PROMISED, programs } from './hostile-programs.mjs';

const TABLE = customers(50, 7);
const FORMS = { ...PROMISED, ...FURTHER };
function filterFor(): EgressFilter {
  return new EgressFilter({
    detector: fakeDetector,
    vaults: memoryVaults(),
    types: new Set(PII_TYPES),
    isAllowed: () => false,
  });
}

async function leaksOf(filter: EgressFilter, name: string, count: number): Promise<unknown[]> {
  const form = FORMS[name];
  if (form === undefined) throw new Error(`no form ${name}`);
  const leaks: unknown[] = [];
  for (const program of programs(count, 1_000, TABLE, { [name]: form })) {
    expect(leaked(program.facts, program), `seed ${program.seed} shows nothing`).not.toEqual([]);
    const shown = await filter.filter(program.facts, 'local');
    const found = leaked(shown, program);
    if (found.length > 0) leaks.push({ seed: program.seed, found, facts: program.facts, shown });
  }
  return leaks;
}

describe('a program whose tool returned the values', () => {
  test.each(Object.keys(FORMS))('tells none of them: %s', async (name) => {
    const filter = filterFor();
    filter.beginRun('local').add('crm', { value: TABLE });
    expect(await leaksOf(filter, name, 12)).toEqual([]);
  });
});

describe('a program with values that nobody noted', () => {
  test.each(DETECTABLE)('tells none that a detector finds: %s', async (name) => {
    // Every answer has a vault of its own, so nothing is learnt from the one before.
    const form = FORMS[name];
    for (const program of programs(12, 2_000, TABLE, { [name]: form as NonNullable<typeof form> })) {
      const shown = await filterFor().filter(program.facts, 'local');
      expect({ seed: program.seed, leaks: leaked(shown, program), shown }).toMatchObject({ leaks: [] });
    }
  });
});
