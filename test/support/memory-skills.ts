import { SearchIndex } from '../../src/catalog/search/search-index.js';
import { CodeExecutionError } from '../../src/core/errors.js';
import type { Outcome, RunReport } from '../../src/core/outcome.js';
import type { RunRequest } from '../../src/session/runner.js';
import { SkillInspection } from '../../src/session/skill-inspection.js';
import { StoredSkills, type StoredSkillsParts } from '../../src/session/stored-skills.js';
import type { SaveRequest, Skill, SkillStore, TestOutcome } from '../../src/skills/skills.js';

/** A store in memory: versions, no limits, a search for any word. */
export class MemorySkillStore implements SkillStore {
  readonly saved: SaveRequest[] = [];
  readonly uses: string[] = [];
  readonly tests: { name: string; version: number; outcome: TestOutcome }[] = [];
  /** Further files by `name/path`. */
  readonly files = new Map<string, Uint8Array>();
  readonly #versions = new Map<string, Skill[]>();
  readonly #listeners: (() => void)[] = [];

  async save(request: SaveRequest): Promise<Skill> {
    if (request.name === 'json')
      throw new CodeExecutionError('bad_name', 'The name "json" is taken.', 'Use json_skill.');
    this.saved.push(request);
    const name = request.name.replaceAll('-', '_');
    const before = this.#versions.get(name) ?? [];
    const version = before.length + 1;
    const { code, description, tags, shape, provenance, test } = request;
    const time = `2026-12-0${version}T10:00:00.000Z`;
    const tested = test === undefined ? {} : { test };
    const own = { version, ...provenance, time, hash: `hash${version}`, ...tested };
    const skill: Skill = {
      name,
      description,
      tags,
      version,
      updated: time,
      uses: 0,
      signature: shape.signature,
      readOnly: false,
      code,
      shape,
      versions: [own, ...(before.at(-1)?.versions ?? [])],
      files: [
        { path: 'SKILL.md', size: 10 },
        { path: 'scripts/main.py', size: code.length },
      ],
      warnings: [],
      ...tested,
    };
    this.#versions.set(name, [...before, skill]);
    this.tell();
    return skill;
  }

  async source(name: string) {
    const { name: identifier, version, code, shape } = await this.load(name);
    return { name: identifier, version, code, entry: shape.entry };
  }

  async load(name: string, version?: number): Promise<Skill> {
    const all = this.#versions.get(name.replaceAll('-', '_'));
    if (!all)
      throw new CodeExecutionError(
        'not_found',
        `There is no skill "${name}".`,
        'List the skills to see what there is.',
      );
    const skill = version === undefined ? all.at(-1) : all[version - 1];
    if (!skill)
      throw new CodeExecutionError('not_found', `${name} has no version ${version}.`, 'It has 1 to 1.');
    const more = [...this.files].filter(([path]) => path.startsWith(`${skill.name}/`));
    const newest = all.at(-1)?.versions ?? [];
    const files = more.map(([path, { length }]) => ({
      path: path.slice(skill.name.length + 1),
      size: length,
    }));
    return { ...skill, versions: newest, files: [...skill.files, ...files] };
  }

  async readFile(name: string, path: string): Promise<Uint8Array> {
    const skill = await this.load(name);
    const folder = skill.name.replaceAll('_', '-');
    const file = this.files.get(`${skill.name}/${path}`);
    if (file) return file;
    if (path === 'scripts/main.py') return Buffer.from(skill.code);
    if (path !== 'SKILL.md') throw new CodeExecutionError('not_found', `there is no file ${path}`);
    const { description } = skill;
    return Buffer.from(
      `---\nname: ${folder}\ndescription: ${JSON.stringify(description)}\n---\n\n# ${folder}\n`,
    );
  }

  async find(query: string | undefined, page: { limit: number; offset: number }) {
    const words = query?.toLowerCase().match(/[a-z]+/g) ?? [];
    const all = [...this.#versions.values()].flatMap((versions) => versions.at(-1) ?? []);
    const found = all
      .filter(({ name, description }) => {
        const text = `${name} ${description}`.toLowerCase();
        return query === undefined || words.some((word) => text.includes(word));
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    return { total: found.length, skills: found.slice(page.offset, page.offset + page.limit) };
  }

  recordUse(name: string): void {
    this.uses.push(name);
  }

  async recordTest(name: string, version: number, outcome: TestOutcome): Promise<void> {
    this.tests.push({ name, version, outcome });
  }

  rollback(): Promise<Skill> {
    throw new Error('no test rolls back here');
  }

  remove(): Promise<void> {
    throw new Error('no test removes here');
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** What the runs of an inspection come to, by the program: the value of it, or how it ends. */
export interface FakeRuns {
  readonly inspect?: (code: string, name: string) => unknown;
  readonly examples?: unknown;
  /** Instead of a value. */
  readonly outcome?: Outcome;
}

/** Skills over {@link MemorySkillStore}; nothing is run: `def f(x)` is found by its text. */
export function memorySkills(
  runs: FakeRuns = {},
  parts: Partial<Pick<StoredSkillsParts, 'hasTool' | 'findPersonal'>> = {},
) {
  const store = new MemorySkillStore();
  const requests: { principal: string; request: RunRequest }[] = [];
  const inspection = new SkillInspection({
    runner: {
      run: async (principal, request) => {
        requests.push({ principal, request });
        const { code, name } = request.context as { code: string; name: string };
        const value = request.code.includes('__inspect__')
          ? (runs.inspect ?? shapeByText)(code, name)
          : (runs.examples ?? { passed: 1, failed: 0 });
        return reportOf(runs.outcome ?? valued(value));
      },
    },
    memoryMb: 512,
  });
  const skills = new StoredSkills({
    storeOf: async () => store,
    inspection,
    hasTool: async (name) => !name.includes('missing'),
    smallIndex: () => new SearchIndex(),
    ...parts,
  });
  return { skills, store, requests };
}

/** A whole draft. */
export function draft(name: string, more: Record<string, unknown> = {}) {
  return {
    name,
    code: `def ${name.replaceAll('-', '_')}(x, y=1):\n    return x\n`,
    description: 'Does what it does.',
    tags: [] as string[],
    overwrite: false,
    test: false,
    ...more,
  };
}

function shapeByText(code: string): unknown {
  const [, entry = 'f', args = ''] = /def (\w+)\((.*)\)/.exec(code) ?? [];
  return {
    entry,
    signature: `${entry}(${args})`,
    functions: [entry],
    requiresTools: [...code.matchAll(/tools\.(\w+\.\w+)/g)].map(([, name]) => name),
    requiresSkills: [...code.matchAll(/from skills import (\w+)/g)].map(([, name]) => name),
    examples: code.split('>>>').length - 1,
    missingImports: code.includes('json') ? ['import json'] : [],
  };
}

function valued(value: unknown): Outcome {
  return { kind: 'value', value: { json: JSON.stringify(value), type: 'dict', truncated: false } };
}

function reportOf(outcome: Outcome): RunReport {
  return {
    runId: 'r',
    outcome,
    output: { head: '', tail: '', bytes: 0, lines: 0 },
    durationMs: 1,
    filesChanged: [],
    notes: [],
    variables: [],
  };
}
