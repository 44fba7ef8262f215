import { CodeExecutionError } from '../core/errors.js';
import type { ContainedDir } from '../fs/contained-dir.js';
import { RelativePath } from '../fs/relative-path.js';
import type { Manifest } from './manifest.js';
import { readManifest } from './read-manifest.js';
import { type VersionTexts, writeText } from './skill-history.js';
import { MAX_MANIFEST_BYTES, SKILL_LIMITS } from './skill-limits.js';
import { CODE_PATH, readMetadata, type StatedVersion } from './skill-metadata.js';
import { hashOf } from './version-record.js';

/** The two files of a skill folder that make the skill, as they are now. */
export interface SkillFiles extends VersionTexts {
  readonly parsed: Manifest;
  readonly stated: StatedVersion;
  /** Empty for a skill without Python. */
  readonly code: string;
  readonly hash: string;
  readonly manifestHash: string;
  readonly mtimeMs: number;
  readonly warnings: readonly string[];
}

/** What a skill folder holds. `broken`: the end of a sentence that begins with the skill. */
export type FolderReading = { readonly files: SkillFiles } | { readonly broken: string } | undefined;

/** Reads a skill folder that anybody may have made. Undefined when there is no folder or no SKILL.md in it. */
export async function readSkillFolder(dir: ContainedDir, folder: string): Promise<FolderReading> {
  try {
    const text = await readFile(dir, `${folder}/SKILL.md`, MAX_MANIFEST_BYTES);
    if (text === undefined) return undefined;
    const reading = readManifest(text.text, folder);
    if ('broken' in reading) return reading;
    const stated = readMetadata(reading.manifest.metadata);
    const warnings = [...reading.warnings];
    const code = await readCode(dir, folder, stated.entrypoint, warnings);
    const texts = { manifest: text.text, code: code?.text ?? '' };
    const mtimeMs = Math.max(text.mtimeMs, code?.mtimeMs ?? 0);
    return { files: join(texts, reading.manifest, stated, warnings, mtimeMs) };
  } catch (error) {
    if (error instanceof Unusable) return { broken: error.message };
    throw error;
  }
}

/** A kept version in the form of a folder that holds it. */
export function filesOfVersion(folder: string, texts: VersionTexts, time: string): FolderReading {
  const reading = readManifest(texts.manifest, folder);
  if ('broken' in reading) return reading;
  const stated = readMetadata(reading.manifest.metadata);
  return { files: join(texts, reading.manifest, stated, reading.warnings, Date.parse(time)) };
}

/**
 * Puts a version into its folder, each file in one step. The code comes first: a new folder is a skill to others only
 * when it is whole.
 */
export async function writeSkillFolder(
  dir: ContainedDir,
  folder: string,
  texts: VersionTexts,
): Promise<void> {
  await writeText(dir, `${folder}/${CODE_PATH}`, texts.code);
  await writeText(dir, `${folder}/SKILL.md`, texts.manifest);
}

function join(
  texts: VersionTexts,
  parsed: Manifest,
  stated: StatedVersion,
  warnings: readonly string[],
  mtimeMs: number,
): SkillFiles {
  const { code, manifest } = texts;
  return {
    code,
    manifest,
    parsed,
    stated,
    hash: hashOf(code),
    manifestHash: hashOf(manifest),
    mtimeMs,
    warnings,
  };
}

interface TextFile {
  readonly text: string;
  readonly mtimeMs: number;
}

class Unusable extends Error {}

async function readCode(
  dir: ContainedDir,
  folder: string,
  entrypoint: string | undefined,
  warnings: string[],
): Promise<TextFile | undefined> {
  const stated = entrypoint === undefined ? undefined : codePath(folder, entrypoint);
  if (entrypoint !== undefined && stated === undefined)
    warnings.push('The entrypoint in the metadata of SKILL.md is no path of a Python file in the folder.');
  const path = stated ?? `${folder}/${CODE_PATH}`;
  const code = await readFile(dir, path, SKILL_LIMITS.codeBytes);
  if (code !== undefined) return code;
  const shown = path.slice(folder.length + 1);
  warnings.push(`There is no ${shown}: the skill has instructions only and cannot be imported.`);
  return undefined;
}

function codePath(folder: string, entrypoint: string): string | undefined {
  if (!/^[\w][\w./-]*\.py$/.test(entrypoint) || entrypoint.includes('..')) return undefined;
  return `${folder}/${entrypoint}`;
}

/** @throws Unusable for what is there but cannot be read as text. */
async function readFile(dir: ContainedDir, path: string, maxBytes: number): Promise<TextFile | undefined> {
  const shown = path.slice(path.indexOf('/') + 1);
  try {
    const { bytes, entry } = await dir.read(RelativePath.parse(path), { maxBytes });
    return { text: DECODER.decode(bytes), mtimeMs: entry.mtimeMs };
  } catch (error) {
    if (error instanceof TypeError) throw new Unusable(`has a file ${shown} that is no UTF-8 text`);
    if (!(error instanceof CodeExecutionError)) throw error;
    if (error.code === 'not_found') return undefined;
    if (error.code === 'too_large')
      throw new Unusable(`has a file ${shown} of more than ${maxBytes} bytes, the most that is read`);
    if (error.code === 'path_denied')
      throw new Unusable(`is a link, or its ${shown} is a link or no plain file; links are not followed`);
    throw error;
  }
}

// Keeps a byte order mark: the hash of the text must be the hash of the file.
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
