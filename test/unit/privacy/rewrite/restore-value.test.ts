import { describe, expect, test } from 'vitest';
import { restoreValue } from '../../../../src/privacy/rewrite/restore-value.js';
import { replacing } from './open-vault.js';

const ORIGIN = { kind: 'tool', server: 'crm' } as const;

describe('restored arguments', () => {
  test('have values in place of tokens, and the path of each use', async () => {
    const { vault } = await replacing();
    const mail = vault.tokenOf('EMAIL', 'jane@example.org', ORIGIN);
    const ssn = Number(vault.numberTokenOf('SSN', '123456789', ORIGIN));
    const args = { to: mail.toLowerCase(), items: [{ email: `<${mail}>`, ssn }], note: 'hello' };
    const { value, restored, notRestored } = restoreValue(args, vault, () => true);
    expect(value).toEqual({
      to: 'jane@example.org',
      items: [{ email: '<jane@example.org>', ssn: 123456789 }],
      note: 'hello',
    });
    expect(restored.map(({ path, type }) => [path, type])).toEqual([
      ['to', 'EMAIL'],
      ['items[0].email', 'EMAIL'],
      ['items[0].ssn', 'SSN'],
    ]);
    expect(notRestored).toEqual([]);
  });

  test('keep the tokens that may not go there, with the reason', async () => {
    const { vault } = await replacing();
    const mail = vault.tokenOf('EMAIL', 'jane@example.org', ORIGIN);
    const args = { to: mail, body: mail, other: 'PIIEMAIL0000000000000' };
    const { value, restored, notRestored } = restoreValue(args, vault, (_use, path) => path === 'to');
    expect(value).toEqual({ ...args, to: 'jane@example.org' });
    expect(restored.map(({ path }) => path)).toEqual(['to']);
    expect(notRestored).toContainEqual({ token: mail, reason: 'refused', path: 'body' });
  });

  test('never restore keys, and are the same object when nothing is restored', async () => {
    const { vault } = await replacing();
    const mail = vault.tokenOf('EMAIL', 'jane@example.org', ORIGIN);
    const args = { [mail]: 1, rows: [1, 2] };
    expect(restoreValue(args, vault, () => true).value).toBe(args);
  });

  test('hold values as JSON strings need them inside JSON text, one level deeper too', async () => {
    const { vault } = await replacing();
    const address = '12 "Old" Lane\nSpringfield';
    const token = vault.tokenOf('ADDRESS', address, ORIGIN);
    const content = JSON.stringify({ address: token, inner: JSON.stringify([token]), n: 1.5 });
    const { value } = restoreValue({ content }, vault, () => true);
    const written = JSON.parse((value as { content: string }).content);
    expect(written.address).toBe(address);
    expect(JSON.parse(written.inner)).toEqual([address]);
    expect(restoreValue({ content: `Dear ${token}` }, vault, () => true).value).toEqual({
      content: `Dear ${address}`,
    });
  });

  test('hold values inside base64', async () => {
    const { vault } = await replacing();
    const token = vault.tokenOf('EMAIL', 'jane@example.org', ORIGIN);
    const content = Buffer.from(`to: ${token}\n`).toString('base64');
    const { value } = restoreValue({ content }, vault, () => true);
    const { content: written } = value as { content: string };
    expect(Buffer.from(written, 'base64').toString()).toBe('to: jane@example.org\n');
  });

  test('hold the digits as a string where a double would change them', async () => {
    const { vault } = await replacing();
    const token = Number(vault.numberTokenOf('BANK_ACCOUNT', '12345678901234567891', ORIGIN));
    expect(restoreValue({ token }, vault, () => true).value).toEqual({ token: '12345678901234567891' });
  });
});
