import { CodeExecutionError } from '../core/errors.js';
import { nearest } from '../core/nearest.js';
import type { ContainedDir } from '../fs/contained-dir.js';
import { quotePath } from '../fs/relative-path.js';
import type { SharedDir } from '../fs/shared-dir.js';
import { type CurrentSkill, currentSkill } from './current-skill.js';
import type { LoadFrom } from './loaded-skill.js';
import { ifThere, SkillHistory } from './skill-history.js';
import type { SkillIndex, SkillRoot } from './skill-index.js';
import { checkSkillName, nearestName, readSkillName, type SkillName } from './skill-name.js';
import type { InspectCode } from './skills.js';
import { unusable } from './store-errors.js';
import type { Uses } from './uses.js';

/** A skill with the root that has it. */
export interface LocatedSkill {
  readonly name: SkillName;
  readonly dir: SharedDir;
  readonly readOnly: boolean;
  readonly current: CurrentSkill;
}

export interface SkillLookupParts {
  /** The own root first. */
  readonly roots: readonly SkillRoot[];
  readonly index: SkillIndex;
  readonly uses: Uses;
  readonly inspect?: InspectCode;
}

/** Finds skills by name in several roots, and says what is wrong with a name that finds none. */
export class SkillLookup {
  readonly #parts: SkillLookupParts;

  constructor(parts: SkillLookupParts) {
    this.#parts = parts;
  }

  /** @throws CodeExecutionError `bad_name`, `path_denied` for a folder that cannot be used. */
  async nameOf(text: string): Promise<SkillName> {
    const name = readSkillName(text);
    if (name !== undefined) return name;
    await this.#refuseBroken(text);
    return checkSkillName(text);
  }

  /** The first root that has the skill. @throws CodeExecutionError `bad_name`, `not_found`, `path_denied`. */
  async locate(text: string): Promise<LocatedSkill> {
    const name = await this.nameOf(text);
    let broken: string | undefined;
    for (const { dir, readOnly } of this.#parts.roots) {
      const current = await ifThere(
        dir.use((open) => currentSkill(open, name.folder)),
        undefined,
      );
      if (current === undefined) continue;
      if ('skill' in current) return { name, dir, readOnly, current: current.skill };
      broken ??= current.broken;
    }
    if (broken === undefined) throw await this.notFound(text);
    throw unusable(name.identifier, broken);
  }

  /** @throws CodeExecutionError `path_denied` when the name is that of a skill in a read-only root, and of none of ours. */
  async refuseReadOnly({ identifier, folder }: SkillName): Promise<void> {
    if (this.#parts.roots.length === 1) return;
    for (const { dir, readOnly } of this.#parts.roots) {
      const current = await ifThere(
        dir.use((open) => currentSkill(open, folder)),
        undefined,
      );
      if (current === undefined) continue;
      if (!readOnly) return;
      throw new CodeExecutionError(
        'path_denied',
        `The skill ${identifier} lies in a read-only folder.`,
        'Use it as it is, or save under another name.',
      );
    }
  }

  /** What is needed to load it; `dir` is its root, opened. */
  async from({ name: { identifier, folder }, readOnly }: LocatedSkill, dir: ContainedDir): Promise<LoadFrom> {
    const { inspect, roots } = this.#parts;
    const outcomes = await roots[0]?.dir.use((own) => new SkillHistory(own, folder).outcomes());
    return {
      dir,
      folder,
      identifier,
      readOnly,
      uses: this.#parts.uses.of(identifier),
      outcomes: outcomes ?? new Map(),
      ...(inspect === undefined ? {} : { inspect }),
    };
  }

  /** What to say for a name that no root has. */
  async notFound(text: string): Promise<CodeExecutionError> {
    await this.#refuseBroken(text);
    const name = readSkillName(text);
    const [own] = this.#parts.roots;
    const kept = name && (await own?.dir.use((dir) => new SkillHistory(dir, name.folder).records()));
    const former = kept?.find(({ origin }) => origin !== 'remove');
    if (former !== undefined)
      return new CodeExecutionError(
        'not_found',
        `The skill ${quotePath(text)} was removed; its versions are kept.`,
        `Save it again, or have it brought back: code-execution-mcp skills rollback ${text} ${former.version}.`,
      );
    const names = (await this.#parts.index.all()).map((skill) => skill.name);
    const near = nearest(nearestName(text) ?? text, names);
    return new CodeExecutionError(
      'not_found',
      `There is no skill ${quotePath(text)}.`,
      near === undefined ? 'List the skills to see what there is.' : `Did you mean ${near}?`,
    );
  }

  async #refuseBroken(text: string): Promise<void> {
    const all = await this.#parts.index.all();
    const found = all.find(({ broken, name }) => broken !== undefined && name === text);
    if (found?.broken !== undefined) throw unusable(text, found.broken);
  }
}
