import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inspectConfig, loadConfig } from '../../../src/config/load.js';
import { detectedTypes, PII_TYPES, STANDARD_PII } from '../../../src/core/pii.js';
import { fakeHost, PROJECT, USER } from './fake-host.js';

async function privacyOf(privacy: object) {
  return (await loadConfig({}, fakeHost({ [USER]: JSON.stringify({ privacy }) }))).config.privacy;
}

test('a hospital hides every kind from code as well with one line', async () => {
  const { mode, detect } = await privacyOf({ mode: 'strict', detect: 'full' });
  expect([mode, [...detectedTypes(detect)]]).toEqual(['strict', [...PII_TYPES]]);
});

test('a list of kinds starts from nothing, takes presets, and leaves out what has a minus', async () => {
  const { detect } = await privacyOf({ detect: ['standard', 'PERSON', '-PHONE'] });
  const expected = [...STANDARD_PII.filter((type) => type !== 'PHONE'), 'PERSON'];
  expect([...detectedTypes(detect)]).toEqual(expected);
});

test('own patterns are a list of objects', async () => {
  const patterns = [{ type: 'EMPLOYEE_ID', pattern: 'EMP-[0-9]{6}' }];
  expect((await privacyOf({ patterns })).patterns).toEqual(patterns);
});

test.each([
  ['an unknown kind', { detect: ['EMIAL'] }, 'privacy.detect'],
  ['an unknown mode', { mode: 'on' }, 'privacy.mode'],
  ['an unknown restore rule', { restore: 'yes' }, 'privacy.restore'],
  ['a pattern without a type', { patterns: [{ pattern: 'x' }] }, 'privacy.patterns'],
  [
    'a pattern with a key of its own',
    { patterns: [{ type: 'X_ID', pattern: 'x', flags: 'i' }] },
    'privacy.patterns',
  ],
])('%s is a problem with its place and the valid values', async (_, privacy, key) => {
  const host = fakeHost({ [USER]: JSON.stringify({ privacy }) });
  const { problems } = await inspectConfig({}, host);
  expect(problems.map((problem) => [problem.place, problem.key])).toEqual([
    [`${join(host.root, USER)}:1`, key],
  ]);
  expect(problems[0]?.message).toMatch(/^found .+, valid: .+/);
});

test.each([
  ['(a)\\1', 'invalid escape sequence'],
  ['a(?=b)', 'invalid or unsupported Perl syntax'],
  ['a*', 'the pattern matches the empty text'],
])('the pattern %s is a problem with its place and the reason', async (pattern, reason) => {
  const privacy = {
    patterns: [
      { type: 'FINE', pattern: 'x' },
      { type: 'ODD', pattern },
    ],
  };
  const host = fakeHost({ [USER]: JSON.stringify({ privacy }) });
  const { problems } = await inspectConfig({}, host);
  expect(problems).toEqual([
    {
      place: `${join(host.root, USER)}:1`,
      key: 'privacy.patterns',
      message: expect.stringContaining(reason),
    },
  ]);
});

test('a project file may make privacy stricter and nothing else', async () => {
  const privacy = { mode: 'strict', detect: ['EMAIL'], restore: 'allow', allowDomains: ['evil.test'] };
  const host = fakeHost({ [PROJECT]: JSON.stringify({ privacy }) });
  const { config, warnings } = await loadConfig({}, host);
  expect([
    config.privacy.mode,
    config.privacy.detect,
    config.privacy.restore,
    config.privacy.allowDomains,
  ]).toEqual(['strict', ['standard'], 'own', []]);
  expect(warnings).toHaveLength(3);
  const off = fakeHost({ [PROJECT]: '{"privacy": {"mode": "off"}}' });
  expect((await loadConfig({}, off)).config.privacy.mode).toBe('egress');
});

test('a server has a mode by its short form, or rules for restoring', async () => {
  const mcpServers = {
    a: { command: 'x', privacy: 'strict' },
    b: { command: 'x', privacy: { detect: 'full', restore: { allow: ['send_mail.to'] } } },
    c: { command: 'x' },
  };
  const { servers } = (await loadConfig({}, fakeHost({ [USER]: JSON.stringify({ mcpServers }) }))).config;
  expect(servers.map((server) => server.privacy)).toEqual([
    { mode: 'strict', restore: { allow: [], deny: [] } },
    { detect: ['full'], restore: { allow: ['send_mail.to'], deny: [] } },
    { restore: { allow: [], deny: [] } },
  ]);
});

test('a server with a wrong privacy entry is refused: nothing of it may pass unprotected', async () => {
  const mcpServers = { a: { command: 'x', privacy: 'stirct' } };
  const { servers } = (await loadConfig({}, fakeHost({ [USER]: JSON.stringify({ mcpServers }) }))).config;
  expect(servers[0]?.launch.kind).toBe('refused');
});
