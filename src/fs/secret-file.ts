import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { CodeExecutionError } from '../core/errors.js';
import { errnoOf } from './system-error.js';

/** File systems without hard links answer with one of these. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'UNKNOWN'];

/**
 * The bytes of a file that only its owner may read; undefined when there is none. All calls are synchronous: keys are
 * needed in the middle of synchronous work, and are short.
 *
 * @throws CodeExecutionError `config_error` when it has another length, is a link, or others may read it.
 */
export function readSecret(file: string, length: number): Buffer | undefined {
  const name = path.basename(file);
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw unreadable(name, 'cannot be opened', error);
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw unreadable(name, 'is no regular file');
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
      throw new CodeExecutionError(
        'config_error',
        `The key file ${name} may be read by others than its owner.`,
        `Run "chmod 600" on it.`,
      );
    // One byte more than wanted, so that a longer file shows.
    const bytes = Buffer.alloc(length + 1);
    const got = readSync(fd, bytes, 0, length + 1, 0);
    if (got !== length)
      throw unreadable(name, `has ${got > length ? 'more than' : `${got} bytes instead of`} ${length} bytes`);
    return bytes.subarray(0, length);
  } finally {
    closeSync(fd);
  }
}

/**
 * Makes the file (mode 0600, its folder 0700) unless it is there. Of several processes one wins; all get its bytes.
 * It appears whole: a process that is killed half-way leaves no short file behind.
 */
export function readOrMakeSecret(file: string, length: number, make: () => Uint8Array): Buffer {
  const there = readSecret(file, length);
  if (there !== undefined) return there;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const bytes = make();
  try {
    writeNew(temporary, bytes);
    try {
      linkSync(temporary, file);
    } catch (error) {
      // Exclusive too, but not whole at once.
      if (NO_LINKS.includes(errnoOf(error))) writeNew(file, bytes);
      else throw error;
    }
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  const made = readSecret(file, length);
  if (made === undefined) throw new Error('a key file vanished while it was made');
  return made;
}

/** Puts a text in the place of the file (mode 0600, its folder 0700), whole at once; a link there is replaced, not followed. */
export function replaceSecret(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeNew(temporary, Buffer.from(text));
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Overwrites the bytes before the file goes, so that a disk that was taken away does not hold them. It leaves its place at
 * once, so that nobody reads a half-erased key; a later call ends what a killed process began.
 */
export function eraseSecret(file: string): void {
  const leaving = `${file}.erased`;
  try {
    renameSync(file, leaving);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
  let fd: number;
  try {
    fd = openSync(leaving, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    throw error;
  }
  try {
    writeSync(fd, randomBytes(Math.min(fstatSync(fd).size, 4096)), 0, undefined, 0);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  rmSync(leaving, { force: true });
}

/** Changes when the file is replaced or goes; undefined when it is not there. @throws CodeExecutionError `config_error`. */
export function fileIdentity(file: string): string | undefined {
  try {
    const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? undefined : `${stats.ino}-${stats.mtimeNs}-${stats.birthtimeNs}`;
  } catch (error) {
    throw unreadable(path.basename(file), 'cannot be opened', error);
  }
}

function writeNew(file: string, bytes: Uint8Array): void {
  const fd = openSync(file, 'wx', 0o600);
  try {
    writeSync(fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function unreadable(name: string, fault: string, cause?: unknown): CodeExecutionError {
  return new CodeExecutionError(
    'config_error',
    `The key file ${name} ${fault}.`,
    'Put back the one from a backup. If there is none, delete it; what was encrypted with it is lost.',
    { cause },
  );
}
