const MAX_NAMES = 500;
const MAX_PRINCIPALS = 1_000;

/** Names that fresh runs defined, so that a NameError in a later run can say why they are gone. */
export class EarlierNames {
  readonly #byPrincipal = new Map<string, Set<string>>();

  of(principal: string): readonly string[] {
    return [...(this.#byPrincipal.get(principal) ?? [])];
  }

  /** The newest names are kept. */
  add(principal: string, names: readonly string[]): void {
    const known = this.#byPrincipal.get(principal) ?? new Set();
    this.#byPrincipal.delete(principal);
    this.#byPrincipal.set(principal, known);
    for (const name of names) {
      known.delete(name);
      known.add(name);
    }
    dropOldest(known, MAX_NAMES);
    dropOldest(this.#byPrincipal, MAX_PRINCIPALS);
  }
}

function dropOldest(entries: Set<string> | Map<string, unknown>, keep: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= keep) return;
    entries.delete(key);
  }
}
