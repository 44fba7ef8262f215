import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  connectHttp,
  type HttpProcess,
  INITIALIZE,
  modern,
  openSession,
  sendRaw,
  startHttpServer,
} from '../support/http-server.js';
import { verifies } from './verifies.js';

const LIST = { jsonrpc: '2.0', id: 8, method: 'tools/list' };
/** A web page that may call. */
const PAGE = 'https://app.example.com';

let server: HttpProcess;
const tokenOf = (name: string): string => server.tokens[name] ?? '';

beforeAll(async () => {
  server = await startHttpServer({
    principals: ['ann', 'bob', 'max'],
    config: { sandbox: { pool: 0 }, http: { maxSessionsPerPrincipal: 5, allowedOrigins: [PAGE] } },
  });
});

describe('at the door', () => {
  test.each([
    ['of a web site', 'evil.example'],
    ['of a web site, with the port', 'evil.example:8848'],
    ['that looks like ours', '127.0.0.1.evil.example'],
    ['with a user name', 'localhost@evil.example'],
    ['of another machine', '10.0.0.1'],
  ])(verifies('HTTP-2', 'a Host %s is refused, also with a token, on every path'), async (_, host) => {
    for (const at of ['/mcp', '/', '/other'])
      expect(
        (await sendRaw(server.url, { path: at, token: tokenOf('ann'), headers: { host }, body: LIST }))
          .status,
      ).toBe(403);
  });

  test.each(['http://evil.example', 'http://localhost:1', 'null', 'file://', 'http://127.0.0.1'])(
    verifies('HTTP-2', 'the Origin %s is refused, also with a token, and gets no CORS header'),
    async (origin) => {
      const token = tokenOf('ann');
      for (const method of ['POST', 'GET', 'OPTIONS', 'DELETE']) {
        const { status, headers } = await sendRaw(server.url, { method, token, headers: { origin } });
        expect(status).toBe(403);
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    },
  );

  test(verifies('HTTP-2', 'the own names and the own origin come in'), async () => {
    const { port } = new URL(server.url);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'LOCALHOST']) {
      const headers = { host, origin: `http://${host}` };
      expect((await sendRaw(server.url, { token: tokenOf('ann'), headers, body: LIST })).status).toBe(400);
    }
  });

  test.each([
    ['no token', undefined, 'Bearer'],
    ['a wrong token', `Bearer ${'x'.repeat(43)}`, 'Bearer error="invalid_token"'],
    ['another scheme', 'Basic YW5uOmFubg==', 'Bearer error="invalid_token"'],
    ['a name for a token', 'Bearer ann', 'Bearer error="invalid_token"'],
  ])(
    verifies('HTTP-2', '%s is answered with 401 in every era and method'),
    async (_, authorization, challenge) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const list = modern('tools/list');
      for (const one of [{ body: LIST }, { body: '{' }, { method: 'GET' }, { method: 'DELETE' }, list]) {
        const answer = await sendRaw(server.url, {
          ...one,
          headers: { ...('headers' in one ? one.headers : {}), ...headers },
        });
        expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, challenge]);
      }
    },
  );

  test(verifies('HTTP-2', 'the beginning of a token, or more than it, is a wrong token'), async () => {
    for (const token of [tokenOf('ann').slice(0, -1), `${tokenOf('ann')}A`, tokenOf('ann').toUpperCase()])
      expect((await sendRaw(server.url, { token, body: LIST })).status).toBe(401);
  });

  test(verifies('HTTP-2', 'no token stands in the log, nor what a request brought'), async () => {
    await sendRaw(server.url, { token: 'wrong-token-of-a-stranger-0123456789', body: { canary: 'c4n4ry' } });
    expect(server.stderr()).toContain('an HTTP request was refused');
    for (const secret of [...Object.values(server.tokens), 'wrong-token-of-a-stranger', 'c4n4ry'])
      expect(server.stderr() + server.stdout()).not.toContain(secret);
  });

  test(verifies('HTTP-2', 'a page of an allowed origin may ask and read, and no other'), async () => {
    const headers = { origin: PAGE, 'access-control-request-method': 'POST' };
    const asked = await sendRaw(server.url, { method: 'OPTIONS', headers });
    expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([204, PAGE]);
    expect(asked.headers['access-control-allow-headers']).toContain('authorization');
    const token = tokenOf('ann');
    const list = modern('tools/list');
    const read = await sendRaw(server.url, { ...list, token, headers: { ...list.headers, origin: PAGE } });
    expect(read.json.result).toHaveProperty('tools');
    expect([read.headers['access-control-allow-origin'], read.headers.vary]).toEqual([PAGE, 'origin']);
    // It needs a token like everyone else, and can read that it does.
    const refused = await sendRaw(server.url, { body: LIST, headers: { origin: PAGE } });
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, PAGE]);
  });

  test(verifies('HTTP-2', 'only one path and three methods are served'), async () => {
    const token = tokenOf('ann');
    for (const at of ['/', '/mcp/', '/mcp/x', '/sse', '/.well-known/oauth-protected-resource'])
      expect((await sendRaw(server.url, { path: at, token, body: LIST })).status).toBe(404);
    const put = await sendRaw(server.url, { method: 'PUT', token, body: LIST });
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, POST, DELETE']);
    expect((await sendRaw(server.url, { method: 'OPTIONS', token })).status).toBe(405);
  });
});

