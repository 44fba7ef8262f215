import type { KeyPath } from '../keys.js';

/** Keys that stand above, by how far their lines are indented: `database:` and below it `  password: ...`. */
export class Indents {
  readonly #base: KeyPath;
  readonly #columns: number[] = [];
  readonly #paths: KeyPath[] = [];

  constructor(base: KeyPath) {
    this.#base = base;
  }

  /** The path that a line at this column is below. */
  pathAt(column: number): KeyPath {
    while (this.#columns.length > 0 && (this.#columns.at(-1) as number) >= column) {
      this.#columns.pop();
      this.#paths.pop();
    }
    return this.#paths.at(-1) ?? this.#base;
  }

  /** A key without a value. */
  enter(column: number, path: KeyPath): void {
    if (this.#columns.length >= DEEPEST) return;
    this.#columns.push(column);
    this.#paths.push(path);
  }
}

const DEEPEST = 32;
