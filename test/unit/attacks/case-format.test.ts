import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  HOST_CHECKS,
  HOST_CHECKS_WITH_ARGUMENT,
  readCases,
  unknownIn,
} from '../../../attacks/case-format.mjs';
import { HOST_CHECK_NAMES } from '../../../attacks/inside/host-checks.mjs';
import { PROJECT_ROOT } from '../../support/project-root.js';

const OWN = path.join(PROJECT_ROOT, 'attacks', 'more-cases.jsonl');
const GIVEN = path.join(PROJECT_ROOT, '..', 'shared', 'cases', 'security.jsonl');
const plain = { id: 'x', kind: 'k', action: 'execute_code', input: { code: '1' }, expect: { outcome: 'ok' } };

test('a plain case has nothing unknown', () => {
  expect(unknownIn(plain)).toEqual([]);
});

test.each([
  ['a field of the case', { ...plain, extra: 1 }, 'case.extra'],
  ['an action', { ...plain, action: 'fly' }, 'action "fly"'],
  ['an inherited name as action', { ...plain, action: 'constructor' }, 'action "constructor"'],
  ['an input', { ...plain, input: { code: '', speed: 1 } }, 'action execute_code: input.speed'],
  ['a backend', { ...plain, backends: ['jvm'] }, 'backends "jvm"'],
  ['a set-up', { ...plain, setup: { magic: 1 } }, 'setup.magic'],
  ['a limit', { ...plain, setup: { limits: { threads: 1 } } }, 'setup.limits.threads'],
  ['a behaviour', { ...plain, setup: { tools: [{ behaviour: 'lie' }] } }, 'setup.tools.behaviour "lie"'],
  ['a host operation', { ...plain, setup: { host: [{ op: 'reboot' }] } }, 'setup.host op "reboot"'],
  ['an action of a step', { ...plain, setup: { steps: [{ action: 'fly' }] } }, 'setup step "fly"'],
  ['an expectation', { ...plain, expect: { outcome: 'ok', smells: true } }, 'expect.smells'],
  ['an outcome', { ...plain, expect: { outcome: 'fine' } }, 'expect.outcome "fine"'],
  ['a scope', { ...plain, expect: { scope: 'mind' } }, 'expect.scope "mind"'],
  ['a host check', { ...plain, expect: { host: ['allWell'] } }, 'expect.host "allWell"'],
  [
    'a check without its argument',
    { ...plain, expect: { host: ['toolNotCalled'] } },
    'expect.host "toolNotCalled"',
  ],
  ['something in next', { ...plain, expect: { next: { code: '1', hopes: 1 } } }, 'expect.next.hopes'],
  ['a placeholder', { ...plain, input: { code: '${CANARY_SONG}' } }, 'placeholder ${CANARY_SONG}'],
  ['no expectation', { ...plain, expect: undefined }, 'case without expect'],
])('%s that is not known is named', (_what, each, unknown) => {
  expect(unknownIn(each as never)).toContain(unknown);
});

test('every host check of the vocabulary is there, and no other', () => {
  expect([...HOST_CHECK_NAMES].sort()).toEqual([...HOST_CHECKS, ...HOST_CHECKS_WITH_ARGUMENT].sort());
});

test('all cases of the project, and the given ones where they are, are within the vocabulary', () => {
  const files = existsSync(GIVEN) ? [OWN, GIVEN] : [OWN];
  expect(
    readCases(files.join(',')).flatMap((each) => unknownIn(each).map((what) => `${each.id}: ${what}`)),
  ).toEqual([]);
});

test('the own cases have members of at least 25 kinds', () => {
  expect(new Set(readCases(OWN).map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(25);
});
