import type { ContainedDir } from '../fs/contained-dir.js';
import { isAbandoned, newInstanceName } from '../fs/instance-name.js';
import { RelativePath } from '../fs/relative-path.js';
import { emptyIfMissing, HISTORY, ignoreMissing, prepareHistory, writeText } from './skill-history.js';

// The dot sets it apart from the history of a skill that is called "writing".
const WRITING = `${HISTORY}/.writing`;

/** A note that a server is changing a skill's folder. */
export interface Note {
  readonly folder: string;
  readonly path: string;
  /** The server is gone: what it did not finish is for others to finish. */
  readonly abandoned: boolean;
}

/**
 * Calls `change` while a note stands at `.history/.writing/`. Folder and history may differ as long as one does: the
 * history is right then. A server that is killed leaves its note, and the next one puts the folder right.
 */
export async function withNote<T>(dir: ContainedDir, folder: string, change: () => Promise<T>): Promise<T> {
  const path = `${WRITING}/${folder}.${newInstanceName()}`;
  await prepareHistory(dir);
  await writeText(dir, path, '');
  try {
    return await change();
  } finally {
    await removeNote(dir, path);
  }
}

/** The notes of one skill, or of all. */
export async function notesOf(dir: ContainedDir, folder?: string): Promise<Note[]> {
  const { entries } = await emptyIfMissing(dir, WRITING);
  const notes = entries.map(({ path, mtimeMs }) => {
    const [of = '', instance = ''] = path.slice(WRITING.length + 1).split('.');
    return { folder: of, path, abandoned: isAbandoned(instance, mtimeMs) };
  });
  return folder === undefined ? notes : notes.filter((note) => note.folder === folder);
}

export async function removeNote(dir: ContainedDir, path: string): Promise<void> {
  await ignoreMissing(dir.removeFile(RelativePath.parse(path)));
}
