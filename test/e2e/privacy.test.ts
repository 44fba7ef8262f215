import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENTRY } from '../../scripts/support/server-process.mjs';
import { startServer } from '../support/start-server.js';
import { verifies } from './verifies.js';

const CRM = fileURLToPath(new URL('../support/fake-servers/crm-server.mjs', import.meta.url));
const VALUE = 'marta.kowalska@mail.example.org';
const TOKEN = /PIIEMAIL[0-9A-Z]{13}/;
const FIRST = 'tools.crm.customers()["customers"][0]["email"]';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function temporary(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'privacy-'));
  folders.push(folder);
  return folder;
}

async function open(privacy: object, crm: object = {}, more: Parameters<typeof startServer>[0] = {}) {
  const log = path.join(temporary(), 'mails.jsonl');
  const config = { privacy, mcpServers: { crm: { command: process.execPath, args: [CRM, log], ...crm } } };
  const server = await startServer({ config, ...more });
  const run = (code: string, args = {}) => server.call('execute_code', { code, ...args });
  const mails = () =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  return { server, run, mails, config };
}

describe('in strict mode', () => {
  let crm: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    crm = await open(
      { mode: 'strict' },
      { privacy: { restore: { allow: ['send_mail.to'], deny: ['send_mail.body'] } } },
    );
  });

  test(
    verifies(['PRIVACY-1', 'PRIVACY-3'], 'a token is an ordinary string in code: equal, grouped, joined'),
    async () => {
      const { data } = await crm.run(
        'a = tools.crm.customers()["customers"]\nb = tools.crm.customers()["customers"]\n' +
          'by = {c["email"]: c for c in a}\nresult = [by[c["email"]] is c for c in b] == [False, False] and sum(by[c["email"]]["due"] for c in b)',
      );
      expect(data.result).toBe(12.5);
    },
  );

  test(verifies('PRIVACY-1', 'a value that the tool repeats is the same token again'), async () => {
    const { data } = await crm.run(
      `to = ${FIRST}\necho = tools.crm.send_mail(to=to, body="hello")\nresult = [to, echo]`,
    );
    const [token, echo] = data.result as [string, string];
    expect(token).toMatch(TOKEN);
    expect(echo).toBe(`send_mail: ${token} hello`);
    expect(crm.mails()).toEqual([{ name: 'send_mail', to: VALUE, body: 'hello' }]);
  });

  test(verifies('PRIVACY-6', 'a value goes to no argument that the policy denies'), async () => {
    const sent = crm.mails().length;
    const { text, code } = await crm.run(`tools.crm.send_mail(to="x", body=${FIRST})`);
    expect(code).toBe('restore_denied');
    expect(text).toContain('in "body" may not go to this tool');
    expect(crm.mails()).toHaveLength(sent);
  });

  test(
    verifies('PRIVACY-5', 'what the agent sent itself stays a value, in code and in the answer'),
    async () => {
      const { data } = await crm.run(
        `me = "henrik.l@mail.example.org"\nresult = [c["due"] for c in tools.crm.customers()["customers"] if c["email"] == me] + [me]`,
      );
      expect(data.result).toEqual([0, 'henrik.l@mail.example.org']);
    },
  );

  test(verifies('PRIVACY-5', 'code makes tokens of a text, and restores none'), async () => {
    const { data } = await crm.run(
      '[tokenize_pii("call +44 7700 900123 now"), [n for n in dir() if "restore" in n.lower()]]',
    );
    expect(data.result).toEqual([expect.stringMatching(/^call PIIPHONE[0-9A-Z]{13} now$/), []]);
  });
});

