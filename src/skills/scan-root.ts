import type { SearchDocument } from '../catalog/search/document.js';
import { CodeExecutionError } from '../core/errors.js';
import type { ContainedDir } from '../fs/contained-dir.js';
import type { Entry } from '../fs/entry.js';
import { quotePath, RelativePath } from '../fs/relative-path.js';
import { readManifest } from './read-manifest.js';
import { emptyIfMissing, OUTCOMES, readText, SkillHistory } from './skill-history.js';
import { MAX_MANIFEST_BYTES } from './skill-limits.js';
import { readMetadata } from './skill-metadata.js';
import { readSkillName } from './skill-name.js';
import { skillDocument } from './skill-search.js';
import type { SkillSummary } from './skills.js';

/** A skill folder as lists show it. Made from its SKILL.md alone. */
export interface ListedSkill {
  readonly summary: Omit<SkillSummary, 'uses' | 'readOnly'>;
  /** Absent for a broken one. */
  readonly document?: SearchDocument;
  /** Equal while nothing of it has changed. */
  readonly stamp: string;
}

export type Shelf = ReadonlyMap<string, ListedSkill>;

/** Names in a root that are looked at. */
const MAX_FOLDERS = 10_000;

/** All skill folders of a root, by folder. What has not changed since `before` is taken from there. */
export async function scanRoot(dir: ContainedDir, before: Shelf): Promise<Shelf> {
  const { entries, skipped } = await dir.listFolder(RelativePath.root, MAX_FOLDERS);
  const tests = stampsByFolder((await emptyIfMissing(dir, OUTCOMES)).entries);
  const shelf = new Map<string, ListedSkill>();
  for (const { path, kind } of entries) {
    if (kind !== 'directory' || path.startsWith('.')) continue;
    const listed = await scanFolder(dir, path, tests.get(path) ?? '', before.get(path));
    if (listed !== undefined) shelf.set(path, listed);
  }
  for (const path of skipped) {
    if (!path.startsWith('.')) shelf.set(path, broken(path, 'link', LINK));
  }
  return shelf;
}

/** What tells by folder whether an outcome was added. */
export function stampsByFolder(outcomes: readonly Entry[]): Map<string, string> {
  const stamps = new Map<string, string>();
  for (const { path, version } of outcomes) {
    const folder = path.slice(OUTCOMES.length + 1).split('.')[0] ?? '';
    stamps.set(folder, `${stamps.get(folder) ?? ''} ${version}`);
  }
  return stamps;
}

/** One folder; `tests` is its part of {@link stampsByFolder}. Undefined when it has no SKILL.md. */
export async function scanFolder(
  dir: ContainedDir,
  folder: string,
  tests: string,
  before: ListedSkill | undefined,
): Promise<ListedSkill | undefined> {
  let stamp = tests;
  try {
    const entry = await dir.statIfThere(RelativePath.parse(`${folder}/SKILL.md`));
    if (entry === undefined) return undefined;
    stamp = `${entry.version} ${stamp}`;
    if (before?.stamp === stamp) return before;
    return await listedSkill(dir, folder, entry, stamp, tests !== '');
  } catch (error) {
    if (!(error instanceof CodeExecutionError)) throw error;
    if (error.code === 'not_found') return undefined;
    return broken(
      folder,
      stamp,
      error.code === 'too_large' ? `has a SKILL.md of more than ${MAX_MANIFEST_BYTES} bytes` : LINK,
    );
  }
}

const LINK =
  'is a link or special file, or its SKILL.md is; links are not followed (list the folder that it points into under skills.readOnlyDirs)';

async function listedSkill(
  dir: ContainedDir,
  folder: string,
  entry: Entry,
  stamp: string,
  isTested: boolean,
): Promise<ListedSkill | undefined> {
  const name = readSkillName(folder);
  if (name === undefined || name.folder !== folder) {
    const wanted = name === undefined ? '' : ` (rename it to ${name.folder})`;
    return broken(folder, stamp, `has a folder name that cannot be imported${wanted}`);
  }
  const text = await readText(dir, entry.path, MAX_MANIFEST_BYTES);
  if (text === undefined) return undefined;
  const reading = readManifest(text, folder);
  if ('broken' in reading) return broken(folder, stamp, reading.broken);
  const { description, metadata } = reading.manifest;
  const { version = 1, updated, hash, tags, shape } = readMetadata(metadata);
  const kept = isTested ? await new SkillHistory(dir, folder).outcome(version) : undefined;
  const summary = {
    name: name.identifier,
    description,
    tags,
    version,
    updated: updated ?? new Date(entry.mtimeMs).toISOString(),
    signature: shape.signature,
    ...(kept === undefined || kept.hash !== hash ? {} : { test: kept.outcome }),
  };
  return { summary, document: skillDocument(summary, shape), stamp };
}

function broken(folder: string, stamp: string, fault: string): ListedSkill {
  const name = readSkillName(folder)?.identifier ?? quotePath(folder).slice(1, -1);
  return {
    summary: {
      name,
      description: `cannot be used: it ${fault}`,
      tags: [],
      version: 0,
      updated: new Date(0).toISOString(),
      signature: '',
      broken: fault,
    },
    stamp,
  };
}
