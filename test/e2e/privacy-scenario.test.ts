import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ATTEMPTS,
  HOSTILE_ATTEMPTS,
  type PrivacyFolder,
  privacyFolder,
  REMINDERS,
} from '../../scripts/support/privacy-scenario.mjs';
import { type Answer, type ServerProcess, startServer } from '../support/start-server.js';
import { verifies } from './verifies.js';

const TOKEN = /PII[A-Z]+[0-9A-Z]{12,}/;

describe.each(['egress', 'strict'] as const)('500 customers in %s mode', (mode) => {
  let folder: PrivacyFolder;
  let server: ServerProcess;
  const answers: Answer[] = [];

  const run = async (code: string) => {
    const context_vars = { folder: folder.customers, outbox: folder.outbox };
    const answer = await server.call('execute_code', { code, context_vars, timeout_seconds: 60 });
    answers.push(answer);
    return answer;
  };

  beforeAll(async () => {
    folder = privacyFolder();
    server = await startServer({
      config: { mcpServers: folder.mcpServers, privacy: { mode, detect: 'full' } },
    });
  });
  afterAll(() => folder.remove());

  test(
    verifies('PRIVACY-1', 'reminders hold the true values, and the answer tokens in place of them'),
    async () => {
      const { data, isError } = await run(REMINDERS);
      expect(isError).toBe(false);
      const { worst, ...facts } = data.result as { worst: Record<string, string> };
      expect(facts).toEqual(folder.expected);
      expect(folder.written()).toEqual(folder.letters);
      for (const kind of ['name', 'email', 'phone', 'iban', 'address']) expect(worst[kind]).toMatch(TOKEN);
      expect(worst.customer).toMatch(/^C\d{4}$/);
    },
  );

  test.each(Object.entries(ATTEMPTS))(
    verifies('PRIVACY-2', 'a value that code shows %s is a token, and so are all others'),
    async (_, code) => {
      await run(code);
    },
  );

  test(verifies('PRIVACY-2', 'a file that code wrote is read with tokens'), async () => {
    answers.push(await server.call('read_workspace_file', { filename: 'note.txt' }));
    answers.push(await server.call('read_workspace_file', { filename: 'note.txt', offset: 14, limit: 8 }));
    answers.push(await server.call('read_workspace_file', { filename: 'note.txt', encoding: 'base64' }));
    expect(answers.at(-3)?.text).toMatch(TOKEN);
  });

  test(verifies('PRIVACY-2', 'a skill that holds a value is not saved'), async () => {
    const text = 'tools.crm.read_text_file(path=f"{folder}/customers.csv")["content"]';
    const source = `f"def who():\\n    '''Says who.'''\\n    return {email!r}\\n"`;
    const answer = await run(`email = ${text}.splitlines()[1].split(",")[2]\nsave_skill("who", ${source})`);
    if (mode === 'egress')
      expect(answer.text).toContain('this one holds personal data or a secret: EMAIL in line 3 of the code');
    answers.push(await server.call('load_skill', { name: 'who' }));
  });

  // In egress mode nothing of the kind is promised.
  const hostile = mode === 'strict' ? Object.entries(HOSTILE_ATTEMPTS) : [];
  test.each(hostile)(
    verifies('PRIVACY-3', 'a hostile program that shows a value %s shows a token in that form'),
    async (_, code) => {
      const { data } = await run(code);
      const shown = JSON.stringify([data.result, data.output]);
      const first = folder.people[0];
      for (const value of [first?.email, first?.iban]) {
        const letters = [...String(value)];
        expect(shown).not.toContain(letters.toReversed().join(''));
        expect(String(data.output ?? '').replaceAll('\n', '')).not.toContain(value);
        expect(shown).not.toContain(letters.map((one) => one.charCodeAt(0) * 7 + 3).join(','));
      }
    },
  );

  test(
    verifies('PRIVACY-2', 'nothing that the model saw holds a value of the 500, in clear or encoded'),
    () => {
      const seen = answers.map(({ raw }) => JSON.stringify(raw)).join('\n');
      const leaked = folder.values.filter((value) => formsOf(value).some((form) => seen.includes(form)));
      expect(leaked).toEqual([]);
      expect(answers.length).toBeGreaterThan(10);
    },
  );

  test(
    verifies('PRIVACY-4', 'the statistics tell mode and tokens by kind; the audit every restore, no value'),
    async () => {
      const { data, text } = await server.call('get_execution_stats');
      expect(data.privacy).toMatchObject({ mode, tokens: { EMAIL: expect.any(Number) } });
      expect(text).toContain(`privacy: ${mode} · tokens: `);
      if (mode === 'egress') return;
      const file = path.join(server.dataDir, 'audit', 'privacy.jsonl');
      await expect.poll(() => linesOf(file).length).toBe(4 * folder.expected.overdue);
      const [first] = linesOf(file);
      expect(first).toMatchObject({ to: 'outbox.write_file', argument: 'content', outcome: 'restored' });
      const log = readFileSync(file, 'utf8');
      expect(folder.values.filter((value) => log.includes(value))).toEqual([]);
    },
  );
});

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  return [
    value,
    bytes.toString('base64').replaceAll('=', ''),
    bytes.toString('hex'),
    encodeURIComponent(value),
  ];
}

function linesOf(file: string): Record<string, unknown>[] {
  try {
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}
