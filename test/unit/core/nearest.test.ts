import { expect, test } from 'vitest';
import { nearest } from '../../../src/core/nearest.js';

const KEYS = ['serve', 'run', 'config', 'doctor', 'sandbox.memoryMb', 'sandbox.timeoutSeconds'];

test.each([
  ['serv', 'serve'],
  ['SERVE', 'serve'],
  ['rnu', 'run'],
  ['confg', 'config'],
  ['docter', 'doctor'],
  ['sandbox.memoryMB', 'sandbox.memoryMb'],
  ['timeoutSeconds', 'sandbox.timeoutSeconds'],
  ['xyzzy', undefined],
  ['', undefined],
  ['s'.repeat(10_000), undefined],
])('%.30s most likely means %s', (word, expected) => {
  expect(nearest(word, KEYS)).toBe(expected);
});
