import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
} from '@modelcontextprotocol/server';
import {
  DIRECTORY_MIME_TYPE,
  type Skill as ListedSkill,
  SkillCatalogError,
  type SkillReadResult,
  type SkillSource,
  SkillsExtension,
  skillEntry,
} from '@modelcontextprotocol/server/ext/skills';
import { CodeExecutionError } from '../core/errors.js';
import type { SkillAccess } from '../session/skill-access.js';
import type { Skill } from '../skills/skills.js';
import { decodePart } from './file-kind.js';
import { cursorOffset, offsetCursor } from './page-cursor.js';
import type { ResponseGate } from './response.js';
import type { ServerLog } from './server-deps.js';

export interface SkillsExtensionParts {
  readonly skills: SkillAccess;
  readonly principal: string;
  readonly response: ResponseGate;
  readonly log: ServerLog;
  /** False: the server ends with its first request, so that it tells nobody of changes. */
  readonly lasts: boolean;
}

/** Serves the skills of one principal by the MCP Skills extension (SEP-2640), and tells the client when they change. */
export function attachSkills(mcp: McpServer, parts: SkillsExtensionParts): void {
  const source = new FilteredSkills(parts);
  const onWarning = ({ path, message }: { path: string; message: string }) =>
    parts.log.warn({ skill: path }, message);
  new SkillsExtension({ source, onWarning }).attach(mcp);
  // The SDK drops some servers of one request without closing them: what they subscribe to they would keep for ever.
  if (!parts.lasts) return;
  const stop = parts.skills.onChange(parts.principal, () => {
    source.forget();
    mcp.sendResourceListChanged();
  });
  const { server } = mcp;
  const before = server.onclose;
  server.onclose = () => {
    stop();
    before?.call(server);
  };
}

/** A skill folder as clients get it. */
interface ServedFolder {
  readonly entry: ListedSkill;
  /** By the path in the folder. */
  readonly files: ReadonlyMap<string, SkillReadResult & { readonly size: number }>;
}

const PAGE = 100;
/** Skills in `resources/list`, which has no pages. */
const MAX_LISTED = 1_000;
/** Folders kept in memory until the next change, those of up to so many bytes. */
const MAX_KEPT = 200;
const MAX_KEPT_BYTES = 512 * 1024;
const MIME_TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  py: 'text/x-python',
  txt: 'text/plain',
  json: 'application/json',
  csv: 'text/csv',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/**
 * Every text passes the response gate before its digest is computed, so what a client checks is what it may see. The
 * SDK's own catalogue reads the disk itself, and all of it before the first answer.
 */
class FilteredSkills implements SkillSource {
  readonly #parts: SkillsExtensionParts;
  readonly #kept = new Map<string, ServedFolder>();
  /** Grows with every change: what was read before it is not kept. */
  #age = 0;

  constructor(parts: SkillsExtensionParts) {
    this.#parts = parts;
  }

  forget(): void {
    this.#kept.clear();
    this.#age += 1;
  }

