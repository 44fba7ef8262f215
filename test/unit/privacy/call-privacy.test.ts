import { expect, test } from 'vitest';
import type { PiiType, ServerPrivacy } from '../../../src/core/pii.js';
import { PII_TYPES } from '../../../src/core/pii.js';
import type { ToolResult } from '../../../src/core/tool.js';
import { CallPrivacy, type RestoreRecord } from '../../../src/privacy/call-privacy.js';
import { DETECTOR, memoryVaults } from './fakes.js';

function setUp(options: { mode?: 'egress' | 'strict'; rules?: Record<string, Partial<ServerPrivacy>> } = {}) {
  const vaults = memoryVaults();
  const records: RestoreRecord[] = [];
  const noted: [string, number][] = [];
  const types: ReadonlySet<PiiType> = new Set(PII_TYPES);
  const rules = options.rules ?? {};
  const privacy = new CallPrivacy({
    mode: options.mode ?? 'egress',
    types,
    typesOf: (server) => (server === 'phones' ? new Set<PiiType>(['PHONE']) : undefined),
    rulesOf: (server) => (rules[server] ? { restore: { allow: [], deny: [] }, ...rules[server] } : undefined),
    detector: DETECTOR,
    vaults,
    beginRun: () => ({ add: (server, result) => noted.push([server, (result as Uint8Array).length]) }),
    isAllowed: (_, value) => value === 'help@x.test',
    record: (line) => records.push(line),
  });
  const call = (server: string, tool = 'send', reachesOut = false) => ({
    principal: 'p',
    run: 'r1',
    server,
    tool,
    reachesOut,
  });
  const tokenFrom = async (server: string, value = 'ann@x.test') =>
    (await vaults.of('p')).tokenOf('EMAIL', value, { kind: 'tool', server });
  return { privacy, records, noted, call, tokenFrom, vaults };
}

function result(text: string): ToolResult {
  return { isError: false, structured: { mail: text }, content: [{ type: 'text', text }] };
}

test('tokens in arguments become values at the tool, and each is recorded without its value', async () => {
  const { privacy, records, call, tokenFrom } = setUp();
  const token = await tokenFrom('crm');
  const { args, notes } = await privacy.restoreArguments(call('mail'), {
    to: [token],
    body: `Dear ${token}`,
  });
  expect(args).toEqual({ to: ['ann@x.test'], body: 'Dear ann@x.test' });
  expect(notes).toEqual([]);
  expect(records).toEqual([
    {
      principal: 'p',
      run: 'r1',
      token,
      type: 'EMAIL',
      to: 'mail.send',
      argument: 'to[0]',
      outcome: 'restored',
    },
    {
      principal: 'p',
      run: 'r1',
      token,
      type: 'EMAIL',
      to: 'mail.send',
      argument: 'body',
      outcome: 'restored',
    },
  ]);
});

test('a value does not go to a tool that reaches an open world, and the refusal names the line that allows it', async () => {
  const { privacy, records, call, tokenFrom } = setUp();
  const token = await tokenFrom('crm');
  const refused = privacy.restoreArguments(call('mail', 'send', true), { people: [{ to: token }] });
  await expect(refused).rejects.toMatchObject({
    code: 'restore_denied',
    message: `mail.send: the value of ${token} in "people[0].to" may not go to this tool, which reaches an open world`,
    hint: 'the operator allows it with mcpServers.mail.privacy.restore.allow: ["send.people.to"]; tell the user',
  });
  expect(records.map(({ outcome }) => outcome)).toEqual(['refused']);
});

test('the line that the refusal names allows it', async () => {
  const rules = { mail: { restore: { allow: ['send.people.to'], deny: [] } } };
  const { privacy, call, tokenFrom } = setUp({ rules });
  const token = await tokenFrom('crm');
  const { args } = await privacy.restoreArguments(call('mail', 'send', true), { people: [{ to: token }] });
  expect(args).toEqual({ people: [{ to: 'ann@x.test' }] });
});

test('a token of somebody else goes on as it is, with a note', async () => {
  const { privacy, call, vaults } = setUp();
  const foreign = (await vaults.of('q')).tokenOf('EMAIL', 'ann@x.test', { kind: 'agent' });
  const { args, notes } = await privacy.restoreArguments(call('mail'), { to: foreign });
  expect(args).toEqual({ to: foreign });
  expect(notes).toEqual([`mail.send got ${foreign} in "to" as it is: it is no token of this server`]);
});

test('in egress mode results and failures reach the code as they are', async () => {
  const { privacy, call } = setUp();
  const came = result('ann@x.test');
  expect(await privacy.receive(call('crm'), came)).toBe(came);
  expect(await privacy.receiveText(call('crm'), 'no ann@x.test')).toBe('no ann@x.test');
});

test('in strict mode they hold tokens, and an argument with one arrives as its value', async () => {
  const { privacy, call } = setUp({ mode: 'strict' });
  const { structured, content } = await privacy.receive(call('crm'), result('ann@x.test'));
  const { mail: token } = structured as { mail: string };
  expect(token).toMatch(/^PIIEMAIL\w+$/);
  expect(content).toEqual([{ type: 'text', text: token }]);
  expect(await privacy.receiveText(call('crm'), 'no ann@x.test')).toBe(`no ${token}`);
  expect((await privacy.restoreArguments(call('mail'), { to: token })).args).toEqual({ to: 'ann@x.test' });
});

test('a server has a mode and kinds of its own', async () => {
  const { privacy, call } = setUp({ rules: { crm: { mode: 'strict' }, phones: { mode: 'strict' } } });
  const text = 'ann@x.test 0000-1111-2222';
  const seen = async (server: string) =>
    ((await privacy.receive(call(server), result(text))).structured as { mail: string }).mail;
  expect(await seen('crm')).toMatch(/^PIIEMAIL\w+ PIIPHONE\w+$/);
  expect(await seen('phones')).toMatch(/^ann@x\.test PIIPHONE\w+$/);
  expect(await seen('files')).toBe(text);
});

test('what the agent sent itself is no token in strict mode either', async () => {
  const { privacy, call, vaults } = setUp({ mode: 'strict' });
  (await vaults.of('p')).addSent('EMAIL', 'ann@x.test');
  expect((await privacy.receive(call('crm'), result('ann@x.test'))).structured).toEqual({
    mail: 'ann@x.test',
  });
});

test('results are noted for the answer where code sees true values', () => {
  const { privacy, noted, call } = setUp({ rules: { crm: { mode: 'strict' } } });
  const note = privacy.noting('p');
  note(call('files'), new Uint8Array(3));
  note(call('crm'), new Uint8Array(5));
  expect(noted).toEqual([['files', 3]]);
});

test('a text from code gets tokens for every kind, also for what the agent sent', async () => {
  const { privacy, vaults } = setUp();
  (await vaults.of('p')).addSent('EMAIL', 'ann@x.test');
  expect(await privacy.tokenise('p', 'ann@x.test or 0000-1111-2222')).toMatch(/^PIIEMAIL\w+ or PIIPHONE\w+$/);
  expect(await privacy.tokenise('p', 'help@x.test')).toBe('help@x.test');
});
