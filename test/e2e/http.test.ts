import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  connectHttp,
  type HttpClient,
  type HttpProcess,
  INITIALIZE,
  modern,
  openSession,
  sendRaw,
  startHttpServer,
} from '../support/http-server.js';
import { verifies } from './verifies.js';

const OFFICE = fileURLToPath(new URL('../support/fake-servers/office-server.mjs', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'http-office-'));
const PING = { jsonrpc: '2.0', id: 7, method: 'ping' };
const LIST = { jsonrpc: '2.0', id: 8, method: 'tools/list' };

let server: HttpProcess;
const tokenOf = (name: string): string => server.tokens[name] ?? '';

beforeAll(async () => {
  const office = { command: process.execPath, args: [OFFICE, path.join(folder, 'calls.jsonl')] };
  server = await startHttpServer({
    principals: ['ann', 'bob', 'eve'],
    config: {
      mcpServers: { office },
      sandbox: { pool: 1 },
      http: { maxSessionsPerPrincipal: 5 },
    },
  });
  return () => rmSync(folder, { recursive: true, force: true });
});

async function outcomes(client: HttpClient): Promise<Record<string, number>> {
  const { data } = await client.call('get_execution_stats');
  return (data.runs as { by_outcome: Record<string, number> }).by_outcome;
}

async function files(client: HttpClient): Promise<string[]> {
  const { data } = await client.call('list_workspace_files');
  return (data.files as { name: string }[]).map((file) => file.name);
}

describe.each(['legacy', 'auto'] as const)('over HTTP, %s protocol era', (era) => {
  test(verifies('HTTP-1', 'the same tools are listed and code runs, with progress'), async () => {
    const { client, call, leave } = await connectHttp(server.url, tokenOf('ann'), era);
    expect(client.getNegotiatedProtocolVersion()).toBe(era === 'legacy' ? '2025-11-25' : '2026-07-28');
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(12);
    const steps: unknown[] = [];
    const { structuredContent } = await client.callTool(
      { name: 'execute_code', arguments: { code: 'progress(1, 2, "half")\n6 * 7' } },
      { onprogress: (step) => steps.push(step) },
    );
    expect(structuredContent).toMatchObject({ success: true, result: 42 });
    expect(steps).toContainEqual(expect.objectContaining({ message: 'half', progress: 1, total: 2 }));
    const session = era === 'legacy' ? 'a' : 'b';
    await call('execute_code', { code: 'kept = 5', session });
    expect((await call('execute_code', { code: 'kept + 1', session })).data.result).toBe(6);
    await leave();
  });

  test(verifies(['HTTP-1', 'TOOLS-6'], 'a person is asked, and the answer decides'), async () => {
    const questions: string[] = [];
    const { call, leave } = await connectHttp(server.url, tokenOf('ann'), era, (question) => {
      questions.push(question);
      return { action: 'accept', content: { allow: questions.length === 1 } };
    });
    const code = `
done = [tools.office.delete_customer(name="Ada")]
try:
    tools.office.delete_customer(name="Grace")
except tools.ToolDenied as error:
    done.append(error.code)
done`;
    const { data } = await call('execute_code', { code });
    expect(data.result).toEqual(['delete_customer Ada', 'tool_denied']);
    expect(questions).toEqual([expect.stringContaining('"Ada"'), expect.stringContaining('"Grace"')]);
    await leave();
  });

  test(verifies('HTTP-6', 'a call that the client cancels is stopped'), async () => {
    const eve = await connectHttp(server.url, tokenOf('eve'), era);
    const before = (await outcomes(eve)).cancelled ?? 0;
    const cancel = new AbortController();
    const run = eve.client.callTool(
      {
        name: 'execute_code',
        arguments: { code: 'progress(1)\nwhile True: pass', timeout_seconds: 60 },
      },
      { signal: cancel.signal, onprogress: () => cancel.abort() },
    );
    await expect(run).rejects.toThrow();
    await expect.poll(async () => (await outcomes(eve)).cancelled ?? 0).toBe(before + 1);
    await eve.leave();
  });

  test(verifies('HTTP-1', 'a skill that is saved is told to a client that listens'), async () => {
    const { client, call, leave } = await connectHttp(server.url, tokenOf('eve'), era);
    const told = new Promise((resolve) => {
      client.setNotificationHandler('notifications/resources/list_changed', resolve);
    });
    const subscription = era === 'auto' ? await client.listen({ resourcesListChanged: true }) : undefined;
    const name = `told_${era}`;
    const saved = await call('save_skill', {
      name,
      description: 'Adds one.',
      code: 'def main(n):\n    return n + 1\n',
    });
    expect(saved.isError, saved.text).toBe(false);
    await told;
    await subscription?.close();
    await leave();
  });
});

