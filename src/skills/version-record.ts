import { createHash } from 'node:crypto';
import type { Provenance, SkillShape, SkillVersion, TestOutcome } from './skills.js';

/** How a version came about. `hand`: somebody edited the folder; it was kept before the next change. */
export type VersionOrigin = 'save' | 'rollback' | 'hand' | 'remove';

/** One version as it lies in the history. A `remove` has no code. */
export interface VersionRecord extends Provenance {
  /** From 1; removals have numbers too. */
  readonly version: number;
  readonly origin: VersionOrigin;
  /** For a rollback: the version it brought back. */
  readonly from?: number;
  readonly description: string;
  readonly tags: readonly string[];
  readonly shape: SkillShape;
  /** SHA-256 of SKILL.md, hex. */
  readonly manifestHash: string;
}

/** SHA-256 of the UTF-8 of a text, hex. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** What {@link readRecord} reads. */
export function recordText(record: VersionRecord): string {
  return `${JSON.stringify(record, null, 1)}\n`;
}

type Fields = { readonly [key: string]: unknown };

/** Undefined for what is no record: the history lies where others can write. */
export function readRecord(text: string, version: number): VersionRecord | undefined {
  const value = parsed(text);
  if (value === undefined) return undefined;
  const { principal, run, time, hash, origin, from, description, manifestHash } = value;
  if (typeof principal !== 'string' || typeof time !== 'string' || typeof hash !== 'string') return undefined;
  if (typeof description !== 'string' || typeof manifestHash !== 'string') return undefined;
  if (origin !== 'save' && origin !== 'rollback' && origin !== 'hand' && origin !== 'remove')
    return undefined;
  return {
    version,
    principal,
    ...(typeof run === 'string' ? { run } : {}),
    time,
    hash,
    origin,
    ...(typeof from === 'number' ? { from } : {}),
    description,
    tags: strings(value.tags),
    shape: readShape(value.shape),
    manifestHash,
  };
}

/** A test outcome with the hash of the code that was tested. */
export interface KeptOutcome {
  readonly hash: string;
  readonly outcome: TestOutcome;
}

export function readOutcome(text: string): KeptOutcome | undefined {
  const value = parsed(text);
  const outcome = readTest(value?.outcome);
  return outcome !== undefined && typeof value?.hash === 'string' ? { hash: value.hash, outcome } : undefined;
}

/** The part of a record that answers show. */
export function versionOf(record: VersionRecord, test: TestOutcome | undefined): SkillVersion {
  const { version, principal, run, time, hash, origin, from } = record;
  return {
    version,
    ...(origin === 'remove' ? {} : { origin }),
    ...(from === undefined ? {} : { from }),
    principal,
    ...(run === undefined ? {} : { run }),
    time,
    hash,
    ...(test === undefined ? {} : { test }),
  };
}

function parsed(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

function readTest(value: unknown): TestOutcome | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { passed, failed, message, time } = value as Fields;
  if (typeof passed !== 'number' || typeof failed !== 'number' || typeof time !== 'string') return undefined;
  return { passed, failed, ...(typeof message === 'string' ? { message } : {}), time };
}

function readShape(value: unknown): SkillShape {
  const shape = (typeof value === 'object' && value !== null ? value : {}) as Fields;
  return {
    signature: typeof shape.signature === 'string' ? shape.signature : '',
    entry: typeof shape.entry === 'string' ? shape.entry : '',
    functions: strings(shape.functions),
    ...(typeof shape.docstring === 'string' ? { docstring: shape.docstring } : {}),
    requiresTools: strings(shape.requiresTools),
    requiresSkills: strings(shape.requiresSkills),
    examples: typeof shape.examples === 'number' ? shape.examples : 0,
  };
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
