import type { ConfigFlags } from '../config/config.js';
import { CodeExecutionError, type ErrorCode } from '../core/errors.js';
import type { SkillArchive, TestOutcome } from '../skills/skills.js';
import type { App } from './app-contract.js';
import type { CliContext } from './context.js';
import { openApp } from './open-app.js';
import { UsageError } from './usage-error.js';

/** What whoever types a command can mend by typing another. */
const TYPED: ReadonlySet<ErrorCode> = new Set(['not_found', 'bad_name', 'path_denied']);

/** Opens the app for one command about skills and closes it. */
export async function withSkills(
  context: CliContext,
  flags: ConfigFlags,
  task: (skills: SkillArchive, app: App) => Promise<number>,
): Promise<number> {
  const { app } = await openApp(context, flags, 'error');
  try {
    return await task(await app.skills(), app);
  } catch (error) {
    if (error instanceof CodeExecutionError && TYPED.has(error.code))
      throw new UsageError(error.message, error.hint);
    throw error;
  } finally {
    await app.close();
  }
}

/** A version as it is typed. @throws UsageError */
export function versionNumber(text: string, what = 'the version'): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`${what}: found "${printable(text)}", valid: a whole number from 1`);
}

/** Text that somebody else wrote, for a terminal: line breaks stay, whatever could act on it is written out. */
export function printable(text: string): string {
  return text.replace(
    /[^\P{Cc}\n\t]|[\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `tests: 3 passed`; empty for a version that was not tested. */
export function testText(test: TestOutcome | undefined): string {
  if (test === undefined) return '';
  return test.failed === 0
    ? `tests: ${test.passed} passed`
    : `tests: ${test.failed} failed, ${test.passed} passed`;
}
