import { expect, test } from 'vitest';
import { Gate } from '../../../../src/server/http/gate.js';

const OPEN = undefined;
const HOST = 'this Host is not allowed (http.allowedHosts)';
const ORIGIN = 'this Origin is not allowed (http.allowedOrigins)';
const local = new Gate({ host: '127.0.0.1', allowedHosts: [], allowedOrigins: [] });
const remote = new Gate({
  host: '0.0.0.0',
  allowedHosts: ['Code.Example.com'],
  allowedOrigins: ['https://app.example.com'],
});

test.each([
  ['localhost', OPEN],
  ['LocalHost:8848', OPEN],
  ['127.0.0.1:1', OPEN],
  ['[::1]:8848', OPEN],
  [undefined, HOST],
  ['', HOST],
  ['localhost.', HOST],
  ['localhost.evil.example', HOST],
  ['evil.example#localhost', HOST],
  ['localhost:8848@evil.example', HOST],
  ['evil@localhost', HOST],
  ['localhost:port', HOST],
  ['127.0.0.2', HOST],
  ['0.0.0.0', HOST],
  ['[::]', HOST],
  ['2130706433', HOST],
])('on this machine, the Host %s: %s', (host, expected) => {
  expect(local.refuses(host, undefined)).toBe(expected);
});

test.each([
  ['code.example.com', OPEN],
  ['CODE.example.com:443', OPEN],
  ['0.0.0.0:8848', HOST],
  ['localhost', HOST],
  ['example.com', HOST],
])('at every address only configured names come in: %s', (host, expected) => {
  expect(remote.refuses(host, undefined)).toBe(expected);
});

test('one address of this machine is a name of its own', () => {
  const gate = new Gate({ host: '192.0.2.7', allowedHosts: [], allowedOrigins: [] });
  expect([gate.refuses('192.0.2.7:8848', undefined), gate.refuses('localhost', undefined)]).toEqual([
    OPEN,
    HOST,
  ]);
});

test.each([
  ['http://code.example.com:8848', OPEN],
  ['https://code.example.com:8848', OPEN],
  ['https://app.example.com', OPEN],
  ['HTTPS://App.Example.com', OPEN],
  ['https://code.example.com', ORIGIN],
  ['http://app.example.com', ORIGIN],
  ['https://app.example.com:444', ORIGIN],
  ['https://app.example.com.evil.example', ORIGIN],
  ['https://evil.example', ORIGIN],
  ['null', ORIGIN],
  ['', ORIGIN],
  ['*', ORIGIN],
])('the Origin %s: %s', (origin, expected) => {
  expect(remote.refuses('code.example.com:8848', origin)).toBe(expected);
});