test(
  verifies('PRIVACY-6', 'a value of one server is not mailed by another that reaches an open world'),
  async () => {
    const log = path.join(temporary(), 'other.jsonl');
    const other = { command: process.execPath, args: [CRM, log] };
    const { server } = await open(
      { mode: 'strict' },
      {},
      {
        config: {
          privacy: { mode: 'strict' },
          mcpServers: { crm: { command: process.execPath, args: [CRM, log] }, other },
        },
      },
    );
    const mailed = await server.call('execute_code', {
      code: `tools.other.send_mail(to=${FIRST}, body="x")`,
    });
    expect(mailed.text).toContain('may not go to this tool, which reaches an open world');
    expect(mailed.text).toContain('mcpServers.other.privacy.restore.allow: ["send_mail.to"]');
    expect(existsSync(log)).toBe(false);
    const noted = await server.call('execute_code', { code: `tools.other.note(body=${FIRST})` });
    expect(noted.isError).toBe(false);
    expect(readFileSync(log, 'utf8')).toContain(VALUE);
  },
);

test.each(['own', 'ask', 'allow', 'never'] as const)(
  verifies('PRIVACY-5', 'under privacy.restore "%s" the model sees what it may'),
  async (restore) => {
    const questions: string[] = [];
    const person = (question: string) => {
      questions.push(question);
      return { action: 'accept' as const, content: { allow: true } };
    };
    const { server, run } = await open({ restore }, {}, { person });
    const sanitised = await server.call('sanitize_pii', { text: 'mail ann@mail.example.org' });
    expect(sanitised.text).toMatch(/^ok · 1 replaced \(EMAIL 1\)\nmail PIIEMAIL/);
    const own = String(sanitised.data.sanitized_text);
    const foreign = String((await run(FIRST)).data.result);
    const { data } = await server.call('restore_pii', { text: `${own} ${foreign}` });
    expect(data.restored_text).toBe(
      {
        own: `mail ann@mail.example.org ${foreign}`,
        ask: `mail ann@mail.example.org ${VALUE}`,
        allow: `mail ann@mail.example.org ${VALUE}`,
        never: `${own} ${foreign}`,
      }[restore],
    );
    expect(questions).toEqual(
      restore === 'ask' ? [expect.stringMatching(/restore_pii .*personal data that came from|1 EMAIL/s)] : [],
    );
  },
);

test(verifies('PRIVACY-4', 'with privacy off values pass, and the statistics say so'), async () => {
  const { server, run } = await open({ mode: 'off' });
  expect((await run(FIRST)).data.result).toBe(VALUE);
  expect((await server.call('get_execution_stats')).text).toContain('\nprivacy: off\n');
  expect((await server.call('sanitize_pii', { text: VALUE })).code).toBe('config_error');
  expect((await run('tokenize_pii("x")')).text).toContain('privacy is off');
});

test(
  verifies('PRIVACY-7', 'tokens outlive the server; the person sees the text, and erases it'),
  async () => {
    const dataDir = temporary();
    const first = await open({ mode: 'strict' }, {}, { dataDir });
    const token = String(
      (await first.run(`open("letter.txt", "w").write("To: " + ${FIRST})\nresult = ${FIRST}`)).data.result,
    );
    await first.server.close();
    const second = await open({ mode: 'strict' }, {}, { dataDir });
    expect((await second.run(FIRST)).data.result).toBe(token);
    await second.server.close();
    const configFile = path.join(dataDir, 'config.json');
    writeFileSync(configFile, JSON.stringify(second.config));
    const cli = (...args: string[]) => {
      const flags = ['--config', configFile, '--data-dir', dataDir];
      return spawnSync(process.execPath, [ENTRY, ...args, ...flags], { encoding: 'utf8' });
    };
    const letter = path.join(dataDir, 'workspaces', 'local', 'letter.txt');
    expect(readFileSync(letter, 'utf8')).toBe(`To: ${token}`);
    expect(cli('privacy', 'restore', letter)).toMatchObject({ status: 0, stdout: `To: ${VALUE}` });
    expect(cli('privacy', 'forget')).toMatchObject({ status: 0 });
    const after = cli('privacy', 'restore', letter);
    expect([after.status, after.stdout]).toEqual([1, `To: ${token}`]);
    expect(after.stderr).toContain('its value was erased');
  },
);
