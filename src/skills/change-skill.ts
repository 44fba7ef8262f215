import { CodeExecutionError } from '../core/errors.js';
import type { ContainedDir } from '../fs/contained-dir.js';
import { currentSkill, holds, isKnown } from './current-skill.js';
import { BY_HAND } from './loaded-skill.js';
import { type Manifest, writeManifest } from './manifest.js';
import { readManifest } from './read-manifest.js';
import { readSkillFolder, writeSkillFolder } from './skill-folder.js';
import { SkillHistory, type VersionTexts } from './skill-history.js';
import { MAX_FRONTMATTER_BYTES } from './skill-limits.js';
import { statedMetadata } from './skill-metadata.js';
import { notesOf, removeNote, withNote } from './unsettled.js';
import { hashOf, type VersionRecord } from './version-record.js';

/** What a new version consists of; its number is settled when it is claimed. */
export interface NewVersion {
  readonly record: Omit<VersionRecord, 'version' | 'hash' | 'manifestHash'>;
  readonly code: string;
  /** Without our metadata. */
  readonly manifest: Manifest;
}

/** Tries to claim a number; each failure means that another server saved the same skill just then. */
const MAX_CLAIMS = 1_000;

/**
 * Adds a version and puts it into the folder. What somebody wrote into the folder by hand is kept as a version first.
 * @throws CodeExecutionError `exists` when `replaces` is false and the skill is there, also in a race.
 */
export async function addVersion(
  dir: ContainedDir,
  folder: string,
  replaces: boolean,
  fresh: NewVersion,
): Promise<VersionRecord> {
  await settle(dir, folder);
  const history = new SkillHistory(dir, folder);
  // First the number, then the look: whoever saves after the look has taken the number that this save wants.
  const before = (await history.numbers()).at(-1) ?? 0;
  const current = await currentSkill(dir, folder);
  if (current !== undefined && 'broken' in current) throw unreadable(folder, current.broken);
  if (current !== undefined && !replaces) throw alreadyThere(folder, current.skill.newest?.version);
  return change(dir, history, () =>
    claim(history, before, (version) => {
      if (!replaces && version > before + 1) throw alreadyThere(folder, version - 1);
      return complete(fresh, version);
    }),
  );
}

/** Removes the folder; its versions, and the folder itself in the version that is its removal, are kept. */
export async function addRemoval(
  dir: ContainedDir,
  folder: string,
  by: string,
  time: string,
): Promise<VersionRecord> {
  await settle(dir, folder);
  const history = new SkillHistory(dir, folder);
  const record: Omit<VersionRecord, 'version'> = {
    principal: by,
    time,
    hash: '',
    origin: 'remove',
    description: '',
    tags: [],
    shape: { signature: '', entry: '', functions: [], requiresTools: [], requiresSkills: [], examples: 0 },
    manifestHash: '',
  };
  const before = (await history.numbers()).at(-1) ?? 0;
  return change(dir, history, () =>
    claim(history, before, (version) => ({ record: { ...record, version } })),
  );
}

/** Brings the folder back that the newest version has removed; a version is to be put into it next. */
export async function undoRemoval(dir: ContainedDir, history: SkillHistory): Promise<void> {
  const newest = await history.newest();
  if (newest?.origin !== 'remove') return;
  if ((await readSkillFolder(dir, history.folder)) !== undefined) return;
  await withNote(dir, history.folder, () => history.giveBackFolder(newest.version));
}

/** Puts folders right whose writer was killed; all of them without `folder`. */
export async function settle(dir: ContainedDir, folder?: string): Promise<void> {
  for (const note of await notesOf(dir, folder)) {
    if (!note.abandoned) continue;
    const history = new SkillHistory(dir, note.folder);
    if ((await keepHandEdit(dir, history)) && !(await isNewest(dir, history))) await putNewest(dir, history);
    await removeNote(dir, note.path);
  }
}

async function change(
  dir: ContainedDir,
  history: SkillHistory,
  add: () => Promise<VersionRecord>,
): Promise<VersionRecord> {
  return withNote(dir, history.folder, async () => {
    await keepHandEdit(dir, history);
    const record = await add();
    try {
      await putNewest(dir, history);
    } catch (error) {
      // The caller hears that it failed, so it must not come to life later.
      await history.withdraw(record.version).catch(() => undefined);
      await putNewest(dir, history).catch(() => undefined);
      throw error;
    }
    return record;
  });
}

