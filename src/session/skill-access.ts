import type { Skill, SkillSource, SkillSummary, TestOutcome } from '../skills/skills.js';
import type { Approval, ApprovalQuestion } from './tool-access.js';

/** A skill as an agent wants it kept. */
export interface SkillDraft {
  /** In either spelling. */
  readonly name: string;
  readonly code: string;
  /** Empty: the first paragraph of the docstring. */
  readonly description: string;
  readonly tags: readonly string[];
  /** Replaces the skill of that name; its versions are kept. */
  readonly overwrite: boolean;
  /** Runs the `>>>` examples before it is saved. */
  readonly test: boolean;
}

/** From where a skill is saved or tested. */
export interface SkillSituation {
  /** The run whose code asks for it. */
  readonly run?: string;
  /** True where a run waits for it that holds a place among the runs: what is started then waits for no place. */
  readonly nested?: boolean;
  readonly signal?: AbortSignal;
  readonly approve?: (question: ApprovalQuestion) => Promise<Approval>;
}

/** What a skill needs and does not find. */
export interface MissingParts {
  /** `server.tool`. */
  readonly tools: readonly string[];
  readonly skills: readonly string[];
}

/** How much two texts differ, in lines. */
export interface LineDifference {
  readonly added: number;
  readonly removed: number;
}

export interface SavedSkill {
  readonly skill: Skill;
  /** The version before, and how much the code differs from it; absent for a new skill. */
  readonly former?: LineDifference & { readonly version: number };
  readonly missing: MissingParts;
  /** Advice, one sentence each. */
  readonly notes: readonly string[];
}

/** A tool as far as a skill is compared with it. */
export interface RivalTool {
  readonly id: string;
  readonly signature: string;
  readonly description: string;
}

/** A skill that answers a search for tools at least as well as the tools do. */
export interface FittingSkill {
  readonly skill: SkillSummary;
  /** The query names it: it belongs before the tools. */
  readonly named: boolean;
}

export interface SkillPage {
  readonly limit: number;
  readonly offset: number;
}

/** Everything that code and server tools can do with skills; each principal has its own. */
export interface SkillAccess {
  /**
   * Checks a draft and keeps it. Its code is parsed in a worker and not run, unless it is to be tested.
   *
   * @throws CodeExecutionError `bad_name`, `bad_arguments`, `bad_encoding`, `syntax_error`, `too_large`, `personal_data`, `exists`,
   * `test_failed`, `path_denied`, or why no worker could be had.
   */
  save(principal: string, draft: SkillDraft, situation: SkillSituation): Promise<SavedSkill>;
  /** @throws CodeExecutionError `not_found`, `bad_name`. */
  load(principal: string, name: string, version?: number): Promise<Skill>;
  /** What an import needs, of the newest version. @throws CodeExecutionError `not_found`, `bad_name`. */
  source(principal: string, name: string): Promise<SkillSource>;
  /** @throws CodeExecutionError `not_found`, `path_denied`, `too_large`. */
  readFile(principal: string, name: string, path: string): Promise<Uint8Array>;
  /** Best first for a query, else by name. */
  find(
    principal: string,
    query: string | undefined,
    page: SkillPage,
  ): Promise<{ readonly total: number; readonly skills: readonly SkillSummary[] }>;
  /** At most two skills that fit a query at least about as well as the best of the tools found for it. */
  fitting(principal: string, query: string, tools: readonly RivalTool[]): Promise<readonly FittingSkill[]>;
  /** Asks the catalogue, which may wait for servers that are not known yet. */
  missing(principal: string, skill: Skill): Promise<MissingParts>;
  /** Runs the `>>>` examples of a version in a fresh interpreter and keeps the outcome. @throws like {@link save} */
  test(
    principal: string,
    name: string,
    version: number | undefined,
    situation: SkillSituation,
  ): Promise<TestOutcome>;
  recordUse(principal: string, name: string): void;
  /** Calls `listener` after every change of the principal's skills until the returned function is called. */
  onChange(principal: string, listener: () => void): () => void;
}
