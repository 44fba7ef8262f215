import { CodeExecutionError } from '../../core/errors.js';
import type { Review } from '../catalog.js';

/** Where the pinned hashes are kept. One text; both methods work on the whole of it. */
export interface LockStore {
  /** Undefined when nothing was ever written. */
  read(): Promise<string | undefined>;
  /** Atomic: a reader sees the old text or the new one. */
  write(text: string): Promise<void>;
}

/** How a hash came to be pinned: with its whole server at first sight, by appearing later, or by a person. */
type Pinned = 'first-use' | 'seen' | 'person';

interface Pin {
  readonly hash: string;
  readonly by: Pinned;
}

export interface OfferedTool {
  /** As the server spells it. */
  readonly name: string;
  readonly hash: string;
  /** Its name claims a tool of another server. */
  readonly shadows: boolean;
}

/** Pins of one server; beyond it those of tools that are no longer offered are forgotten. */
const MAX_PINS = 5_000;

/**
 * Hashes of all definitions ever seen, by server and tool: the memory that tells a changed definition from a known one.
 * Trust on first use: what a server offers when it is first seen is the base; everything later is compared with it.
 */
export class DefinitionLock {
  readonly #store: LockStore;
  readonly #servers: Map<string, Map<string, Pin>>;
  #dirty = false;

  private constructor(store: LockStore, servers: Map<string, Map<string, Pin>>) {
    this.#store = store;
    this.#servers = servers;
  }

  /** @throws CodeExecutionError `config_error` when the stored text is no lock: forgetting all pins would accept everything. */
  static async open(store: LockStore): Promise<DefinitionLock> {
    const text = await store.read();
    return new DefinitionLock(store, text === undefined ? new Map() : parseLock(text));
  }

  /** Standing of every tool of a server; pins what is seen for the first time. `save` makes it last. */
  review(server: string, offered: readonly OfferedTool[]): ReadonlyMap<string, Review> {
    const known = this.#servers.get(server);
    const pins = known ?? new Map<string, Pin>();
    if (known === undefined && offered.length > 0) this.#servers.set(server, pins);
    const standing = new Map<string, Review>();
    for (const { name, hash, shadows } of offered) {
      let pin = pins.get(name);
      if (pin === undefined) {
        pin = { hash, by: known === undefined && !shadows ? 'first-use' : 'seen' };
        pins.set(name, pin);
        this.#dirty = true;
      }
      standing.set(name, standingOf(pin, hash, shadows));
    }
    this.#forget(pins, offered);
    return standing;
  }

  /** A person has looked at the definition. */
  accept(server: string, name: string, hash: string): void {
    const pins = this.#servers.get(server) ?? new Map<string, Pin>();
    this.#servers.set(server, pins.set(name, { hash, by: 'person' }));
    this.#dirty = true;
  }

  /** Writes what is new, if anything is. */
  async save(): Promise<void> {
    if (!this.#dirty) return;
    this.#dirty = false;
    const servers = [...this.#servers]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([server, pins]) => [server, Object.fromEntries([...pins].sort(([a], [b]) => (a < b ? -1 : 1)))]);
    try {
      await this.#store.write(
        `${JSON.stringify({ version: 1, servers: Object.fromEntries(servers) }, null, 1)}\n`,
      );
    } catch (error) {
      this.#dirty = true;
      throw error;
    }
  }

  /** A server that offers other names every day must not fill the disk. */
  #forget(pins: Map<string, Pin>, offered: readonly OfferedTool[]): void {
    if (pins.size <= MAX_PINS) return;
    const current = new Set(offered.map((tool) => tool.name));
    for (const name of [...pins.keys()]) {
      if (pins.size <= MAX_PINS) return;
      if (!current.has(name)) pins.delete(name);
    }
  }
}

function standingOf(pin: Pin, hash: string, shadows: boolean): Review {
  if (pin.hash !== hash) return 'changed';
  if (shadows && pin.by !== 'person') return 'shadowing';
  return pin.by === 'seen' ? 'new' : 'accepted';
}

function parseLock(text: string): Map<string, Map<string, Pin>> {
  const servers = new Map<string, Map<string, Pin>>();
  try {
    const { version, servers: stored } = JSON.parse(text) as { version: unknown; servers: object };
    if (version !== 1) throw new Error('unknown version');
    for (const [server, pins] of Object.entries(stored)) {
      const read = Object.entries(pins as object).map(([name, pin]): [string, Pin] => [
        name,
        checkedPin(pin),
      ]);
      servers.set(server, new Map(read));
    }
  } catch (error) {
    throw new CodeExecutionError(
      'config_error',
      'the lock file of tool definitions cannot be read',
      'restore it, or delete it to accept all definitions as they are now',
      { cause: error },
    );
  }
  return servers;
}

function checkedPin(value: unknown): Pin {
  const { hash, by } = value as { hash: unknown; by: unknown };
  if (typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash)) {
    if (by === 'first-use' || by === 'seen' || by === 'person') return { hash, by };
  }
  throw new Error('no pin');
}
