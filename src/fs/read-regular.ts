import { constants, fstatSync, type Stats } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { CodeExecutionError } from '../core/errors.js';
import { type Entry, entryOf } from './entry.js';
import type { Folder } from './folder.js';
import { quotePath } from './relative-path.js';
import { PLAIN_HINT } from './system-error.js';

export interface ReadRange {
  /** Bytes to pass over; past the end gives no bytes. Default 0. */
  readonly offset?: number;
  /** Bytes wanted at most. Default: up to the end. */
  readonly length?: number;
  /** Most bytes to hold in memory; a longer answer is refused before anything is allocated. */
  readonly maxBytes: number;
}

/** A writer gives a file a second name for the blink of a rename; after these waits (ms) it is someone's hard link. */
const LINK_WAITS = [1, 2, 4, 8, 16];

/**
 * Reads from a file by handle: no link followed, no waiting on a pipe, regular and with one name only (a hard link may
 * be a file from outside). `path` is for messages.
 */
export async function readRegular(
  folder: Folder,
  name: string,
  path: string,
  range: ReadRange,
): Promise<{ bytes: Uint8Array; entry: Entry }> {
  const fd = await folder.openFile(name, constants.O_RDONLY);
  try {
    const stats = await settledStats(fd);
    const entry = entryOf(path, stats);
    if (entry === undefined) throw irregular(path, 'is no regular file');
    if (entry.kind === 'directory') throw irregular(path, 'is a folder');
    if (stats.nlink > 1) throw irregular(path, 'has several hard links');
    const offset = range.offset ?? 0;
    const length = Math.max(0, Math.min(range.length ?? Number.POSITIVE_INFINITY, entry.size - offset));
    if (length > range.maxBytes) throw tooLarge(path, length, range.maxBytes);
    // Not from Buffer's shared pool: callers may keep or transfer the memory. Only bytes that were read are given out.
    const bytes = Buffer.allocUnsafeSlow(length);
    let done = 0;
    while (done < length) {
      const bytesRead = await folder.disk.read(fd, bytes, done, length - done, offset + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return { bytes: bytes.subarray(0, done), entry };
  } finally {
    await folder.disk.close(fd);
  }
}

async function settledStats(fd: number): Promise<Stats> {
  let stats = fstatSync(fd);
  for (const wait of LINK_WAITS) {
    if (stats.nlink <= 1 || !stats.isFile()) break;
    await sleep(wait);
    stats = fstatSync(fd);
  }
  return stats;
}

/** The refusal for what is no plain file. */
export function irregular(path: string, fault: string): CodeExecutionError {
  return new CodeExecutionError('path_denied', `${quotePath(path)} ${fault}.`, PLAIN_HINT);
}

function tooLarge(path: string, length: number, maxBytes: number): CodeExecutionError {
  return new CodeExecutionError(
    'too_large',
    `${quotePath(path)} holds ${length} bytes to read; at most ${maxBytes} are read at once.`,
    'Read a part of it with offset and limit.',
  );
}