describe('a protocol session', () => {
  test.each(['made-up', '0'.repeat(64), '../../etc/passwd'])(
    verifies('HTTP-4', 'that nobody opened (%s) is unknown, and opens nothing'),
    async (id) => {
      const headers = { 'mcp-session-id': id };
      for (const one of [{ body: LIST }, { body: INITIALIZE }, { method: 'GET' }, { method: 'DELETE' }]) {
        const answer = await sendRaw(server.url, { token: tokenOf('bob'), headers, ...one });
        expect([answer.status, answer.json.error?.code]).toEqual([404, -32_001]);
        expect(answer.headers['mcp-session-id']).toBeUndefined();
      }
    },
  );

  test(verifies('HTTP-4', 'is needed in the 2025 era, and begins with initialize'), async () => {
    for (const one of [{ body: LIST }, { method: 'GET' }, { method: 'DELETE' }]) {
      const { status, text } = await sendRaw(server.url, { token: tokenOf('bob'), ...one });
      expect([status, text]).toEqual([400, expect.stringContaining('Mcp-Session-Id header is required')]);
    }
  });

  test(verifies('HTTP-4', 'has a random id of 256 bits, and is gone after DELETE'), async () => {
    const token = tokenOf('bob');
    const ids = [await openSession(server.url, token), await openSession(server.url, token)];
    for (const id of ids) expect(Buffer.from(id, 'base64url')).toHaveLength(32);
    expect(ids[0]).not.toBe(ids[1]);
    for (const id of ids) {
      const headers = { 'mcp-session-id': id };
      expect((await sendRaw(server.url, { token, headers, method: 'DELETE' })).status).toBe(200);
      expect((await sendRaw(server.url, { token, headers, body: LIST })).status).toBe(404);
    }
  });

  test(verifies('HTTP-4', 'is limited in number for each principal'), async () => {
    const token = tokenOf('max');
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push(await openSession(server.url, token));
    const refused = await sendRaw(server.url, { token, body: INITIALIZE });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    expect(refused.headers['mcp-session-id']).toBeUndefined();
    // Another principal has room, and so has this one once a session ends.
    const other = await openSession(server.url, tokenOf('bob'));
    for (const id of [...ids, other]) {
      const owner = id === other ? tokenOf('bob') : token;
      await sendRaw(server.url, { token: owner, headers: { 'mcp-session-id': id }, method: 'DELETE' });
    }
    const again = await openSession(server.url, token);
    await sendRaw(server.url, { token, headers: { 'mcp-session-id': again }, method: 'DELETE' });
  });
});

describe('a body', () => {
  const DEEP = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  test.each([
    ['that is no JSON', '{"jsonrpc": "2.0", ', 400, -32_700],
    ['that is empty', '', 400, -32_700],
    ['that is no UTF-8 text of JSON', '\u0000', 400, -32_700],
  ])(verifies('HTTP-5', '%s is a parse error'), async (_, body, status, code) => {
    const answer = await sendRaw(server.url, { token: tokenOf('bob'), body });
    expect([answer.status, answer.json.error?.code]).toEqual([status, code]);
  });

  test.each([
    ['null', 'null'],
    ['a number', '7'],
    ['no request', '{"canary": 1}'],
    ['an empty list', '[]'],
    ['nested 200,000 deep', DEEP],
    [
      'arguments nested 100,000 deep',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute_code","arguments":{"code":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`,
    ],
  ])(verifies('HTTP-5', 'that is %s is refused in both eras, and the server goes on'), async (_, body) => {
    const token = tokenOf('bob');
    const { headers = {} } = modern('tools/call', { name: 'execute_code' });
    for (const more of [{}, headers]) {
      const answer = await sendRaw(server.url, { token, body, headers: more });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
    const session = { 'mcp-session-id': await openSession(server.url, token) };
    const within = await sendRaw(server.url, { token, body, headers: session });
    expect(within.status).toBeLessThan(500);
    await sendRaw(server.url, { token, headers: session, method: 'DELETE' });
    const { json } = await sendRaw(server.url, { token, ...modern('tools/list') });
    expect(json.result).toHaveProperty('tools');
  });

  test(
    verifies('HTTP-5', 'that ends in the middle leaves nothing behind, and no fault in the log'),
    async () => {
      const { hostname, port } = new URL(server.url);
      const socket = connect(Number(port), hostname);
      const head = `POST /mcp HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${tokenOf('bob')}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
      await new Promise((resolve) => socket.write(`${head}{"jsonrpc":`, resolve));
      socket.destroy();
      expect((await sendRaw(server.url, { token: tokenOf('bob'), ...modern('tools/list') })).status).toBe(
        200,
      );
      expect(server.stderr()).not.toContain('fault while answering');
    },
  );

  test(verifies('HTTP-5', 'of another type is refused'), async () => {
    const headers = { 'content-type': 'text/plain' };
    expect((await sendRaw(server.url, { token: tokenOf('bob'), body: LIST, headers })).status).toBe(415);
  });

  test(verifies('HTTP-5', 'over 48 MiB is refused by its length, and a file of 30 MB comes in'), async () => {
    const token = tokenOf('bob');
    const announced = { token, body: '{}', headers: { 'content-length': String(48 * 1024 * 1024 + 1) } };
    expect((await sendRaw(server.url, announced)).status).toBe(413);
    const max = await connectHttp(server.url, tokenOf('max'));
    const content = Buffer.alloc(30_000_000, 7).toString('base64');
    await max.call('write_workspace_file', { filename: 'large.bin', content, encoding: 'base64' });
    const { data } = await max.call('list_workspace_files');
    expect(data.files).toMatchObject([{ name: 'large.bin', size: 30_000_000 }]);
  });
});

test(verifies('HTTP-1', 'hundreds of calls over one connection leave room for more'), async () => {
  const { client, leave } = await connectHttp(server.url, tokenOf('ann'), 'legacy');
  for (let i = 0; i < 300; i++) await client.ping();
  expect((await client.listTools()).tools).toHaveLength(12);
  await leave();
});
