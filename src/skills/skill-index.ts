import type { SearchDocument } from '../catalog/search/document.js';
import { CodeExecutionError } from '../core/errors.js';
import type { Logger } from '../core/logger.js';
import { Mutex } from '../core/mutex.js';
import { RelativePath } from '../fs/relative-path.js';
import type { SharedDir } from '../fs/shared-dir.js';
import { type ListedSkill, type Shelf, scanFolder, scanRoot, stampsByFolder } from './scan-root.js';
import { emptyIfMissing, OUTCOMES } from './skill-history.js';
import { readSkillName } from './skill-name.js';
import { liftOf, SEARCH_GROUP, type SkillSearch } from './skill-search.js';
import type { SkillSummary } from './skills.js';
import type { Uses } from './uses.js';

/** A folder of skill folders. */
export interface SkillRoot {
  readonly dir: SharedDir;
  readonly readOnly: boolean;
}

export interface SkillIndexOptions {
  /** The principal's own root, then the read-only ones in the order in which they are searched. */
  readonly roots: readonly SkillRoot[];
  readonly search: SkillSearch;
  readonly uses: Uses;
  readonly log: Pick<Logger, 'warn'>;
  /** Told when a look at the disk has found a change. */
  readonly changed: () => void;
}

interface SkillPage {
  readonly limit: number;
  readonly offset: number;
}

interface FoundSkills {
  readonly total: number;
  readonly skills: readonly SkillSummary[];
}

/** Shortest time between two looks into all folders, in milliseconds ... */
const SWEEP_MS = 1_000;
/** ... and that time in lengths of a look, so that looking costs 2 % at most. */
const SWEEP_SHARE = 50;
/** Warnings that are remembered, so that each is logged once. */
const MAX_TOLD = 1_000;

/**
 * What skills there are, in memory. A root that changed (a folder came or went, another server saved) is read again at
 * the next question; an edit inside a folder shows after a second or two. Only what changed is read.
 */
export class SkillIndex {
  readonly #options: SkillIndexOptions;
  readonly #lock = new Mutex();
  #shelves: readonly Shelf[];
  #rootStamps: readonly string[] = [];
  #nextSweep = 0;
  #sweeps = 0;
  /** Whether what follows was made from the shelves as they are: it is made when somebody asks. */
  #isMerged = false;
  #byName: readonly SkillSummary[] = [];
  #names: ReadonlyMap<string, SkillSummary> = new Map();
  /** Documents that the search does not have yet: it is told when it is asked. */
  #unindexed: readonly SearchDocument[] | undefined;
  readonly #told = new Set<string>();

  constructor(options: SkillIndexOptions) {
    this.#options = options;
    this.#shelves = options.roots.map(() => new Map());
  }

  /** All skills, by name; broken ones last. */
  async all(): Promise<readonly SkillSummary[]> {
    return (await this.page(undefined, { limit: Number.POSITIVE_INFINITY, offset: 0 })).skills;
  }

  /** Without a query all skills by name, broken ones last; else best first. */
  async page(query: string | undefined, { limit, offset }: SkillPage): Promise<FoundSkills> {
    await this.#refresh();
    this.#merge();
    const found = query === undefined ? this.#byName : this.#ranked(query);
    const { uses } = this.#options;
    const skills = found.slice(offset, offset + limit);
    return {
      total: found.length,
      skills: skills.map((summary) => ({ ...summary, uses: uses.of(summary.name) })),
    };
  }

  /** A name in either spelling is its own best answer. */
  #ranked(query: string): readonly SkillSummary[] {
    const { search, uses } = this.#options;
    if (this.#unindexed !== undefined) search.replace(SEARCH_GROUP, this.#unindexed);
    this.#unindexed = undefined;
    const most = uses.most();
    const hits = search.search(query, { limit: this.#names.size }).hits.flatMap(({ id, score }) => {
      const summary = this.#names.get(id);
      return summary === undefined
        ? []
        : [{ summary, score: score * liftOf(summary.test, uses.of(id), most) }];
    });
    const ranked = hits.sort((a, b) => b.score - a.score).map(({ summary }) => summary);
    const exact = this.#names.get(readSkillName(query.trim())?.identifier ?? '');
    return exact === undefined ? ranked : [exact, ...ranked.filter((summary) => summary !== exact)];
  }

