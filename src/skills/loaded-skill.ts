import type { ContainedDir } from '../fs/contained-dir.js';
import type { CurrentSkill } from './current-skill.js';
import { filesOfVersion, type SkillFiles } from './skill-folder.js';
import { SkillHistory } from './skill-history.js';
import { CODE_PATH } from './skill-metadata.js';
import { treeOf } from './skill-quota.js';
import type { InspectCode, Skill, SkillShape, SkillVersion, TestOutcome } from './skills.js';
import { type KeptOutcome, type VersionRecord, versionOf } from './version-record.js';

/** Where a skill lies and who asks. */
export interface LoadFrom {
  readonly dir: ContainedDir;
  readonly folder: string;
  readonly identifier: string;
  readonly readOnly: boolean;
  readonly uses: number;
  /** Those of the own root, also for a skill of a read-only one, by version. */
  readonly outcomes: ReadonlyMap<number, KeptOutcome>;
  /** Absent: the shape of code that was edited by hand is what its SKILL.md says. */
  readonly inspect?: InspectCode;
}

/** Who is named for a folder whose maker is not known. */
export const BY_HAND = 'by hand';

/** The skill as it is now. */
export async function loadedSkill(from: LoadFrom, current: CurrentSkill): Promise<Skill> {
  const { files, record, newest } = current;
  const history = new SkillHistory(from.dir, from.folder);
  const records = (await history.records()).filter(({ origin }) => origin !== 'remove');
  const warnings = [...files.warnings, ...oddities(current)];
  const shape = record?.shape ?? (await shapeOf(from, files, warnings));
  const version = record?.version ?? newest?.version ?? files.stated.version ?? 1;
  const { outcomes } = from;
  const kept = records.map((one) => versionOf(one, outcomeOf(outcomes, one)));
  const test = outcomeOf(outcomes, { version, hash: files.hash });
  const versions = kept.length > 0 ? kept : [unkept(files, version, test)];
  const updated = record?.time ?? new Date(files.mtimeMs).toISOString();
  return {
    ...(await common(from, files, shape, warnings)),
    tags: record?.tags ?? files.stated.tags,
    version,
    updated,
    versions,
    ...(test === undefined ? {} : { test }),
  };
}

/** A version that is kept; undefined if there is no such one. */
export async function loadedVersion(from: LoadFrom, version: number): Promise<Skill | undefined> {
  const history = new SkillHistory(from.dir, from.folder);
  const records = (await history.records()).filter(({ origin }) => origin !== 'remove');
  const record = records.find((one) => one.version === version);
  const texts = record && (await history.texts(version));
  if (record === undefined || texts === undefined) return undefined;
  const reading = filesOfVersion(from.folder, texts, record.time);
  if (reading === undefined || 'broken' in reading) return undefined;
  const { outcomes } = from;
  const versions = records.map((one) => versionOf(one, outcomeOf(outcomes, one)));
  const test = outcomeOf(outcomes, record);
  return {
    ...(await common(from, reading.files, record.shape, [...reading.files.warnings])),
    tags: record.tags,
    version,
    updated: record.time,
    versions,
    ...(test === undefined ? {} : { test }),
  };
}

async function common(
  from: LoadFrom,
  files: SkillFiles,
  shape: SkillShape,
  warnings: string[],
): Promise<Omit<Skill, 'tags' | 'version' | 'updated' | 'versions' | 'test'>> {
  const { entries, skipped } = await treeOf(from.dir, from.folder);
  if (skipped.length > 0)
    warnings.push(
      `${skipped.length} links or special files in the folder are left out; links are not followed.`,
    );
  return {
    name: from.identifier,
    description: files.parsed.description,
    uses: from.uses,
    signature: shape.signature,
    readOnly: from.readOnly,
    code: files.code,
    shape,
    files: entries
      .filter(({ kind }) => kind === 'file')
      .map(({ path, size }) => ({ path: path.slice(from.folder.length + 1), size })),
    warnings,
  };
}

/** What is odd about a folder that differs from its newest version. */
function oddities({ files, record, newest }: CurrentSkill): string[] {
  if (record !== undefined && record.version === newest?.version) return [];
  if (record !== undefined)
    return [`The folder holds version ${record.version}, though version ${newest?.version} is newer.`];
  if (newest !== undefined) {
    const what = [
      ...(files.hash === newest.hash ? [] : [files.stated.entrypoint ?? CODE_PATH]),
      ...(files.manifestHash === newest.manifestHash ? [] : ['SKILL.md']),
    ];
    return [`Edited by hand after version ${newest.version} was saved: ${what.join(' and ')}.`];
  }
  const { hash } = files.stated;
  if (hash === undefined || hash === files.hash) return [];
  return ['The code was edited by hand: it differs from the hash in the metadata of SKILL.md.'];
}

async function shapeOf(from: LoadFrom, files: SkillFiles, warnings: string[]): Promise<SkillShape> {
  const { shape, hash } = files.stated;
  // Saved by a server like this one, and copied here since.
  if (hash === files.hash && shape.entry !== '') return shape;
  if (files.code === '' || from.inspect === undefined) return shape;
  try {
    return await from.inspect(files.code, from.identifier);
  } catch (error) {
    warnings.push(`The code cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return shape;
  }
}

function unkept(files: SkillFiles, version: number, test: TestOutcome | undefined): SkillVersion {
  const { principal = BY_HAND, run, updated } = files.stated;
  return {
    version,
    principal,
    ...(run === undefined ? {} : { run }),
    time: updated ?? new Date(files.mtimeMs).toISOString(),
    hash: files.hash,
    ...(test === undefined ? {} : { test }),
  };
}

/** Of this very code: an outcome says nothing about what was edited since. */
function outcomeOf(
  outcomes: ReadonlyMap<number, KeptOutcome>,
  { version, hash }: Pick<VersionRecord, 'version' | 'hash'>,
): TestOutcome | undefined {
  const kept = outcomes.get(version);
  return kept?.hash === hash ? kept.outcome : undefined;
}
