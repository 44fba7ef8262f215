import type { CatalogEntry } from './catalog.js';

/** Entries by every spelling that means them. Maps throughout: names are foreign, and `__proto__` is one. */
export class NameTable {
  readonly #byId = new Map<string, CatalogEntry>();
  readonly #exact = new Map<string, CatalogEntry[]>();
  readonly #lenient = new Map<string, CatalogEntry[]>();
  readonly #bare = new Map<string, CatalogEntry[]>();
  readonly #lenientBare = new Map<string, CatalogEntry[]>();

  constructor(entries: Iterable<CatalogEntry>) {
    for (const entry of entries) {
      this.#byId.set(entry.id, entry);
      const server = entry.source.server;
      for (const between of SEPARATORS) {
        add(this.#exact, `${server}${between}${entry.remoteName}`, entry);
        add(this.#exact, `${entry.pythonServer}${between}${entry.pythonName}`, entry);
      }
      for (const full of [entry.id, `${server}.${entry.remoteName}`]) add(this.#lenient, plain(full), entry);
      for (const bare of [entry.remoteName, entry.pythonName]) {
        add(this.#bare, bare, entry);
        add(this.#lenientBare, plain(bare), entry);
      }
    }
  }

  byId(id: string): CatalogEntry | undefined {
    return this.#byId.get(id);
  }

  /**
   * Entries that a name means, by the most exact spelling that any has: the id, `server:tool` as spelt, the same with any
   * case and separators, the bare name as spelt, the bare name with any case and separators. More than one: ambiguous.
   */
  find(name: string, accepts: (entry: CatalogEntry) => boolean): readonly CatalogEntry[] {
    const id = this.#byId.get(name);
    if (id !== undefined && accepts(id)) return [id];
    const key = plain(name);
    for (const candidates of [
      this.#exact.get(name),
      this.#lenient.get(key),
      this.#bare.get(name),
      this.#lenientBare.get(key),
    ]) {
      const accepted = candidates?.filter(accepts) ?? [];
      if (accepted.length > 0) return accepted;
    }
    return [];
  }
}

const SEPARATORS = ['.', ':', '/', '__'];
const MAX_NAME = 1_000;

/** Letters and digits only, in lower case: `List-Issues` and `list_issues` are the same to a reader. */
function plain(name: string): string {
  return name
    .slice(0, MAX_NAME)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function add(table: Map<string, CatalogEntry[]>, key: string, entry: CatalogEntry): void {
  const list = table.get(key);
  if (list === undefined) table.set(key, [entry]);
  else if (!list.includes(entry)) list.push(entry);
}
