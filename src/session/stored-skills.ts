import { CodeExecutionError } from '../core/errors.js';
import type { Skill, SkillSource, SkillStore, TestOutcome } from '../skills/skills.js';
import { checkDraft, checkPersonal, type FindPersonal } from './check-draft.js';
import { fittingSkills, type SmallIndex } from './fitting-skills.js';
import { lineDifference } from './line-difference.js';
import type {
  FittingSkill,
  MissingParts,
  RivalTool,
  SavedSkill,
  SkillAccess,
  SkillDraft,
  SkillPage,
  SkillSituation,
} from './skill-access.js';
import type { Inspected, SkillInspection } from './skill-inspection.js';

export interface StoredSkillsParts {
  readonly storeOf: (principal: string) => Promise<SkillStore>;
  readonly inspection: SkillInspection;
  /** Whether the catalogue has a tool, by any spelling of its name. */
  readonly hasTool: (name: string) => Promise<boolean>;
  /** Absent: privacy is off, and nothing is looked for. */
  readonly findPersonal?: FindPersonal;
  /** An empty index of the engine that ranks tools. */
  readonly smallIndex: () => SmallIndex;
}

/** Skills found for a query that are compared with its tools. */
const CANDIDATES = 5;
const MAX_MISSING_CHECKED = 50;

/** Joins store, inspection, catalogue and privacy into what code and server tools see. */
export class StoredSkills implements SkillAccess {
  readonly #parts: StoredSkillsParts;
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(parts: StoredSkillsParts) {
    this.#parts = parts;
  }

  async save(principal: string, draft: SkillDraft, situation: SkillSituation): Promise<SavedSkill> {
    checkDraft(draft);
    const store = await this.#store(principal);
    const before = await loadIfThere(store, draft.name);
    if (before !== undefined && !draft.overwrite) throw alreadyThere(before, draft.code);
    const { findPersonal, inspection } = this.#parts;
    if (findPersonal) await checkPersonal(draft, findPersonal);
    const name = draft.name.replaceAll('-', '_');
    const inspected = await inspection.inspect(name, draft.code, situation);
    const { shape } = inspected;
    const description = draft.description.trim() || firstParagraph(shape.docstring);
    const test = draft.test
      ? await this.#tested(principal, name, draft.code, inspected, situation)
      : undefined;
    const { run } = situation;
    const skill = await store.save({
      name: draft.name,
      code: draft.code,
      description,
      tags: draft.tags,
      overwrite: draft.overwrite,
      shape,
      provenance: { principal, ...(run === undefined ? {} : { run }) },
      ...(test === undefined ? {} : { test }),
    });
    return {
      skill,
      ...(before === undefined
        ? {}
        : { former: { version: before.version, ...lineDifference(before.code, draft.code) } }),
      missing: await this.missing(principal, { shape }),
      notes: adviceOn(inspected, draft.test),
    };
  }

