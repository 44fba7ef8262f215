import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { isWorkerUid } from '../worker-uid.js';

const FOLDERS = /^code-execution-(?:jail|canary)-\w{6}$/;
/** All that is ever in them. */
const FILES = ['socket', 'filter', 'canary'];
/** Another server may be at work in one that is younger, in milliseconds. */
const AGE_MS = 60_000;

/** Removes the folders of servers that were killed: those of this user, old, and without anybody who listens. Never throws. */
export async function removeLeftOvers(folder = '/tmp', now = Date.now()): Promise<void> {
  for (const name of namesIn(folder).filter((entry) => FOLDERS.test(entry))) {
    const place = path.join(folder, name);
    try {
      const info = lstatSync(place);
      const { uid, mtimeMs } = info;
      if (!info.isDirectory()) continue;
      const isOurs = uid === process.getuid?.() || (process.getuid?.() === 0 && isWorkerUid(uid));
      if (!isOurs || now - mtimeMs < AGE_MS || (await listens(path.join(place, 'socket')))) continue;
      // By name and not recursively: nothing is followed, whatever has taken its place.
      for (const file of FILES) unlinkIfThere(path.join(place, file));
      rmdirSync(place);
    } catch {
      // Somebody else's, or gone.
    }
  }
}

function listens(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const answer = (heard: boolean): void => {
      connection.destroy();
      resolve(heard);
    };
    connection.once('connect', () => answer(true));
    connection.once('error', () => answer(false));
  });
}

function unlinkIfThere(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
