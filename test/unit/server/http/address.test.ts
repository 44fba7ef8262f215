import { expect, test } from 'vitest';
import { isEverywhere, isLoopback, listenHost } from '../../../../src/server/http/address.js';

test.each([
  ['127.0.0.1', true, false],
  ['127.8.4.2', true, false],
  ['localhost', true, false],
  ['LOCALHOST', true, false],
  ['[::1]', true, false],
  ['0.0.0.0', false, true],
  ['[::]', false, true],
  ['[0:0:0:0:0:0:0:0]', false, true],
  ['192.0.2.7', false, false],
  ['127.0.0.1.example.com', false, false],
  ['example.com', false, false],
])('%s is an address of this machine alone: %s, all of its addresses: %s', (host, loopback, everywhere) => {
  expect([isLoopback(host), isEverywhere(host)]).toEqual([loopback, everywhere]);
});

test.each([
  ['localhost', '127.0.0.1'],
  ['[::1]', '::1'],
  ['example.com', 'example.com'],
])('%s is listened at as %s', (host, address) => {
  expect(listenHost(host)).toBe(address);
});