  async load(principal: string, name: string, version?: number): Promise<Skill> {
    return (await this.#store(principal)).load(name, version);
  }

  async source(principal: string, name: string): Promise<SkillSource> {
    return (await this.#store(principal)).source(name);
  }

  async readFile(principal: string, name: string, path: string): Promise<Uint8Array> {
    return (await this.#store(principal)).readFile(name, path);
  }

  async find(principal: string, query: string | undefined, page: SkillPage) {
    return (await this.#store(principal)).find(query, page);
  }

  async fitting(
    principal: string,
    query: string,
    tools: readonly RivalTool[],
  ): Promise<readonly FittingSkill[]> {
    if (query.trim() === '') return [];
    const { skills } = await this.find(principal, query, { limit: CANDIDATES, offset: 0 });
    return skills.length === 0 ? [] : fittingSkills(query, skills, tools, this.#parts.smallIndex());
  }

  async missing(principal: string, { shape }: Pick<Skill, 'shape'>): Promise<MissingParts> {
    const store = await this.#store(principal);
    const [tools, skills] = await Promise.all([
      missingOf(shape.requiresTools, (name) => this.#parts.hasTool(name)),
      missingOf(shape.requiresSkills, async (name) => (await loadIfThere(store, name)) !== undefined),
    ]);
    return { tools, skills };
  }

  async test(
    principal: string,
    name: string,
    version: number | undefined,
    situation: SkillSituation,
  ): Promise<TestOutcome> {
    const store = await this.#store(principal);
    const skill = await store.load(name, version);
    const { shape } = await this.#parts.inspection.inspect(skill.name, skill.code, situation);
    checkHasExamples(shape.examples);
    const outcome = await this.#parts.inspection.test(principal, skill.name, skill.code, situation);
    await store.recordTest(skill.name, skill.version, outcome);
    return outcome;
  }

  recordUse(principal: string, name: string): void {
    // Only after a load by the same store, so there is nothing that could fail but the count.
    this.#store(principal).then(
      (store) => store.recordUse(name),
      () => undefined,
    );
  }

  onChange(principal: string, listener: () => void): () => void {
    const known = this.#listeners.get(principal);
    const listeners = known ?? new Set();
    listeners.add(listener);
    if (!known) {
      this.#listeners.set(principal, listeners);
      void this.#store(principal).then((store) =>
        store.onChange(() => {
          for (const one of listeners) one();
        }),
      );
    }
    return () => void listeners.delete(listener);
  }

  async #tested(
    principal: string,
    name: string,
    code: string,
    { shape }: Inspected,
    situation: SkillSituation,
  ): Promise<TestOutcome> {
    checkHasExamples(shape.examples);
    const outcome = await this.#parts.inspection.test(principal, name, code, situation);
    if (outcome.failed === 0) return outcome;
    const all = outcome.passed + outcome.failed;
    throw new CodeExecutionError(
      'test_failed',
      `not saved: ${outcome.failed} of ${all} examples failed; the first: ${outcome.message?.replaceAll('\n', '; ') ?? 'without a message'}`,
      'mend the code or the example and save again, or save without test',
    );
  }

  #store(principal: string): Promise<SkillStore> {
    return this.#parts.storeOf(principal);
  }
}

async function loadIfThere(store: SkillStore, name: string): Promise<Skill | undefined> {
  try {
    return await store.load(name);
  } catch (error) {
    if (error instanceof CodeExecutionError && error.code === 'not_found') return undefined;
    throw error;
  }
}

async function missingOf(
  names: readonly string[],
  isThere: (name: string) => Promise<boolean>,
): Promise<string[]> {
  const checked = names.slice(0, MAX_MISSING_CHECKED);
  const there = await Promise.all(checked.map(isThere));
  return checked.filter((_, at) => there[at] === false);
}

function alreadyThere(before: Skill, code: string): CodeExecutionError {
  const { added, removed } = lineDifference(before.code, code);
  const difference =
    added + removed === 0 ? 'with the same code' : `and this code differs by +${added} -${removed} lines`;
  return new CodeExecutionError(
    'exists',
    `the skill ${before.name} is there already (version ${before.version}), ${difference}`,
    'pass overwrite: true to save it as the next version (the former one is kept), or use another name',
  );
}

function checkHasExamples(examples: number): void {
  if (examples > 0) return;
  throw new CodeExecutionError(
    'bad_arguments',
    'there is nothing to test: the docstrings have no >>> examples',
    'write examples like ">>> double(2)" with the expected result in the next line, or save without test',
  );
}

function firstParagraph(docstring: string | undefined): string {
  const text =
    docstring
      ?.split(/\n\s*\n|\n\s*>>>/)[0]
      ?.replace(/\s+/g, ' ')
      .trim() ?? '';
  if (text !== '') return text.slice(0, 1_000);
  throw new CodeExecutionError(
    'bad_arguments',
    'the skill has no description',
    'say in a sentence what it does and when to use it, as description or in the docstring of the function',
  );
}

function adviceOn({ shape, missingImports }: Inspected, tested: boolean): string[] {
  const notes: string[] = [];
  if (missingImports.length > 0)
    notes.push(`outside this server it also needs: ${missingImports.join('; ')}`);
  if (!tested && shape.examples > 0) notes.push('its >>> examples were not run; test: true runs them first');
  return notes;
}
