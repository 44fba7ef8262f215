import { expect, test } from 'vitest';
import type { Privacy } from '../../../src/privacy/privacy.js';
import { connect } from './harness.js';

const sanitise: Privacy['sanitise'] = async (principal, text) => ({
  text: text.replaceAll('jane@x.test', `TOKEN-${principal}`),
  types: text.includes('jane') ? { EMAIL: 2, PHONE: 1 } : {},
});

test('sanitize_pii gives the text with tokens and what it replaced, by type', async () => {
  const { call } = await connect({ privacy: { sanitise } });
  const { text, structured } = await call('sanitize_pii', { text: 'to jane@x.test' });
  expect(text).toBe('ok · 3 replaced (EMAIL 2, PHONE 1)\nto TOKEN-local');
  expect(structured).toEqual({
    sanitized_text: 'to TOKEN-local',
    pii_found: 3,
    pii_types: { EMAIL: 2, PHONE: 1 },
  });
  expect((await call('sanitize_pii', { text: 'plain' })).text).toBe('ok · nothing found\nplain');
});

test('restore_pii names every token that stays, and why', async () => {
  const notRestored = [{ token: 'PIIX', reason: 'it came from crm' }];
  const { call } = await connect({
    privacy: { restore: async () => ({ text: 'to jane', restored: 1, notRestored }) },
  });
  const { text, structured } = await call('restore_pii', { text: 'to PIIY and PIIX' });
  expect(text).toBe('ok · 1 restored, 1 not\nnot restored: PIIX: it came from crm\nto jane');
  expect(structured).toEqual({ restored_text: 'to jane', restored: 1, not_restored: notRestored });
});

test.each(['sanitize_pii', 'restore_pii'])(
  'with privacy off %s says so instead of returning the text',
  async (tool) => {
    const { call } = await connect();
    const { code, text } = await call(tool, { text: 'jane@x.test' });
    expect(code).toBe('config_error');
    expect(text).toContain('privacy is off');
    expect(text).not.toContain('jane@x.test');
  },
);

test('what a call of any tool sends is noted before it is answered, also if it is refused', async () => {
  const noted: unknown[] = [];
  const noteSent: Privacy['noteSent'] = async (principal, args) => void noted.push([principal, args]);
  const { call } = await connect({ privacy: { noteSent } });
  await call('execute_code', { code: '1', context_vars: { a: 'jane@x.test' } });
  await call('write_workspace_file', { filename: '../x', content: 'y' });
  expect(noted).toEqual([
    ['local', { code: '1', context_vars: { a: 'jane@x.test' } }],
    ['local', { filename: '../x', content: 'y' }],
  ]);
});

test('a text beyond what one call takes is refused with the next step', async () => {
  const { call } = await connect({ privacy: { sanitise } });
  const { code, text } = await call('sanitize_pii', { text: 'x'.repeat(100_001) });
  expect(code).toBe('too_large');
  expect(text).toContain('tokenize_pii');
});
