import { randomBytes } from 'node:crypto';
import { constants, realpathSync } from 'node:fs';
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CodeExecutionError } from '../core/errors.js';

/** Largest text file that is read, in bytes: a configuration or a program is far smaller, anything larger is a mistake. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Access to the operator's own text files, by the paths the operator gave. Not for workspaces. */
export interface TextFiles {
  /**
   * The text of a regular file without a byte order mark; undefined if there is no such file.
   * @throws CodeExecutionError `config_error`: no regular file, unreadable, over 16 MiB, or not UTF-8.
   */
  read(path: string): Promise<string | undefined>;
  /**
   * Replaces the content at once (readers see the old or the new text), keeping the file's permissions, and makes missing
   * folders. A link is followed. If the file was there, a copy of it is left beside it first.
   * @returns the path of that copy.
   * @throws CodeExecutionError `config_error` if the file no longer holds `expected`, or cannot be written.
   */
  replace(path: string, text: string, expected: string | undefined): Promise<string | undefined>;
}

export const textFiles: TextFiles = { read: readTextFile, replace: replaceTextFile };

async function readTextFile(path: string): Promise<string | undefined> {
  try {
    return (await readWithMode(path))?.text;
  } catch (error) {
    throw asConfigError(error, `cannot read ${path}`);
  }
}

async function readWithMode(path: string): Promise<{ text: string; mode: number } | undefined> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    // Without O_NONBLOCK opening a FIFO that nobody writes to waits for ever.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new CodeExecutionError('config_error', `${path} is no regular file`);
    if (stat.size > MAX_BYTES) {
      throw new CodeExecutionError('config_error', `${path} is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
    }
    const bytes = await handle.readFile();
    try {
      // The decoder also drops a byte order mark.
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), mode: stat.mode & 0o777 };
    } catch (cause) {
      throw new CodeExecutionError('config_error', `${path} is not UTF-8 text`, 'save it as UTF-8', {
        cause,
      });
    }
  } finally {
    await handle.close();
  }
}

async function replaceTextFile(
  path: string,
  text: string,
  expected: string | undefined,
): Promise<string | undefined> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const target = expected === undefined ? path : realpathSync(path);
    const before = await readWithMode(target);
    if (before?.text !== expected) {
      throw new CodeExecutionError(
        'config_error',
        `${path} was changed by another program just now`,
        'run the command again',
      );
    }
    const suffix = randomBytes(4).toString('hex');
    const backup = before ? `${target}.${timestamp()}-${suffix}.bak` : undefined;
    if (backup) await copyFile(target, backup, constants.COPYFILE_EXCL);
    await writeThenRename(`${target}.${suffix}.tmp`, target, text, before?.mode ?? 0o600);
    return backup;
  } catch (error) {
    throw asConfigError(error, `cannot write ${path}`);
  }
}

async function writeThenRename(temporary: string, target: string, text: string, mode: number): Promise<void> {
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.chmod(mode);
      await handle.writeFile(text, 'utf8');
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function timestamp(): string {
  return new Date().toISOString().slice(0, 19).replace(/[-:]/g, '');
}

function asConfigError(error: unknown, what: string): CodeExecutionError {
  if (error instanceof CodeExecutionError) return error;
  return new CodeExecutionError('config_error', `${what} (${errorCode(error) ?? String(error)})`, undefined, {
    cause: error,
  });
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
