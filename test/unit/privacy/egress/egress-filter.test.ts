import { describe, expect, test } from 'vitest';
import { PII_TYPES, STANDARD_PII } from '../../../../src/core/pii.js';
import { EgressFilter, type EgressOptions } from '../../../../src/privacy/egress/egress-filter.js';
import { fakeDetector } from '../rewrite/fake-detector.js';
import { memoryVaults } from '../rewrite/open-vault.js';

const MAIL = 'jane.doe@example.org';
const CRM = { kind: 'tool', server: 'crm' } as const;

function open(extra: Partial<EgressOptions> = {}) {
  const vaults = memoryVaults();
  const filter = new EgressFilter({
    detector: fakeDetector,
    vaults,
    types: new Set(PII_TYPES),
    isAllowed: () => false,
    ...extra,
  });
  return { vaults, filter, see: <T>(facts: T) => filter.filter(facts, 'local') };
}

describe('the filter', () => {
  test('gives back the same object when there is nothing to hide', async () => {
    const facts = {
      report: { output: { head: 'all is well', tail: '' } },
      value: { type: 'int', value: [1, 'a'] },
    };
    expect(await open().see(facts)).toBe(facts);
  });

  test('keeps the value as it is when only the output holds something', async () => {
    const value = { type: 'list', value: [1, { a: 'b' }] };
    const shown = await open().see({ report: { output: { head: MAIL } }, value });
    expect(shown.value.value).toBe(value.value);
    expect(shown.report.output.head).toMatch(/^PIIEMAIL\w+$/);
  });

  test('makes tokens that restore to the value, of the server they came from or of the run', async () => {
    const { vaults, filter, see } = open();
    filter.beginRun('local').add('crm', { value: { mail: 'bob@example.org' } });
    const { a, b } = await see({ a: MAIL, b: 'B-O-B at BOB@EXAMPLE.ORG' });
    const { text, restored } = (await vaults.of('local')).restore(`${a} ${b}`, () => true);
    expect(text).toBe('jane.doe@example.org B-O-B at BOB@EXAMPLE.ORG');
    expect(restored.map(({ origins }) => origins)).toContainEqual([{ kind: 'tool', server: 'run' }]);
  });

  test('shows what the agent sent itself and what the operator allows', async () => {
    const { vaults, see } = open({ isAllowed: (_type, value) => value.endsWith('@allowed.test') });
    (await vaults.of('local')).addSent('EMAIL', MAIL);
    const facts = { text: `${MAIL} and info@allowed.test, base64 ${Buffer.from(MAIL).toString('base64')}` };
    expect(await see(facts)).toBe(facts);
  });

  test('looks only for the kinds that are configured', async () => {
    const { see } = open({ types: new Set(STANDARD_PII) });
    const facts = { value: { value: { name: 'Jane Doe', mail: MAIL } } };
    const shown = await see(facts);
    expect(shown.value.value).toEqual({ name: 'Jane Doe', mail: expect.stringMatching(/^PIIEMAIL/) });
  });

  test('leaves tokens of its own as they are', async () => {
    const { see } = open();
    const { text } = await see({ text: MAIL });
    const facts = { text: `to ${text}`, value: { value: { name: text } } };
    expect(await see(facts)).toBe(facts);
  });

  test('replaces numbers that are values by their key or known, as numbers', async () => {
    const { vaults, see } = open();
    (await vaults.of('local')).tokenOf('CREDIT_CARD', '4111 1111 1111 1111', CRM);
    const shown = await see({ value: { value: { ssn: 123456789, n: 4111111111111111, list: [1, 2.5] } } });
    const { ssn, n, list } = shown.value.value;
    expect([ssn, n].every((number) => Number.isSafeInteger(number) && number > 8e15)).toBe(true);
    expect(n).not.toBe(4111111111111111);
    expect(list).toEqual([1, 2.5]);
  });

  test('replaces keys of data, and never two by one', async () => {
    const shown = await open().see({ value: { value: { [MAIL]: 1, [MAIL.toUpperCase()]: 2, ok: 3 } } });
    const keys = Object.keys(shown.value.value);
    expect(new Set(keys).size).toBe(3);
    expect(keys.filter((key) => key.startsWith('PIIEMAIL'))).toHaveLength(2);
    expect(keys).toContain('ok');
  });

  test('does not touch the words by which an answer is laid out', async () => {
    const { vaults, see } = open();
    const vault = await vaults.of('local');
    for (const name of ['created', 'timedOut', 'value', 'report']) vault.tokenOf('USERNAME', name, CRM);
    const facts = {
      report: { outcome: { kind: 'timedOut' }, filesChanged: [{ path: 'a', change: 'created' }] },
    };
    expect(await see(facts)).toBe(facts);
  });

  test('finds a value over the strings of an answer, and empties all but the first', async () => {
    const { vaults, see } = open();
    (await vaults.of('local')).tokenOf('EMAIL', MAIL, CRM);
    const shown = await see({ value: { value: [...MAIL] } });
    expect(shown.value.value[0]).toMatch(/^PIIEMAIL/);
    expect(shown.value.value.slice(1)).toEqual(Array(MAIL.length - 1).fill(''));
  });

  test('says what an encoded stretch holds', async () => {
    const { see } = open();
    const { text } = await see({
      text: `x ${Buffer.from(`to ${MAIL}, cc bob@example.org`).toString('base64')} y`,
    });
    expect(text).toMatch(/^x \[base64 of PIIEMAIL\w+, PIIEMAIL\w+\] y$/);
  });

  test('does not show what unpacks to more than it looks through', async () => {
    const { gzipSync } = await import('node:zlib');
    const packed = gzipSync(Buffer.alloc(2_000_000, 65)).toString('base64');
    expect(await open().see({ text: packed })).toEqual({
      text: '[compressed base64: not shown, it is too long to be searched]',
    });
  });

  test('finds values anywhere in a text of many windows, also where two of them meet', async () => {
    const { vaults, see } = open({ types: new Set() });
    (await vaults.of('local')).tokenOf('EMAIL', MAIL, CRM);
    const filler = 'x y\n'.repeat(65_530);
    for (const shift of [0, 8, 16]) {
      const text = `${filler}${' '.repeat(shift)}J.A.N.E.doe@example.org\n${filler}`;
      const shown = await see({ text });
      expect(shown.text).not.toMatch(/example/);
      expect(shown.text.length).toBeGreaterThan(2 * filler.length);
    }
  });

  test('fails on no odd input', async () => {
    const { see } = open();
    for (const text of [
      '\ud800',
      '\udc00\ud800',
      '\u0000',
      '%',
      '%4',
      '\\u',
      '\\x4',
      '&#;',
      '=',
      'a@',
      '@\n@',
      '[,',
      '"',
    ])
      expect(await see({ text, value: { value: [text, Number.NaN, -0, null, { [text]: text }] } })).toEqual({
        text,
        value: { value: [text, Number.NaN, -0, null, { [text]: text }] },
      });
  });

  test('forgets with the vault', async () => {
    const { vaults, filter, see } = open({ types: new Set() });
    (await vaults.of('local')).tokenOf('EMAIL', MAIL, CRM);
    expect((await see({ text: MAIL })).text).toMatch(/^PII/);
    filter.beginRun('local').add('crm', { value: { mail: MAIL } });
    await vaults.forget('local');
    expect(await see({ text: MAIL })).toEqual({ text: MAIL });
  });

  test('keeps principals apart', async () => {
    const { vaults, filter } = open({ types: new Set() });
    (await vaults.of('ann')).tokenOf('EMAIL', MAIL, CRM);
    expect(await filter.filter({ text: MAIL }, 'bob')).toEqual({ text: MAIL });
  });
});