describe('two principals', () => {
  let ann: HttpClient;
  let bob: HttpClient;
  beforeAll(async () => {
    ann = await connectHttp(server.url, tokenOf('ann'));
    bob = await connectHttp(server.url, tokenOf('bob'), 'legacy');
  });

  test(verifies('HTTP-3', "do not see each other's files"), async () => {
    await ann.call('write_workspace_file', { filename: 'plan.txt', content: 'of Ann' });
    expect(await files(ann)).toContain('plan.txt');
    expect(await files(bob)).toEqual([]);
    expect((await bob.call('read_workspace_file', { filename: 'plan.txt' })).code).toBe('not_found');
    const run = await bob.call('execute_code', { code: 'import os\nos.listdir(".")' });
    expect(run.data.result).toEqual([]);
    await expect(bob.client.readResource({ uri: 'workspace:///plan.txt' })).rejects.toThrow();
    expect((await ann.client.readResource({ uri: 'workspace:///plan.txt' })).contents).toMatchObject([
      { text: 'of Ann' },
    ]);
  });

  test(verifies('HTTP-3', "do not see each other's variables in sessions of the same name"), async () => {
    await ann.call('execute_code', { code: 'secret = "of Ann"', session: 'work' });
    const other = await bob.call('execute_code', { code: 'secret', session: 'work' });
    expect(other.code).toBe('python_error');
    expect(other.text).toContain('NameError');
    const own = await ann.call('execute_code', { code: 'secret', session: 'work' });
    expect(own.data.result).toBe('of Ann');
  });

  test(verifies('HTTP-3', "do not see each other's skills"), async () => {
    const code = 'def main(text):\n    return text.upper()\n';
    const saved = await ann.call('save_skill', { name: 'shout', description: 'Upper case.', code });
    expect(saved.isError, saved.text).toBe(false);
    expect((await ann.call('list_skills')).data.total).toBe(1);
    expect((await bob.call('list_skills')).data.total).toBe(0);
    expect((await bob.call('load_skill', { name: 'shout' })).code).toBe('not_found');
    const run = await bob.call('execute_code', { code: 'from skills import shout' });
    expect(run.isError).toBe(true);
    const names = (await bob.client.listResources()).resources.map((resource) => resource.name);
    expect(names).not.toContain('shout');
  });

  test(verifies('HTTP-3', "cannot use each other's tokens for personal data"), async () => {
    const { data } = await ann.call('sanitize_pii', { text: 'mail ada@mail.example.org' });
    const hidden = String(data.sanitized_text);
    expect(hidden).not.toContain('ada@');
    const own = await ann.call('restore_pii', { text: hidden });
    expect(own.data.restored_text).toBe('mail ada@mail.example.org');
    const other = await bob.call('restore_pii', { text: hidden });
    expect(other.data).toMatchObject({ restored: 0, restored_text: hidden });
  });

  test(verifies('HTTP-3', 'have figures of their own'), async () => {
    const figures = async (client: HttpClient) => (await client.call('get_execution_stats')).data;
    const before = await figures(bob);
    await ann.call('execute_code', { code: 'raise SystemExit("of Ann")' });
    await ann.call('write_workspace_file', { filename: 'more.txt', content: 'x' });
    const after = await figures(bob);
    expect(after.runs).toEqual(before.runs);
    expect(after.workspace).toEqual(before.workspace);
    expect(after.skills).toEqual({ total: 0 });
    expect(after.privacy).toEqual(before.privacy);
    expect((before.runs as { total: number }).total).toBe(3);
  });

  test(verifies('HTTP-4', "do not see each other's protocol sessions"), async () => {
    const id = await openSession(server.url, tokenOf('ann'));
    const headers = { 'mcp-session-id': id };
    const foreign = { token: tokenOf('bob'), headers };
    expect((await sendRaw(server.url, { ...foreign, body: LIST })).status).toBe(404);
    expect((await sendRaw(server.url, { ...foreign, method: 'GET' })).status).toBe(404);
    expect((await sendRaw(server.url, { ...foreign, method: 'DELETE' })).status).toBe(404);
    const own = await sendRaw(server.url, { token: tokenOf('ann'), headers, body: PING });
    expect([own.status, own.json.result]).toEqual([200, {}]);
    await sendRaw(server.url, { token: tokenOf('ann'), headers, method: 'DELETE' });
  });
});

