import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TextStore } from '../../../src/fs/text-store.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'text-store-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a store that was never written has no text', async () => {
  expect(await new TextStore(path.join(folder, 'a/lock.json')).read()).toBeUndefined();
});

test('writers at the same time leave one of their texts whole, and no other file', async () => {
  const texts = Array.from({ length: 20 }, (_, n) => String(n).repeat(10_000));
  await Promise.all(texts.map((text) => new TextStore(path.join(folder, 'lock.json')).write(text)));
  expect(texts).toContain(await new TextStore(path.join(folder, 'lock.json')).read());
  expect(readdirSync(folder)).toEqual(['lock.json']);
});
