import { expect, test } from 'vitest';
import { PII_TYPES, type RestoreRule } from '../../../src/core/pii.js';
import type { RestoreRecord } from '../../../src/privacy/call-privacy.js';
import { EgressFilter } from '../../../src/privacy/egress/egress-filter.js';
import type { RestoreQuestion } from '../../../src/privacy/privacy.js';
import { PrivacyGuard } from '../../../src/privacy/privacy-guard.js';
import { DETECTOR, memoryVaults } from './fakes.js';

function setUp(restore: RestoreRule = 'own') {
  const vaults = memoryVaults();
  const types = new Set(PII_TYPES);
  const isAllowed = (_: string, value: string) => value === 'help@x.test';
  const records: RestoreRecord[] = [];
  const counters = { restored: 0, refused: 0 };
  const guard = new PrivacyGuard({
    mode: 'egress',
    restore,
    types,
    detector: DETECTOR,
    vaults,
    egress: new EgressFilter({ detector: DETECTOR, vaults, types, isAllowed }),
    isAllowed,
    record: (line) => records.push(line),
    counters,
  });
  /** A token of a value that came in from a tool. */
  const foreign = async (value: string) =>
    (await vaults.of('p')).tokenOf('EMAIL', value, { kind: 'tool', server: 'crm' });
  return { guard, foreign, records };
}

test('what the agent sent stays in answers, and the same value of another principal does not', async () => {
  const { guard } = setUp();
  await guard.noteSent('p', { code: 'mail("ann@x.test")', context_vars: { list: [{ who: 'bob@x.test' }] } });
  const facts = { text: 'ann@x.test bob@x.test cid@x.test' };
  expect((await guard.filter('p', facts)).text).toMatch(/^ann@x\.test bob@x\.test PIIEMAIL\w+$/);
  expect((await guard.filter('other', facts)).text).toMatch(/^PIIEMAIL\w+ PIIEMAIL\w+ PIIEMAIL\w+$/);
});

test('a file that the agent sent in base64 is as little of a secret', async () => {
  const { guard } = setUp();
  const content = Buffer.from('write to ann@x.test today').toString('base64');
  await guard.noteSent('p', { filename: 'f', content, encoding: 'base64' });
  expect(await guard.filter('p', 'ann@x.test')).toBe('ann@x.test');
});

test('a sanitised text comes back byte for byte, and says what was replaced', async () => {
  const { guard } = setUp();
  const text = '{"to": "ann@x.test", "cc": "ann@x.test", "phone": "0000-1111-2222", "desk": "help@x.test"}';
  const { text: sanitised, types } = await guard.sanitise('p', text);
  expect(sanitised).not.toContain('ann@x.test');
  expect(sanitised).toContain('help@x.test');
  expect(types).toEqual({ EMAIL: 2, PHONE: 1 });
  expect(await guard.restore('p', sanitised)).toEqual({ text, restored: 2, notRestored: [] });
});

test.each([
  [
    'own',
    0,
    'it came from crm, and the configuration shows the model only what it sent itself (privacy.restore "own")',
  ],
  ['ask', 0, 'it came from crm, and the user would have to agree, but this client cannot ask'],
  ['never', 0, 'the configuration lets the model see no values (privacy.restore "never")'],
  ['allow', 1, undefined],
] as const)('under "%s" %i values of a tool are shown', async (rule, restored, reason) => {
  const { guard, foreign } = setUp(rule);
  const token = await foreign('ann@x.test');
  expect(await guard.restore('p', `to ${token}`)).toEqual({
    text: restored ? 'to ann@x.test' : `to ${token}`,
    restored,
    notRestored: reason === undefined ? [] : [{ token, reason }],
  });
});

test('under "ask" the person hears of kinds and servers, never of values, and decides', async () => {
  const { guard, foreign, records } = setUp('ask');
  const token = await foreign('ann@x.test');
  const questions: RestoreQuestion[] = [];
  const ask = (yes: boolean) => async (question: RestoreQuestion) => {
    questions.push(question);
    return yes;
  };
  expect((await guard.restore('p', token, ask(false))).notRestored).toEqual([
    { token, reason: 'it came from crm, and the user declined' },
  ]);
  expect((await guard.restore('p', token, ask(true))).text).toBe('ann@x.test');
  expect(questions).toEqual([
    { types: { EMAIL: 1 }, servers: ['crm'] },
    { types: { EMAIL: 1 }, servers: ['crm'] },
  ]);
  expect(records.map(({ token: one, to, outcome }) => [one, to, outcome])).toEqual([
    [token, 'restore_pii', 'refused'],
    [token, 'restore_pii', 'restored'],
  ]);
});

test('nobody is asked about what the agent sent', async () => {
  const { guard } = setUp('ask');
  const { text } = await guard.sanitise('p', 'ann@x.test');
  const { restored } = await guard.restore('p', text, () => Promise.reject(new Error('asked')));
  expect(restored).toBe(1);
});

test('a value that the model may see once is not hidden from it again', async () => {
  const { guard, foreign } = setUp('allow');
  const token = await foreign('ann@x.test');
  expect(await guard.filter('p', 'ann@x.test')).toBe(token);
  await guard.restore('p', token);
  expect(await guard.filter('p', 'ann@x.test')).toBe('ann@x.test');
});

test('forged tokens and those of another principal are named with the reason', async () => {
  const { guard } = setUp('allow');
  const { text: other } = await guard.sanitise('other', 'ann@x.test');
  const { text, notRestored } = await guard.restore('p', `${other}!`);
  expect(text).toBe(`${other}!`);
  expect(notRestored).toEqual([
    { token: other, reason: 'no token of this server and caller, or its value was erased' },
  ]);
});

test('personal data of a text that is to be kept is named by kind and line', async () => {
  const { guard } = setUp();
  expect(await guard.findPersonal('help@x.test\nx\nann@x.test 0000-1111-2222')).toEqual([
    { type: 'EMAIL', line: 3 },
    { type: 'PHONE', line: 3 },
  ]);
});