async function isNewest(dir: ContainedDir, history: SkillHistory): Promise<boolean> {
  const reading = await readSkillFolder(dir, history.folder);
  const newest = await history.newest();
  return reading !== undefined && 'files' in reading && newest !== undefined && holds(reading.files, newest);
}

/** Writes the newest version into the folder until no newer one has come meanwhile: whoever is last writes the last. */
async function putNewest(dir: ContainedDir, history: SkillHistory): Promise<void> {
  for (let newest = await history.newest(); newest !== undefined; ) {
    const texts = newest.origin === 'remove' ? undefined : await history.texts(newest.version);
    if (newest.origin === 'remove') await history.takeFolder(newest.version);
    else if (texts !== undefined) await writeSkillFolder(dir, history.folder, texts);
    const now = await history.newest();
    if (now?.version === newest.version) return;
    newest = now;
  }
}

/** Adds what was written into the folder by hand as a version. False when the folder cannot be read as a skill. */
async function keepHandEdit(dir: ContainedDir, history: SkillHistory): Promise<boolean> {
  const reading = await readSkillFolder(dir, history.folder);
  if (reading === undefined) return true;
  if ('broken' in reading) return false;
  const { files } = reading;
  const newest = await history.newest();
  if (newest !== undefined && isKnown(files, [newest])) return true;
  for (let attempt = 1; attempt <= MAX_CLAIMS; attempt += 1) {
    const records = await history.records();
    if (isKnown(files, records)) return true;
    const { description } = files.parsed;
    const { tags, shape } = files.stated;
    const record: VersionRecord = {
      version: ((await history.numbers()).at(-1) ?? 0) + 1,
      principal: BY_HAND,
      time: new Date(files.mtimeMs).toISOString(),
      hash: files.hash,
      origin: 'hand',
      description,
      tags,
      shape,
      manifestHash: files.manifestHash,
    };
    if (await history.claim(record, files)) return true;
  }
  throw tooBusy(history.folder);
}

async function claim(
  history: SkillHistory,
  before: number,
  make: (version: number) => { record: VersionRecord; texts?: VersionTexts },
): Promise<VersionRecord> {
  for (let version = before + 1; version <= before + MAX_CLAIMS; version += 1) {
    const { record, texts } = make(version);
    if (await history.claim(record, texts)) return record;
  }
  throw tooBusy(history.folder);
}

function complete(fresh: NewVersion, version: number): { record: VersionRecord; texts: VersionTexts } {
  const { code, manifest } = fresh;
  const numbered = { ...fresh.record, version, hash: hashOf(code) };
  const metadata = (others: ReadonlyMap<string, string>) =>
    statedMetadata(numbered, numbered.tags, numbered.shape, others);
  let text = writeManifest({ ...manifest, metadata: metadata(manifest.metadata) });
  if (frontmatterLength(text) > MAX_FRONTMATTER_BYTES) {
    // What others have put there grows by being quoted, beyond what is read again.
    const { name, description, body } = manifest;
    text = writeManifest({ name, description, body, metadata: metadata(new Map()) });
  }
  return { record: { ...numbered, manifestHash: hashOf(text) }, texts: { code, manifest: text } };
}

function frontmatterLength(text: string): number {
  return Buffer.byteLength(text.slice(0, text.indexOf('\n---\n', 4)));
}

/** The SKILL.md of a kept version, to be written again under a new number. */
export function manifestOfVersion(texts: VersionTexts, folder: string): Manifest {
  const reading = readManifest(texts.manifest, folder);
  if ('broken' in reading) throw unreadable(folder, reading.broken);
  return reading.manifest;
}

function alreadyThere(folder: string, version: number | undefined): CodeExecutionError {
  const at = version === undefined ? '' : ` (version ${version})`;
  return new CodeExecutionError(
    'exists',
    `The skill ${folder.replaceAll('-', '_')} is already there${at}.`,
    'Pass overwrite=true to save a new version (the former one is kept), or use another name.',
  );
}

function unreadable(folder: string, fault: string): CodeExecutionError {
  return new CodeExecutionError(
    'path_denied',
    `The skill ${folder.replaceAll('-', '_')} ${fault}.`,
    'The owner of the folder has to mend or remove it; until then save under another name.',
  );
}

function tooBusy(folder: string): CodeExecutionError {
  return new CodeExecutionError(
    'busy',
    `The skill ${folder.replaceAll('-', '_')} is being saved by many at once.`,
    'Try again.',
  );
}