  list({ cursor }: { cursor?: string }): Promise<{ skills: ListedSkill[]; nextCursor?: string }> {
    return this.#answer(async () => {
      const { skills, principal } = this.#parts;
      const offset = cursorOffset(cursor);
      const page = await skills.find(principal, undefined, { limit: PAGE, offset });
      const listed: ListedSkill[] = [];
      for (const { name, broken } of page.skills) {
        const folder = broken === undefined ? await this.#folder(name) : undefined;
        if (folder) listed.push(folder.entry);
      }
      const end = offset + page.skills.length;
      return { skills: listed, ...(end < page.total ? { nextCursor: offsetCursor(end) } : {}) };
    });
  }

  get(uri: string): Promise<ListedSkill | undefined> {
    return this.#answer(async () => {
      const place = placeOf(uri);
      return place?.path === 'SKILL.md' ? (await this.#folder(place.folder))?.entry : undefined;
    });
  }

  read(uri: string): Promise<SkillReadResult | undefined> {
    return this.#answer(async () => {
      const place = placeOf(uri);
      return place && (await this.#folder(place.folder))?.files.get(place.path);
    });
  }

  readDirectory(uri: string): Promise<{ resources: Resource[] } | undefined> {
    return this.#answer(async () => {
      const place = placeOf(uri);
      const folder = place && (await this.#folder(place.folder));
      if (!place || !folder) return undefined;
      const resources = childrenOf(uri, folder);
      return resources.length === 0 ? undefined : { resources };
    });
  }

  listResources(): Promise<Resource[]> {
    return this.#answer(async () => {
      const { skills, principal, response } = this.#parts;
      const page = await skills.find(principal, undefined, { limit: MAX_LISTED, offset: 0 });
      const usable = page.skills.filter(({ broken }) => broken === undefined);
      return Promise.all(
        usable.map(async ({ name, description }) => ({
          uri: `skill://${folderOf(name)}/SKILL.md`,
          name: folderOf(name),
          description: await response.text(description, 2_000),
          mimeType: 'text/markdown',
        })),
      );
    });
  }

  /** Undefined when there is no such skill, or when its folder does not keep the rules of the format. */
  async #folder(name: string): Promise<ServedFolder | undefined> {
    const folder = folderOf(name);
    const kept = this.#kept.get(folder);
    if (kept) return kept;
    const { skills, principal, log } = this.#parts;
    const age = this.#age;
    try {
      const served = await this.#read(await skills.load(principal, name));
      const bytes = [...served.files.values()].reduce((sum, { size }) => sum + size, 0);
      if (age === this.#age && this.#kept.size < MAX_KEPT && bytes <= MAX_KEPT_BYTES)
        this.#kept.set(folder, served);
      return served;
    } catch (error) {
      if (error instanceof SkillCatalogError)
        log.warn({ err: error, skill: folder }, 'a skill is not served');
      else if (!isAbsence(error)) throw error;
      return undefined;
    }
  }

  async #read(skill: Skill): Promise<ServedFolder> {
    const { skills, principal, response } = this.#parts;
    const files = new Map<string, SkillReadResult & { size: number }>();
    for (const { path } of skill.files) {
      const bytes = await skills.readFile(principal, skill.name, path);
      const mimeType = MIME_TYPES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
      const type = mimeType === undefined ? {} : { mimeType };
      const part = decodePart(bytes, true);
      if (part?.length !== bytes.length) files.set(path, { bytes, size: bytes.length, ...type });
      else {
        const text = await response.text(part.text, Number.MAX_SAFE_INTEGER);
        files.set(path, { text, size: Buffer.byteLength(text), ...type });
      }
    }
    const contents = [...files].map(
      ([path, file]) => [path, 'text' in file ? file.text : file.bytes] as const,
    );
    return { entry: await skillEntry(folderOf(skill.name), Object.fromEntries(contents)), files };
  }

  async #answer<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { code, message } = this.#parts.response.describe('skills', error);
      const kind = code === 'internal' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
      throw new ProtocolError(kind, await this.#parts.response.text(`${code}: ${message}`, 1_000));
    }
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof CodeExecutionError && ['not_found', 'bad_name'].includes(error.code);
}

function folderOf(name: string): string {
  return name.replaceAll('_', '-');
}

/** The folder and the path in it that a `skill://` URI names; the path of the folder itself is empty. */
function placeOf(uri: string): { readonly folder: string; readonly path: string } | undefined {
  try {
    const { protocol, host, pathname } = new URL(uri);
    if (protocol !== 'skill:' || host === '') return undefined;
    return { folder: host, path: decodeURIComponent(pathname.replace(/^\//, '')) };
  } catch {
    return undefined;
  }
}

/** What lies directly in a directory of the folder, by the URIs of its entry; nothing when there is no such directory. */
function childrenOf(uri: string, { entry, files }: ServedFolder): Resource[] {
  const base = `${new URL(uri).href.replace(/\/$/, '')}/`;
  const children = new Map<string, Resource>();
  for (const { uri: file } of entry.resources === 'dynamic' ? [] : entry.resources) {
    if (!file.startsWith(base)) continue;
    const [segment = '', ...below] = file.slice(base.length).split('/');
    const child = { uri: base + segment, name: decodeURIComponent(segment) };
    if (below.length > 0) {
      children.set(child.uri, { ...child, mimeType: DIRECTORY_MIME_TYPE });
      continue;
    }
    const { size, mimeType } = files.get(placeOf(file)?.path ?? '') ?? {};
    children.set(child.uri, {
      ...child,
      ...(size === undefined ? {} : { size }),
      ...(mimeType === undefined ? {} : { mimeType }),
    });
  }
  return [...children.values()].sort((a, b) => (a.uri < b.uri ? -1 : 1));
}