describe('what is hidden in a text', () => {
  test('is told by its place, in order and without overlap', async () => {
    const { filter } = open();
    const text = `a ${MAIL} b ${Buffer.from(MAIL).toString('hex')}`;
    const hidden = await filter.hiddenIn(text, 'local');
    expect(hidden.map(({ start, end }) => text.slice(start, end))).toEqual([
      MAIL,
      Buffer.from(MAIL).toString('hex'),
    ]);
    expect(hidden[1]?.text).toBe(`[hex of ${hidden[0]?.text}]`);
  });
});

describe('the notes of a run', () => {
  test('make the values of UTF-8 JSON known, without its escapes', async () => {
    const { filter, see } = open();
    const json = new TextEncoder().encode('{"value":{"mail":"jos\\u00e9.b@example.org"}}');
    filter.beginRun('local').add('crm', json);
    expect((await see({ text: [...'jos\u00e9.b@example.org'].join('-') })).text).toMatch(/^PIIEMAIL/);
  });

  test('are kept up to 256 kB a run: what is longer is not looked through', async () => {
    const seen: number[] = [];
    const { filter, see } = open({
      detector: {
        begin: () => ({
          inText: (text) => {
            seen.push(text.length);
            return [];
          },
          inValue: () => [],
          inNumber: () => undefined,
        }),
      },
    });
    const notes = filter.beginRun('local');
    const bytes = (length: number) => new Uint8Array(length).fill(32);
    notes.add('crm', bytes(10_000_000));
    notes.add('crm', bytes(200_000));
    notes.add('crm', bytes(100_000));
    notes.add('crm', bytes(50_000));
    await see({});
    expect(seen).toEqual([200_000, 50_000]);
    await see({});
    expect(seen).toHaveLength(2);
  });
});
