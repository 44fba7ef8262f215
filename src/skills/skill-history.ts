import { CodeExecutionError } from '../core/errors.js';
import type { ContainedDir } from '../fs/contained-dir.js';
import type { Listing } from '../fs/listing.js';
import { RelativePath } from '../fs/relative-path.js';
import type { TestOutcome } from './skills.js';
import {
  type KeptOutcome,
  readOutcome,
  readRecord,
  recordText,
  type VersionRecord,
} from './version-record.js';

/** Beside the skill folders; hidden, so clients that scan for skills pass by. */
export const HISTORY = '.history';
/** `<folder>.<version>.json`, all in one folder, so that one look tells which versions were tested. */
export const OUTCOMES = `${HISTORY}/.tests`;
const RECORD = 'version.json';
// Not "SKILL.md": a version is no skill to whoever searches recursively.
const MANIFEST = 'manifest.md';
const CODE = 'code.py';
const REMOVED_FILES = 'files';
/** A record, an outcome; far above what is written. */
const MAX_RECORD_BYTES = 512 * 1024;
/** Code and SKILL.md as a version holds them: hand-edited ones may be as long as any that is read. */
const MAX_TEXT_BYTES = 512 * 1024;
const MAX_NAMES = 100_000;

export interface VersionTexts {
  readonly code: string;
  readonly manifest: string;
}

/**
 * The versions of one skill, in `.history/<folder>/<n>/` of its root. A version appears with all its files by one rename
 * that fails if the number is taken: so several servers need no lock, and one that is killed leaves no half of a version.
 */
export class SkillHistory {
  readonly #home: string;

  constructor(
    private readonly dir: ContainedDir,
    readonly folder: string,
  ) {
    this.#home = `${HISTORY}/${folder}`;
  }