  /** Reads one folder of the own root again, after a change of ours. */
  async reread(folder: string): Promise<void> {
    await this.#lock.run(async () => {
      const [root] = this.#options.roots;
      const [own = new Map<string, ListedSkill>(), ...others] = this.#shelves;
      if (root === undefined) return;
      const listed = await root.dir.use(async (dir) => {
        const tests = stampsByFolder((await emptyIfMissing(dir, OUTCOMES)).entries);
        return scanFolder(dir, folder, tests.get(folder) ?? '', undefined);
      });
      const shelf = new Map(own);
      if (listed === undefined) shelf.delete(folder);
      else shelf.set(folder, listed);
      this.#shelves = [shelf, ...others];
      this.#isMerged = false;
      // Writing has changed the root as well. Who else changed it just now is seen by the next timed look.
      this.#rootStamps = [await this.#stampOf(root), ...this.#rootStamps.slice(1)];
    });
  }

  async #refresh(): Promise<void> {
    await this.#lock.run(async () => {
      const stamps = await Promise.all(this.#options.roots.map((root) => this.#stampOf(root)));
      const moved = stamps.some((stamp, at) => stamp !== this.#rootStamps[at]);
      const start = performance.now();
      if (!moved && start < this.#nextSweep) return;
      const shelves: Shelf[] = [];
      for (const [at, root] of this.#options.roots.entries()) shelves.push(await this.#scan(root, at));
      await this.#options.uses.reload();
      this.#rootStamps = stamps;
      const took = performance.now() - start;
      this.#nextSweep = start + took + Math.max(SWEEP_MS, SWEEP_SHARE * took);
      const differs = this.#differs(shelves);
      if (differs) {
        this.#shelves = shelves;
        this.#isMerged = false;
      }
      this.#sweeps += 1;
      if (differs && this.#sweeps > 1) this.#options.changed();
    });
  }

  async #stampOf({ dir }: SkillRoot): Promise<string> {
    return unlessMissing(async () => {
      const { mtimeMs } = await dir.use((open) => open.stat(RelativePath.root));
      return String(mtimeMs);
    }, 'missing');
  }

  async #scan({ dir, readOnly }: SkillRoot, at: number): Promise<Shelf> {
    const before = this.#shelves[at] ?? new Map();
    try {
      return await dir.use((open) => scanRoot(open, before));
    } catch (error) {
      if (!readOnly || !(error instanceof CodeExecutionError)) throw error;
      const missing = error.code === 'not_found';
      this.#warn(dir.hostPath, missing ? 'a read-only folder of skills does not exist' : error.message);
      return new Map();
    }
  }

  #differs(shelves: readonly Shelf[]): boolean {
    return shelves.some((shelf, at) => {
      const before = this.#shelves[at];
      if (before?.size !== shelf.size) return true;
      return [...shelf].some(([folder, { stamp }]) => before.get(folder)?.stamp !== stamp);
    });
  }

  /** The first root that has a name wins; a broken folder has none. */
  #merge(): void {
    if (this.#isMerged) return;
    this.#isMerged = true;
    const names = new Map<string, SkillSummary>();
    const brokenOnes: SkillSummary[] = [];
    const documents: SearchDocument[] = [];
    for (const [at, shelf] of this.#shelves.entries()) {
      const root = this.#options.roots[at];
      const readOnly = root?.readOnly ?? false;
      for (const { summary, document } of shelf.values()) {
        const whole: SkillSummary = { ...summary, uses: 0, readOnly };
        if (document === undefined) {
          brokenOnes.push(whole);
          this.#warn(`${root?.dir.hostPath}/${summary.name}`, `a skill ${summary.broken ?? ''}`);
        } else if (names.has(summary.name)) {
          this.#warn(
            `${root?.dir.hostPath}/${summary.name}`,
            'a skill is hidden by one of the same name in a folder before',
          );
        } else {
          names.set(summary.name, whole);
          documents.push(document);
        }
      }
    }
    this.#names = names;
    this.#byName = [...[...names.values()].sort(byName), ...brokenOnes.sort(byName)];
    this.#unindexed = documents;
  }

  #warn(folder: string, message: string): void {
    const key = `${folder}\n${message}`;
    if (this.#told.has(key) || this.#told.size >= MAX_TOLD) return;
    this.#told.add(key);
    this.#options.log.warn({ folder }, message);
  }
}

async function unlessMissing<T>(ask: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CodeExecutionError && ['not_found', 'path_denied'].includes(error.code))
      return otherwise;
    throw error;
  }
}

function byName(a: SkillSummary, b: SkillSummary): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
