import { MIB } from '../core/limits.js';

/** Quotas of one principal's skills. Bytes are of UTF-8 or as on disk. */
export interface SkillLimits {
  readonly skills: number;
  /** Code of one skill. */
  readonly codeBytes: number;
  /** A whole skill folder, and the files in it: the limits of the MCP Skills extension. */
  readonly folderBytes: number;
  readonly folderFiles: number;
  /** Kept per skill; the oldest go first. */
  readonly versions: number;
  /** All folders and versions together. */
  readonly totalBytes: number;
}

export const SKILL_LIMITS: SkillLimits = {
  skills: 1_000,
  codeBytes: 256 * 1024,
  folderBytes: 16 * MIB,
  folderFiles: 512,
  versions: 50,
  totalBytes: 256 * MIB,
};

/** Longest SKILL.md that is read, in bytes: the format asks for less than 500 lines. */
export const MAX_MANIFEST_BYTES = 256 * 1024;
/** Longest frontmatter that is parsed, in bytes. */
export const MAX_FRONTMATTER_BYTES = 32 * 1024;
/** Longest description, as the Agent Skills format has it, in UTF-16 units. */
export const MAX_DESCRIPTION = 1_024;
export const MAX_TAGS = 20;
export const MAX_TAG = 50;
