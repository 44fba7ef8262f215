/** How a version of a skill was tested, if it was. */
export interface TestOutcome {
  readonly passed: number;
  readonly failed: number;
  /** First failure in a few lines. */
  readonly message?: string;
  /** ISO 8601. */
  readonly time: string;
}

/** Where a version comes from. */
export interface Provenance {
  readonly principal: string;
  /** The run that saved it from code, if one did. */
  readonly run?: string;
  /** ISO 8601. */
  readonly time: string;
  /** SHA-256 of the code, hex. */
  readonly hash: string;
}

export interface SkillVersion extends Provenance {
  /** From 1. */
  readonly version: number;
  readonly test?: TestOutcome;
  /** How it came about; `hand`: somebody edited the folder, and the next change kept that. */
  readonly origin?: 'save' | 'rollback' | 'hand';
  /** For a rollback: the version that it brought back. */
  readonly from?: number;
}

/** What the syntax tree of the code tells. Nothing of it was run. */
export interface SkillShape {
  /** `filter_high_risk(rows: list, limit: float = 0.8) -> list`; of the entry function. */
  readonly signature: string;
  /** The entry: the function named like the skill, else `main`, else the first public one. */
  readonly entry: string;
  readonly functions: readonly string[];
  readonly docstring?: string;
  /** `server.tool` for every `tools.server.tool(...)`. */
  readonly requiresTools: readonly string[];
  /** Names of other skills it imports. */
  readonly requiresSkills: readonly string[];
  /** Number of `>>>` examples in docstrings. */
  readonly examples: number;
}

export interface SkillSummary {
  /** The identifier: `filter_high_risk`. The folder is the same with hyphens. */
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly version: number;
  /** ISO 8601. */
  readonly updated: string;
  readonly uses: number;
  readonly signature: string;
  readonly test?: TestOutcome;
  /** True for a skill of an extra root: it can be used, not saved. */
  readonly readOnly: boolean;
  /** Why a folder that somebody made by hand cannot be used, to the end of a sentence that begins with the skill. */
  readonly broken?: string;
}

export interface Skill extends SkillSummary {
  readonly code: string;
  readonly shape: SkillShape;
  /** Those that are kept, newest first. */
  readonly versions: readonly SkillVersion[];
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** What is odd about a folder that somebody edited by hand, one sentence each. */
  readonly warnings: readonly string[];
}

/** As much of a skill as an import needs. */
export interface SkillSource {
  readonly name: string;
  readonly version: number;
  readonly code: string;
  /** The function that stands for the whole skill. */
  readonly entry: string;
}

export interface SaveRequest {
  readonly name: string;
  readonly code: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly overwrite: boolean;
  readonly shape: SkillShape;
  readonly provenance: Omit<Provenance, 'hash' | 'time'>;
  readonly test?: TestOutcome;
}

/** The skills of one principal, its own folder first, then the read-only ones. */
export interface SkillStore {
  /** @throws CodeExecutionError `bad_name`, `exists` (no overwrite), `too_large` (quota), `path_denied` (read-only root). */
  save(request: SaveRequest): Promise<Skill>;
  /** Takes both spellings of the name. @throws CodeExecutionError `not_found` with the nearest name, or the versions there are. */
  load(name: string, version?: number): Promise<Skill>;
  /** The newest version, without its history: an import waits for it. @throws like {@link load} */
  source(name: string): Promise<SkillSource>;
  /** One file of the folder, text or base64. @throws CodeExecutionError `not_found`, `path_denied`, `too_large`. */
  readFile(name: string, path: string): Promise<Uint8Array>;
  /** Best first for a query, else by name. */
  find(
    query: string | undefined,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly total: number; readonly skills: readonly SkillSummary[] }>;
  recordUse(name: string): void;
  recordTest(name: string, version: number, outcome: TestOutcome): Promise<void>;
  /** Makes a former version the newest one, as a version of its own. */
  rollback(name: string, version: number, by: string): Promise<Skill>;
  remove(name: string): Promise<void>;
  /** Told after every change of the set or of a text. */
  onChange(listener: () => void): void;
}

/** What the owner of the skills may do besides. */
export interface SkillArchive extends SkillStore {
  /**
   * The difference in the code of two versions, in the unified format; empty when it is the same. Without `to`: to the
   * code as it is now. @throws CodeExecutionError `not_found`
   */
  diff(name: string, from: number, to?: number): Promise<string>;
  /**
   * Removes a skill. Its versions stay, so that `rollback` brings it back; with `purge` they go as well.
   * @throws CodeExecutionError `not_found`, `path_denied` (read-only root).
   */
  remove(name: string, options?: { readonly by?: string; readonly purge?: boolean }): Promise<void>;
  /** Writes what is still in memory. */
  close(): Promise<void>;
}

/** Reads the shape of code that was not saved here; without running it. @throws CodeExecutionError `syntax_error` ... */
export type InspectCode = (code: string, name: string) => Promise<SkillShape>;
