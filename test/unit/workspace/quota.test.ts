import { expect, test } from 'vitest';
import { NOTHING, Quota } from '../../../src/workspace/quota.js';

const full = expect.objectContaining({ code: 'disk_limit' });

function quota(bytes: number, files = 0, folders = 0): Quota {
  const made = new Quota(100, 10);
  made.setBase({ bytes, files, folders });
  return made;
}

test('the last byte fits, the next does not', () => {
  const q = quota(90);
  q.check({ ...NOTHING, bytes: 10 });
  expect(() => q.check({ ...NOTHING, bytes: 11 })).toThrow(full);
});

test('files and folders have limits of their own', () => {
  const q = quota(0, 10, 9);
  expect(() => q.check({ ...NOTHING, files: 1 })).toThrow(full);
  q.check({ ...NOTHING, folders: 1 });
  expect(() => q.check({ ...NOTHING, folders: 2 })).toThrow(full);
});

test('what one view reserved is gone for the others and for direct writes, until it is released', () => {
  const q = quota(50);
  const [a, b] = [{}, {}];
  q.reserve(a, { ...NOTHING, bytes: 30 });
  expect(() => q.reserve(b, { ...NOTHING, bytes: 21 })).toThrow(full);
  expect(() => q.check({ ...NOTHING, bytes: 21 })).toThrow(full);
  q.check({ ...NOTHING, bytes: 50 }, a);
  q.release(a);
  q.reserve(b, { ...NOTHING, bytes: 50 });
});

test('a refused reservation leaves the former one', () => {
  const q = quota(50);
  const [a, b] = [{}, {}];
  q.reserve(a, { ...NOTHING, bytes: 40 });
  expect(() => q.reserve(a, { ...NOTHING, bytes: 51 })).toThrow(full);
  q.reserve(b, { ...NOTHING, bytes: 10 });
  expect(() => q.reserve(b, { ...NOTHING, bytes: 11 })).toThrow(full);
});

test('what a view frees is room for itself, not for others', () => {
  const q = quota(100);
  const [a, b] = [{}, {}];
  q.reserve(a, { ...NOTHING, bytes: -60 });
  expect(() => q.reserve(b, { ...NOTHING, bytes: 1 })).toThrow(full);
});

test('a workspace that is over its limit may shrink', () => {
  const q = quota(500, 50);
  q.check({ bytes: -1, files: 0, folders: 0 });
  q.adjustBase({ bytes: -450, files: -45, folders: 0 });
  expect(q.base).toEqual({ bytes: 50, files: 5, folders: 0 });
  q.check({ bytes: 50, files: 5, folders: 0 });
});

test('the message names the limit', () => {
  const q = new Quota(2.5 * 1024 * 1024, 7);
  expect(() => q.check({ ...NOTHING, bytes: 1e9 })).toThrow('The workspace is full: it may hold 2.5 MiB.');
  expect(() => q.check({ ...NOTHING, files: 8 })).toThrow('The workspace is full: it may hold 7 files.');
});
