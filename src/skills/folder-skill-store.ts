import { CodeExecutionError } from '../core/errors.js';
import type { Logger } from '../core/logger.js';
import { Mutex } from '../core/mutex.js';
import type { ContainedDir } from '../fs/contained-dir.js';
import { RelativePath } from '../fs/relative-path.js';
import { SharedDir } from '../fs/shared-dir.js';
import { addRemoval, addVersion, manifestOfVersion, settle, undoRemoval } from './change-skill.js';
import { checkRequest } from './check-request.js';
import { currentSkill } from './current-skill.js';
import { unifiedDiff } from './line-diff.js';
import { loadedSkill, loadedVersion } from './loaded-skill.js';
import { skillBody } from './skill-body.js';
import { SkillHistory } from './skill-history.js';
import { SkillIndex, type SkillRoot } from './skill-index.js';
import { SKILL_LIMITS, type SkillLimits } from './skill-limits.js';
import { SkillLookup } from './skill-lookup.js';
import { checkSkillName, readSkillName, type SkillName } from './skill-name.js';
import { SkillQuota } from './skill-quota.js';
import type { SkillSearch } from './skill-search.js';
import type {
  InspectCode,
  SaveRequest,
  Skill,
  SkillArchive,
  SkillSource,
  SkillSummary,
  TestOutcome,
} from './skills.js';
import { fileRefused, noVersion, pathInSkill } from './store-errors.js';
import { Uses } from './uses.js';
import type { VersionRecord } from './version-record.js';

export interface FolderSkillStoreOptions {
  readonly principal: string;
  /** The own root, a path of the host; made with mode 0700 when first used. A link to a folder is fine. */
  readonly root: string;
  /** Paths of the host, in the order in which they are searched. */
  readonly readOnlyRoots: readonly string[];
  readonly search: SkillSearch;
  readonly log: Pick<Logger, 'warn'>;
  /** Gets a line for every save, rollback and removal. */
  readonly record: (line: SkillEvent) => void;
  readonly inspect?: InspectCode;
  /** Default {@link SKILL_LIMITS}. */
  readonly limits?: SkillLimits;
}

/** A change of a skill, for the audit. */
export interface SkillEvent {
  /** ISO 8601. */
  readonly time: string;
  readonly event: 'save' | 'rollback' | 'remove' | 'purge';
  readonly skill: string;
  readonly principal: string;
  readonly version?: number;
  readonly run?: string;
  /** SHA-256 of the code, hex. */
  readonly hash?: string;
}

/** Skills as folders of the Agent Skills format below a root, with their versions beside them (design/skills.md). */
export class FolderSkillStore implements SkillArchive {
  readonly #options: FolderSkillStoreOptions;
  readonly #own: SharedDir;
  readonly #roots: readonly SkillRoot[];
  readonly #quota: SkillQuota;
  readonly #uses: Uses;
  readonly #index: SkillIndex;
  readonly #lookup: SkillLookup;
  readonly #changes = new Mutex();
  readonly #listeners: (() => void)[] = [];
  #ready: Promise<void> | undefined;

