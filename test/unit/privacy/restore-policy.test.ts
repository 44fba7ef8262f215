import { expect, test } from 'vitest';
import { mayRestore } from '../../../src/privacy/restore-policy.js';
import type { Origin } from '../../../src/privacy/vault/vault.js';

const FROM_CRM: Origin = { kind: 'tool', server: 'crm' };
const mail = { server: 'mail', tool: 'send', reachesOut: true };
const files = { server: 'files', tool: 'write_file', reachesOut: false };

function may(
  destination: typeof mail,
  options: { allow?: string[]; deny?: string[]; path?: string; origins?: Origin[] } = {},
): boolean {
  const { allow = [], deny = [], path = 'to', origins = [FROM_CRM] } = options;
  return mayRestore({ restore: { allow, deny } }, destination, path, { token: 'T', type: 'EMAIL', origins });
}

test('without rules a value goes to tools that do not reach an open world', () => {
  expect([may(files), may(mail)]).toEqual([true, false]);
});

test('a value may go back to the server it came from, and one that the agent sent anywhere', () => {
  expect(may(mail, { origins: [{ kind: 'tool', server: 'mail' }] })).toBe(true);
  expect(may(mail, { origins: [FROM_CRM, { kind: 'agent' }] })).toBe(true);
});

test('the operator allows a tool, or one argument of it', () => {
  expect(may(mail, { allow: ['send'] })).toBe(true);
  expect(may(mail, { allow: ['send.to'] })).toBe(true);
  expect(may(mail, { allow: ['send.to'], path: 'body' })).toBe(false);
});

test('an argument inside a list is named without its index', () => {
  expect(may(mail, { allow: ['send.people.email'], path: 'people[12].email' })).toBe(true);
});

test('deny wins over allow and over where the value came from', () => {
  expect(may(files, { deny: ['*'], allow: ['*'], origins: [{ kind: 'agent' }] })).toBe(false);
  expect(may(files, { deny: ['write_file.content'], path: 'content' })).toBe(false);
});
