/** What is done to the leaves of a JSON value. Each answers its argument to leave it. */
export interface LeafMap {
  /**
   * @param keys of the objects around it, the outermost first; only valid during the call.
   * @param path tells where it stands: `items[0].email`.
   */
  string(text: string, keys: readonly string[], path: () => string): string;
  number(value: number, keys: readonly string[], path: () => string): number | string;
  /** Absent: keys stay. Two keys of an object that become the same are told apart by a number behind. */
  key?(key: string, keys: readonly string[]): string;
}

interface Frame {
  readonly source: object;
  /** Of an object; undefined: an array. */
  readonly names: readonly string[] | undefined;
  at: number;
  /** Made when the first item changes. */
  copy: unknown[] | undefined;
  renamed: string[] | undefined;
}

/**
 * A JSON value with its leaves mapped. What is unchanged, the whole or any part, is the same object as before; nothing is
 * changed in place. No recursion, so depth costs memory only; can be done in slices.
 */
export class ValueMapper {
  readonly #map: LeafMap;
  readonly #keys: string[] = [];
  readonly #frames: Frame[] = [];
  readonly #path = () => pathOf(this.#frames);
  #result: unknown;

  constructor(value: unknown, map: LeafMap) {
    this.#map = map;
    this.#result = this.#enter(value);
  }

  /** Only after `run` has answered true. */
  get result(): unknown {
    return this.#result;
  }

  /** Goes on until the value is done (true), or `pause`, asked every 64 items, answers true. */
  run(pause: () => boolean = () => false): boolean {
    for (let n = 1; ; n++) {
      const frame = this.#frames.at(-1);
      if (frame === undefined) return true;
      if (frame.at < sizeOf(frame)) this.#next(frame);
      else this.#leave(frame);
      if (n % 64 === 0 && pause()) return false;
    }
  }

  #next(frame: Frame): void {
    const { source, names, at } = frame;
    const name = names?.[at];
    if (name === undefined) {
      this.#put(frame, this.#enter((source as readonly unknown[])[at]));
      return;
    }
    const key = this.#map.key?.(name, this.#keys) ?? name;
    if (key !== name) {
      frame.renamed ??= [...(names ?? [])];
      frame.renamed[at] = key;
    }
    this.#keys.push(name);
    this.#put(frame, this.#enter((source as Record<string, unknown>)[name]));
  }

  /** The mapped leaf; or the array or object itself, whose frame is then on top. */
  #enter(value: unknown): unknown {
    if (typeof value === 'string') return this.#map.string(value, this.#keys, this.#path);
    if (typeof value === 'number') return this.#map.number(value, this.#keys, this.#path);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    const names = Array.isArray(value) ? undefined : Object.keys(value);
    this.#frames.push({ source: value, names, at: 0, copy: undefined, renamed: undefined });
    return value;
  }

  /** Puts what became of the item in its place; a container gets there only when it is left. */
  #put(frame: Frame, item: unknown): void {
    if (this.#frames.at(-1) === frame) this.#settle(frame, item);
  }

  #settle(frame: Frame, item: unknown): void {
    const { source, names, at } = frame;
    const name = names?.[at];
    const before =
      name === undefined ? (source as readonly unknown[])[at] : (source as Record<string, unknown>)[name];
    if (!Object.is(item, before)) {
      frame.copy ??= names === undefined ? [...(source as readonly unknown[])] : Object.values(source);
      frame.copy[at] = item;
    }
    if (name !== undefined) this.#keys.pop();
    frame.at++;
  }

  #leave(frame: Frame): void {
    this.#frames.pop();
    const outer = this.#frames.at(-1);
    const result = rebuilt(frame);
    if (outer === undefined) this.#result = result;
    else this.#settle(outer, result);
  }
}

/** The value with its leaves mapped, at once. */
export function mapValue(value: unknown, map: LeafMap): unknown {
  const mapper = new ValueMapper(value, map);
  mapper.run();
  return mapper.result;
}

function pathOf(frames: readonly Frame[]): string {
  const steps = frames.map(({ names, at }) => (names === undefined ? `[${at}]` : `.${names[at]}`));
  return steps.join('').replace(/^\./, '');
}

function sizeOf({ source, names }: Frame): number {
  return names?.length ?? (source as readonly unknown[]).length;
}

function rebuilt({ source, names, copy, renamed }: Frame): unknown {
  if (copy === undefined && renamed === undefined) return source;
  if (names === undefined) return copy;
  const items = copy ?? Object.values(source);
  const keys = renamed === undefined ? names : distinct(renamed);
  // Assigning a key named `__proto__` would set the prototype instead.
  return Object.fromEntries(keys.map((key, i) => [key, items[i]]));
}

function distinct(keys: readonly string[]): string[] {
  const taken = new Set<string>();
  const last = new Map<string, number>();
  return keys.map((key) => {
    let name = key;
    for (let n = last.get(key) ?? 2; taken.has(name); n++) {
      name = `${key}_${n}`;
      last.set(key, n + 1);
    }
    taken.add(name);
    return name;
  });
}
