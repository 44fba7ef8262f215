import { setTimeout as sleep } from 'node:timers/promises';
import type { ContainedDir } from '../fs/contained-dir.js';
import { filesOfVersion, readSkillFolder, type SkillFiles } from './skill-folder.js';
import { SkillHistory } from './skill-history.js';
import { notesOf } from './unsettled.js';
import type { VersionRecord } from './version-record.js';

/** A skill as it is now. */
export interface CurrentSkill {
  readonly files: SkillFiles;
  /** The version that the folder holds to the letter; absent when somebody edited it, or it was never saved here. */
  readonly record?: VersionRecord;
  /** The newest version that is kept. */
  readonly newest?: VersionRecord;
}

export type Current = { readonly skill: CurrentSkill } | { readonly broken: string } | undefined;

/** Looks at a folder between the two files of a writer, in milliseconds apart. */
const LOOKS = [1, 2, 5, 10, 20];

/**
 * What a skill's folder and its history say together. The folder is right, for other programs and people use it too;
 * the history is right while a note stands ({@link notesOf}). Changes nothing.
 */
export async function currentSkill(dir: ContainedDir, folder: string): Promise<Current> {
  const history = new SkillHistory(dir, folder);
  for (const wait of [...LOOKS, 0]) {
    const reading = await readSkillFolder(dir, folder);
    const newest = await history.newest();
    if (reading !== undefined && 'broken' in reading) return reading;
    const files = reading?.files;
    if (newest !== undefined && files !== undefined && holds(files, newest))
      return { skill: { files, record: newest, newest } };
    if (newest !== undefined && (await notesOf(dir, folder)).length > 0) return fromHistory(history, newest);
    if (files === undefined) return undefined;
    if (newest === undefined) return { skill: { files } };
    const records = await history.records();
    const record = records.find((one) => holds(files, one));
    if (record !== undefined) return { skill: { files, record, newest } };
    // The code of one version with the SKILL.md of another: a writer was between the two, just now.
    if (wait === 0 || !isKnown(files, records)) return { skill: { files, newest } };
    await sleep(wait);
  }
  return undefined;
}

/** Whether all of a folder's text is in the history already, be it of two versions. */
export function isKnown(files: SkillFiles, records: readonly VersionRecord[]): boolean {
  return (
    records.some(({ hash }) => hash === files.hash) &&
    records.some(({ manifestHash }) => manifestHash === files.manifestHash)
  );
}

/** Whether a folder holds a version to the letter. */
export function holds(files: SkillFiles, record: VersionRecord): boolean {
  return files.hash === record.hash && files.manifestHash === record.manifestHash;
}

async function fromHistory(history: SkillHistory, record: VersionRecord): Promise<Current> {
  if (record.origin === 'remove') return undefined;
  const texts = await history.texts(record.version);
  if (texts === undefined) return undefined;
  const reading = filesOfVersion(history.folder, texts, record.time);
  if (reading === undefined || 'broken' in reading) return reading;
  return { skill: { files: reading.files, record, newest: record } };
}
