import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeLeftOvers } from '../../../src/sandbox/native/left-overs.js';
import { needs } from '../../support/capabilities.js';

const LATER = Date.now() + 120_000;

needs('linux').describe('folders that killed servers have left in /tmp', () => {
  let tmp = '';
  let server: Server | undefined;
  const folderNamed = (name: string): string => {
    const folder = path.join(tmp, name);
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'filter'), 'x');
    return folder;
  };
  beforeEach(() => {
    tmp = mkdtempSync(path.join(tmpdir(), 'left-'));
  });
  afterEach(() => {
    server?.close();
    rmSync(tmp, { recursive: true, force: true });
  });

  test('are removed with what is in them, once they are old', async () => {
    const folder = folderNamed('code-execution-jail-abcDEF');
    await removeLeftOvers(tmp);
    expect(existsSync(folder)).toBe(true);
    await removeLeftOvers(tmp, LATER);
    expect(existsSync(folder)).toBe(false);
  });

  test('stay where somebody listens', async () => {
    const folder = folderNamed('code-execution-jail-abcDEF');
    server = createServer();
    await new Promise<void>((resolve) => server?.listen(path.join(folder, 'socket'), resolve));
    await removeLeftOvers(tmp, LATER);
    expect(existsSync(path.join(folder, 'filter'))).toBe(true);
  });

  test('stay under other names, and with files that no server makes', async () => {
    const other = folderNamed('code-execution-data');
    const full = folderNamed('code-execution-jail-abcDEF');
    writeFileSync(path.join(full, 'mine'), 'x');
    await removeLeftOvers(tmp, LATER);
    expect([existsSync(path.join(other, 'filter')), existsSync(path.join(full, 'mine'))]).toEqual([
      true,
      true,
    ]);
  });

  test('are not followed to other places', async () => {
    const elsewhere = folderNamed('elsewhere');
    symlinkSync(elsewhere, path.join(tmp, 'code-execution-jail-abcDEF'));
    const folder = path.join(tmp, 'code-execution-canary-abcDEF');
    mkdirSync(folder);
    symlinkSync(path.join(elsewhere, 'filter'), path.join(folder, 'canary'));
    await removeLeftOvers(tmp, LATER);
    expect(existsSync(path.join(elsewhere, 'filter'))).toBe(true);
    expect(existsSync(folder)).toBe(false);
  });
});