describe('a client that leaves', () => {
  const CODE = 'progress(1, 2, "begun")\nimport time\ntime.sleep(20)\nopen("late.txt", "w").write("late")';
  const ARGS = { name: 'execute_code', arguments: { code: CODE, timeout_seconds: 60 } };
  const begun = (text: string): boolean => text.includes('begun');

  test(verifies('HTTP-6', 'in the modern era stops its run by cutting the stream'), async () => {
    const eve = await connectHttp(server.url, tokenOf('eve'));
    const before = (await outcomes(eve)).cancelled ?? 0;
    const cut = await sendRaw(server.url, {
      token: tokenOf('eve'),
      ...modern('tools/call', ARGS),
      leave: begun,
    });
    expect(cut.text).not.toContain('"result"');
    await expect.poll(async () => (await outcomes(eve)).cancelled ?? 0).toBe(before + 1);
    expect(await files(eve)).not.toContain('late.txt');
  });

  test.each(['cutting the stream', 'DELETE'])(
    verifies('HTTP-6', 'in the 2025 era stops its run by %s'),
    async (how) => {
      const token = tokenOf('eve');
      const eve = await connectHttp(server.url, token);
      const before = (await outcomes(eve)).cancelled ?? 0;
      const headers = { 'mcp-session-id': await openSession(server.url, token) };
      const end = () => sendRaw(server.url, { token, headers, method: 'DELETE' });
      let ending: Promise<unknown> = Promise.resolve();
      const run = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { ...ARGS, _meta: { progressToken: 1 } },
      };
      const cut = await sendRaw(server.url, {
        token,
        headers,
        body: run,
        leave(text) {
          if (!begun(text)) return false;
          if (how === 'DELETE') ending = end();
          return how !== 'DELETE';
        },
      });
      expect(cut.text).not.toContain('"result"');
      await expect.poll(async () => (await outcomes(eve)).cancelled ?? 0).toBe(before + 1);
      expect(await files(eve)).not.toContain('late.txt');
      await ending;
      // The session outlives a stream.
      if (how !== 'DELETE')
        expect((await sendRaw(server.url, { token, headers, body: PING })).status).toBe(200);
      expect((await end()).status).toBe(how === 'DELETE' ? 404 : 200);
    },
  );

  test(verifies('HTTP-6', 'while its person is asked stops its run'), async () => {
    const token = tokenOf('eve');
    const eve = await connectHttp(server.url, token);
    const before = (await outcomes(eve)).cancelled ?? 0;
    const initialize = { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities: { elicitation: {} } } };
    const { headers: opened } = await sendRaw(server.url, { token, body: initialize });
    const headers = { 'mcp-session-id': String(opened['mcp-session-id']) };
    await sendRaw(server.url, {
      token,
      headers,
      body: { jsonrpc: '2.0', method: 'notifications/initialized' },
    });
    const code = 'tools.office.delete_customer(name="Ada")';
    const cut = await sendRaw(server.url, {
      token,
      headers,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'execute_code', arguments: { code } },
      },
      leave: (text) => text.includes('elicitation/create'),
    });
    expect(cut.text).toContain('delete_customer');
    await expect.poll(async () => (await outcomes(eve)).cancelled ?? 0).toBe(before + 1);
    await sendRaw(server.url, { token, headers, method: 'DELETE' });
  });
});

describe('without tokens in the configuration', () => {
  test(verifies('HTTP-7', 'a token is made for this run, in a file of this user alone'), async () => {
    const own = await startHttpServer();
    const file = /^no tokens are configured; the bearer token of this run is in (.+)$/m.exec(
      own.stdout(),
    )?.[1];
    expect(file).toBe(path.join(own.dataDir, `http-token-${new URL(own.url).port}`));
    const token = readFileSync(String(file), 'utf8').trim();
    if (process.platform !== 'win32') expect(statSync(String(file)).mode & 0o777).toBe(0o600);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(own.stdout() + own.stderr()).not.toContain(token);
    expect((await sendRaw(own.url, { body: LIST })).status).toBe(401);
    const { client } = await connectHttp(own.url, token);
    expect((await client.listTools()).tools).toHaveLength(12);
    await client.close();
  });

  test.each([
    ['0.0.0.0:0', 'nobody has a token, and 0.0.0.0 can be reached from other machines'],
    ['example.com:0', 'nobody has a token, and example.com can be reached from other machines'],
  ])(verifies('HTTP-7', 'another address (%s) is refused with the next step'), async (address, message) => {
    await expect(startHttpServer({ address })).rejects.toThrow(message);
    await expect(startHttpServer({ address })).rejects.toThrow('next: make a token');
  });
});

test(verifies('HTTP-7', 'a port that is taken ends the start with the next step'), async () => {
  const address = new URL(server.url).host;
  const refused = startHttpServer({ address });
  await expect(refused).rejects.toThrow(
    `ended with 2:\ncode-execution-mcp: cannot listen at ${address}: the port is in use\nnext: name another address`,
  );
});

test(verifies('HTTP-8', 'a signal ends the server, what it runs, and the file of its token'), async () => {
  const kept = mkdtempSync(path.join(tmpdir(), 'http-end-'));
  onTestFinished(() => rmSync(kept, { recursive: true, force: true }));
  const own = await startHttpServer({ dataDir: kept });
  const file = path.join(kept, `http-token-${new URL(own.url).port}`);
  const token = readFileSync(file, 'utf8').trim();
  let stopped: Promise<number | null> | undefined;
  const args = { code: 'progress(1)\nwhile True: pass', timeout_seconds: 60 };
  const cut = await sendRaw(own.url, {
    token,
    ...modern('tools/call', { name: 'execute_code', arguments: args }),
    leave(text) {
      if (text.includes('notifications/progress')) stopped ??= own.stop('SIGTERM');
      return false;
    },
  });
  expect(cut.text).not.toContain('"result"');
  expect(await stopped).toBe(143);
  expect(() => statSync(file)).toThrow('ENOENT');
  await expect(sendRaw(own.url, { token, body: LIST })).rejects.toThrow('ECONNREFUSED');
});
