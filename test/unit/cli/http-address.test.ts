import { expect, test } from 'vitest';
import { httpAddress } from '../../../src/cli/http-address.js';
import { runCommandLine } from '../../../src/cli/program.js';
import { fakeHost } from '../config/fake-host.js';
import { fakeContext } from './fake-context.js';

test.each([
  [true as const, {}],
  ['8848', { port: 8848 }],
  [':0', { port: 0 }],
  ['localhost', { host: 'localhost' }],
  ['0.0.0.0:9000', { host: '0.0.0.0', port: 9000 }],
  ['[::1]:9000', { host: '[::1]', port: 9000 }],
  ['code.example.com', { host: 'code.example.com' }],
])('--http %s is %o', (flag, address) => {
  expect(httpAddress(flag)).toEqual(address);
});

test.each([
  '',
  ':',
  'localhost:',
  ':65536',
  '::1',
  '::1:80',
  'http://localhost:80',
  'a b',
  'localhost:80/mcp',
  '-1',
])('--http "%s" is no address', (flag) => {
  expect(() => httpAddress(flag)).toThrow(`--http ${flag} is no address`);
});

test('serve --http says where it listens, and closes in the end', async () => {
  const context = fakeContext(fakeHost());
  expect(await runCommandLine(['serve', '--http', ':0'], context)).toBe(0);
  expect(context.events).toEqual(['http {"port":0}', 'close']);
  expect(context.out()).toBe('listening on http://127.0.0.1:1/mcp\n');
});

test('serve --http with the token of the run names its file', async () => {
  const serving = {
    url: 'http://127.0.0.1:1/mcp',
    tokenFile: '/data/http-token-1',
    closed: Promise.resolve(),
  };
  const context = fakeContext(fakeHost(), { app: { serveHttp: () => Promise.resolve(serving) } });
  expect(await runCommandLine(['serve', '--http'], context)).toBe(0);
  expect(context.out()).toBe(
    'listening on http://127.0.0.1:1/mcp\nno tokens are configured; the bearer token of this run is in /data/http-token-1\n',
  );
});

test('a wrong address ends with the usage and exit code 2', async () => {
  const context = fakeContext(fakeHost());
  expect(await runCommandLine(['serve', '--http', 'http://localhost'], context)).toBe(2);
  expect(context.err()).toContain('next: write --http HOST:PORT, such as 127.0.0.1:8848');
  expect(context.events).toEqual([]);
});