  /** Numbers of all versions, removals too, ascending. */
  async numbers(): Promise<number[]> {
    const names = await ifThere(this.dir.names(pathOf(this.#home)), []);
    return names
      .filter((name) => /^[1-9]\d{0,8}$/.test(name))
      .map(Number)
      .sort((a, b) => a - b);
  }

  /** Undefined for a version that is not there or that no program can read. */
  async record(version: number): Promise<VersionRecord | undefined> {
    const text = await readText(this.dir, `${this.#home}/${version}/${RECORD}`, MAX_RECORD_BYTES);
    return text === undefined ? undefined : readRecord(text, version);
  }

  /** Newest first. */
  async records(): Promise<VersionRecord[]> {
    const records: VersionRecord[] = [];
    for (const version of (await this.numbers()).reverse()) {
      const record = await this.record(version);
      if (record !== undefined) records.push(record);
    }
    return records;
  }

  /** What the versions were tested with, those that were. */
  async outcomes(): Promise<Map<number, KeptOutcome>> {
    const outcomes = new Map<number, KeptOutcome>();
    for (const version of await this.#tested()) {
      const kept = await this.outcome(version);
      if (kept !== undefined) outcomes.set(version, kept);
    }
    return outcomes;
  }

  async newest(): Promise<VersionRecord | undefined> {
    for (const version of (await this.numbers()).reverse()) {
      const record = await this.record(version);
      if (record !== undefined) return record;
    }
    return undefined;
  }

  /** Undefined for a removal, and for a version that was pruned meanwhile. */
  async texts(version: number): Promise<VersionTexts | undefined> {
    const code = await readText(this.dir, `${this.#home}/${version}/${CODE}`, MAX_TEXT_BYTES);
    const manifest = await readText(this.dir, `${this.#home}/${version}/${MANIFEST}`, MAX_TEXT_BYTES);
    return code === undefined || manifest === undefined ? undefined : { code, manifest };
  }

  /** Adds a version under its number; false if another server was faster. */
  async claim(record: VersionRecord, texts?: VersionTexts): Promise<boolean> {
    const files = new Map([[RECORD, bytesOf(recordText(record))]]);
    if (texts !== undefined) {
      files.set(CODE, bytesOf(texts.code));
      files.set(MANIFEST, bytesOf(texts.manifest));
    }
    return this.dir.placeFolder(files, pathOf(`${this.#home}/${record.version}`));
  }

  /** Takes a version back that was claimed but could not be put into the folder. */
  async withdraw(version: number): Promise<void> {
    await ignoreMissing(this.dir.removeTree(pathOf(`${this.#home}/${version}`)));
  }

  /** Moves the skill's folder into the version that is its removal. */
  async takeFolder(version: number): Promise<void> {
    const target = pathOf(`${this.#home}/${version}/${REMOVED_FILES}`);
    if ((await this.dir.statIfThere(target)) === undefined)
      await ignoreMissing(this.dir.rename(pathOf(this.folder), target));
    else await ignoreMissing(this.dir.removeTree(pathOf(this.folder)));
  }

  /** Moves the folder back that a removal took. */
  async giveBackFolder(version: number): Promise<void> {
    await ignoreMissing(
      this.dir.rename(pathOf(`${this.#home}/${version}/${REMOVED_FILES}`), pathOf(this.folder)),
    );
  }

  async outcome(version: number): Promise<KeptOutcome | undefined> {
    const text = await readText(this.dir, this.#outcomePath(version), MAX_RECORD_BYTES);
    return text === undefined ? undefined : readOutcome(text);
  }

  async keepOutcome(version: number, hash: string, outcome: TestOutcome): Promise<void> {
    const text = `${JSON.stringify({ hash, outcome } satisfies KeptOutcome)}\n`;
    await writeText(this.dir, this.#outcomePath(version), text);
  }

  /** Removes the oldest versions beyond `keep`. */
  async prune(keep: number): Promise<void> {
    const old = (await this.numbers()).slice(0, -keep);
    for (const version of old) await this.withdraw(version);
    if (old.length > 0) await this.#removeOutcomes((version) => old.includes(version));
  }

  /** Removes all versions. */
  async purge(): Promise<void> {
    await ignoreMissing(this.dir.removeTree(pathOf(this.#home)));
    await this.#removeOutcomes(() => true);
  }

  async #tested(): Promise<number[]> {
    const names = await ifThere(this.dir.names(pathOf(OUTCOMES)), []);
    return names.flatMap((name) => {
      const [folder, version] = name.split('.');
      return folder === this.folder && version !== undefined ? [Number(version)] : [];
    });
  }

  async #removeOutcomes(are: (version: number) => boolean): Promise<void> {
    for (const version of (await this.#tested()).filter(are))
      await ignoreMissing(this.dir.removeFile(pathOf(this.#outcomePath(version))));
  }

  #outcomePath(version: number): string {
    return `${OUTCOMES}/${this.folder}.${version}.json`;
  }
}

/** Keeps the history out of a project's version control, when the root lies in one. */
export async function prepareHistory(dir: ContainedDir): Promise<void> {
  const ignore = `${HISTORY}/.gitignore`;
  if ((await dir.statIfThere(pathOf(ignore))) === undefined) await writeText(dir, ignore, '*\n');
}

/** Replaces one text in one step, whatever was there. */
export async function writeText(dir: ContainedDir, path: string, text: string): Promise<void> {
  const name = dir.newPrivateName();
  try {
    await dir.writePrivateFile(name, 0, bytesOf(text));
    await dir.place(name, pathOf(path), { exclusive: false });
  } catch (error) {
    await dir.removePrivateFile(name);
    throw error;
  }
}

/** Undefined when nothing is there. */
export async function readText(
  dir: ContainedDir,
  path: string,
  maxBytes: number,
): Promise<string | undefined> {
  const read = await ifThere<{ bytes: Uint8Array } | undefined>(
    dir.read(pathOf(path), { maxBytes }),
    undefined,
  );
  if (read === undefined) return undefined;
  const { buffer, byteOffset, byteLength } = read.bytes;
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

/** What lies in a folder that may not be there. */
export function emptyIfMissing(dir: ContainedDir, path: string): Promise<Listing> {
  return ifThere(dir.listFolder(pathOf(path), MAX_NAMES), { entries: [], skipped: [] });
}

export function ignoreMissing(done: Promise<void>): Promise<void> {
  return ifThere(done, undefined);
}

/** The result, or `otherwise` when nothing is there. */
export async function ifThere<T>(result: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof CodeExecutionError && error.code === 'not_found') return otherwise;
    throw error;
  }
}

function pathOf(text: string): RelativePath {
  return RelativePath.parse(text, { folder: true });
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}