  constructor(options: FolderSkillStoreOptions) {
    this.#options = options;
    this.#own = new SharedDir(options.root, undefined);
    this.#roots = [
      { dir: this.#own, readOnly: false },
      ...options.readOnlyRoots.map((root) => ({
        dir: new SharedDir(root, undefined, false),
        readOnly: true,
      })),
    ];
    this.#quota = new SkillQuota(options.limits ?? SKILL_LIMITS);
    this.#uses = new Uses(this.#own, (err) => options.log.warn({ err }, 'uses of skills cannot be written'));
    this.#index = new SkillIndex({
      roots: this.#roots,
      search: options.search,
      uses: this.#uses,
      log: options.log,
      changed: () => this.#tell(),
    });
    const { inspect } = options;
    this.#lookup = new SkillLookup({
      roots: this.#roots,
      index: this.#index,
      uses: this.#uses,
      ...(inspect === undefined ? {} : { inspect }),
    });
  }

  async save(request: SaveRequest): Promise<Skill> {
    const name = checkSkillName(request.name);
    const { description, tags } = checkRequest(request);
    const { code, shape, provenance, overwrite, test } = request;
    await this.#start();
    await this.#lookup.refuseReadOnly(name);
    return this.#change(name, 'save', provenance.principal, async (dir) => {
      await this.#quota.check(dir, name.folder, Buffer.byteLength(code));
      const former = await currentSkill(dir, name.folder);
      const others = former && 'skill' in former ? former.skill.files.parsed : undefined;
      const record = await addVersion(dir, name.folder, overwrite, {
        record: { ...provenance, time: new Date().toISOString(), origin: 'save', description, tags, shape },
        code,
        manifest: {
          ...others,
          name: name.folder,
          description,
          metadata: others?.metadata ?? new Map(),
          body: skillBody(name, description, shape),
        },
      });
      if (test !== undefined)
        await new SkillHistory(dir, name.folder).keepOutcome(record.version, record.hash, test);
      return record;
    });
  }

  async load(name: string, version?: number): Promise<Skill> {
    await this.#start();
    const found = await this.#lookup.locate(name);
    return found.dir.use(async (dir) => {
      const from = await this.#lookup.from(found, dir);
      if (version === undefined) return loadedSkill(from, found.current);
      const loaded = await loadedVersion(from, version);
      if (loaded !== undefined) return loaded;
      const newest = await loadedSkill(from, found.current);
      if (newest.version === version && newest.versions.length === 1) return newest;
      throw noVersion(name, version, newest.versions);
    });
  }

  async source(name: string): Promise<SkillSource> {
    await this.#start();
    const { current, name: spelt } = await this.#lookup.locate(name);
    const { files, record } = current;
    if (record !== undefined)
      return { name: spelt.identifier, version: record.version, code: files.code, entry: record.shape.entry };
    const { name: identifier, version, code, shape } = await this.load(name);
    return { name: identifier, version, code, entry: shape.entry };
  }

  async readFile(name: string, path: string): Promise<Uint8Array> {
    await this.#start();
    const found = await this.#lookup.locate(name);
    const { folderBytes } = this.#quota.limits;
    return found.dir.use(async (dir) => {
      const inside = pathInSkill(path);
      try {
        const checked = RelativePath.parse(`${found.name.folder}/${inside.text}`);
        return (await dir.read(checked, { maxBytes: folderBytes })).bytes;
      } catch (error) {
        const { files } = await loadedSkill(await this.#lookup.from(found, dir), found.current);
        throw fileRefused(
          error,
          path,
          files.map((file) => file.path),
          folderBytes,
        );
      }
    });
  }

  async find(
    query: string | undefined,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly total: number; readonly skills: readonly SkillSummary[] }> {
    await this.#start();
    return this.#index.page(query?.trim() === '' ? undefined : query, page);
  }

  recordUse(name: string): void {
    const { identifier } = readSkillName(name) ?? {};
    if (identifier !== undefined) this.#uses.add(identifier);
  }

  async recordTest(name: string, version: number, outcome: TestOutcome): Promise<void> {
    await this.#start();
    const { current, name: found } = await this.#lookup.locate(name);
    const { version: now, versions } = await this.load(name);
    // What is tested as the version of now may have been edited since it was saved.
    const hash = version === now ? current.files.hash : versions.find((one) => one.version === version)?.hash;
    if (hash === undefined) throw noVersion(name, version, versions);
    await this.#changes.run(() =>
      this.#own.use((dir) => new SkillHistory(dir, found.folder).keepOutcome(version, hash, outcome)),
    );
    await this.#index.reread(found.folder);
  }

  async rollback(name: string, version: number, by: string): Promise<Skill> {
    await this.#start();
    const wanted = await this.#lookup.nameOf(name);
    await this.#lookup.refuseReadOnly(wanted);
    return this.#change(wanted, 'rollback', by, async (dir) => {
      const { folder } = wanted;
      const history = new SkillHistory(dir, folder);
      const records = (await history.records()).filter(({ origin }) => origin !== 'remove');
      if (records.length === 0) throw await this.#lookup.notFound(name);
      const record = records.find((one) => one.version === version);
      const texts = record && (await history.texts(version));
      if (record === undefined || texts === undefined) throw noVersion(name, version, records);
      await undoRemoval(dir, history);
      const { description, tags, shape, hash } = record;
      const time = new Date().toISOString();
      const restored = await addVersion(dir, folder, true, {
        record: { principal: by, time, origin: 'rollback', from: version, description, tags, shape },
        code: texts.code,
        manifest: manifestOfVersion(texts, folder),
      });
      const kept = await history.outcome(version);
      if (kept?.hash === hash) await history.keepOutcome(restored.version, hash, kept.outcome);
      return restored;
    });
  }

  async diff(name: string, from: number, to?: number): Promise<string> {
    const before = await this.load(name, from);
    const after = await this.load(name, to);
    const label = (skill: Skill) => `${skill.name} version ${skill.version}`;
    return unifiedDiff(before.code, after.code, {
      from: label(before),
      to: to === undefined ? `${label(after)} (now)` : label(after),
    });
  }

  async remove(
    name: string,
    { by = this.#options.principal, purge = false }: { readonly by?: string; readonly purge?: boolean } = {},
  ): Promise<void> {
    await this.#start();
    const wanted = await this.#lookup.nameOf(name);
    await this.#lookup.refuseReadOnly(wanted);
    const { folder, identifier } = wanted;
    const time = new Date().toISOString();
    const removed = await this.#changes.run(() =>
      this.#own.use(async (dir) => {
        const history = new SkillHistory(dir, folder);
        const isThere = (await dir.statIfThere(RelativePath.parse(folder))) !== undefined;
        if (!isThere && !(purge && (await history.numbers()).length > 0))
          throw await this.#lookup.notFound(name);
        const record = isThere ? await addRemoval(dir, folder, by, time) : undefined;
        if (purge) await history.purge();
        return record;
      }),
    );
    await this.#index.reread(folder);
    this.#options.record({
      time,
      event: purge ? 'purge' : 'remove',
      skill: identifier,
      principal: by,
      ...(removed === undefined ? {} : { version: removed.version }),
    });
    this.#tell();
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  close(): Promise<void> {
    return this.#uses.flush();
  }

  async #change(
    name: SkillName,
    event: 'save' | 'rollback',
    principal: string,
    make: (dir: ContainedDir) => Promise<VersionRecord>,
  ): Promise<Skill> {
    const { version, hash, run, time } = await this.#changes.run(() =>
      this.#own.use(async (dir) => {
        const record = await make(dir);
        await new SkillHistory(dir, name.folder).prune(this.#quota.limits.versions);
        return record;
      }),
    );
    await this.#index.reread(name.folder);
    const { identifier: skill } = name;
    this.#options.record({
      time,
      event,
      skill,
      principal,
      version,
      hash,
      ...(run === undefined ? {} : { run }),
    });
    this.#tell();
    return this.load(skill, version);
  }

  /** Once: what servers that were killed have left. */
  #start(): Promise<void> {
    this.#ready ??= this.#own
      .use(async (dir) => {
        await dir.removeAbandoned();
        await settle(dir);
      })
      .catch((err: unknown) => {
        this.#ready = undefined;
        this.#options.log.warn({ err, folder: this.#options.root }, 'the folder of skills cannot be used');
        throw new CodeExecutionError(
          'config_error',
          'The folder of skills cannot be used by the server.',
          "The server's operator has to mend skills.dir; the log tells more.",
          { cause: err },
        );
      });
    return this.#ready;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
