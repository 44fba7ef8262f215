import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { ErrorCode } from '../../../src/core/errors.js';
import type { Mechanism } from '../../../src/fs/folder.js';

/** The mechanisms that can be tried on this system. */
export const MECHANISMS: readonly Mechanism[] =
  process.platform === 'linux' ? ['handles', 'checks'] : ['checks'];

/** A fresh folder of the host, removed after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'code-execution-fs-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Expects a CodeExecutionError with this code, and no host path in its text. */
export async function expectCode(result: Promise<unknown>, code: ErrorCode): Promise<void> {
  const error: unknown = await result.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'CodeExecutionError', code });
  const text = error instanceof Error ? error.message : '';
  expect(text).not.toContain(tmpdir());
  expect(text).not.toContain('/proc/self');
}

export const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');
export const textOf = (content: Uint8Array): string => Buffer.from(content).toString('utf8');
