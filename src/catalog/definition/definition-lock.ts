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

/** By server and tool. */
type Pins = Map<string, Map<string, Pin>>;

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
  #servers: Pins = new Map();
  /** Not written yet. */
  #own: Pins = new Map();
  /** As it was last read or written. */
  #text: string | undefined;
  readonly #offered = new Map<string, ReadonlySet<string>>();

  private constructor(store: LockStore) {
    this.#store = store;
  }

  /** @throws CodeExecutionError `config_error` when the stored text is no lock: forgetting all pins would accept everything. */
  static async open(store: LockStore): Promise<DefinitionLock> {
    const lock = new DefinitionLock(store);
    await lock.reload();
    return lock;
  }

  /**
   * Takes in what other processes have written: a person's acceptance, servers that they met first. False when nothing is new.
   * @throws CodeExecutionError `config_error`
   */
  async reload(): Promise<boolean> {
    const text = await this.#store.read();
    if (text === this.#text) return false;
    const servers: Pins = text === undefined ? new Map() : parseLock(text);
    for (const [server, pins] of this.#own) {
      const stored = servers.get(server) ?? new Map<string, Pin>();
      servers.set(server, stored);
      for (const [name, pin] of pins) if (pin.by === 'person' || !stored.has(name)) stored.set(name, pin);
    }
    this.#servers = servers;
    this.#text = text;
    return true;
  }

  /** Standing of every tool of a server; pins what is seen for the first time. `save` makes it last. */
  review(server: string, offered: readonly OfferedTool[]): ReadonlyMap<string, Review> {
    const isKnown = this.#servers.has(server);
    const standing = new Map<string, Review>();
    for (const { name, hash, shadows } of offered) {
      let pin = this.#servers.get(server)?.get(name);
      if (pin === undefined) {
        pin = { hash, by: isKnown || shadows ? 'seen' : 'first-use' };
        this.#pin(server, name, pin);
      }
      standing.set(name, standingOf(pin, hash, shadows));
    }
    this.#offered.set(server, new Set(offered.map(({ name }) => name)));
    return standing;
  }

  /** A person has looked at the definition. */
  accept(server: string, name: string, hash: string): void {
    this.#pin(server, name, { hash, by: 'person' });
  }

  /** Adds what is new, if anything is, to what is stored by now. */
  async save(): Promise<void> {
    if (this.#own.size === 0) return;
    await this.reload();
    for (const [server, offered] of this.#offered) this.#forget(server, offered);
    const own = this.#own;
    this.#own = new Map();
    const servers = [...this.#servers]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([server, pins]) => [server, Object.fromEntries([...pins].sort(([a], [b]) => (a < b ? -1 : 1)))]);
    const text = `${JSON.stringify({ version: 1, servers: Object.fromEntries(servers) }, null, 1)}\n`;
    try {
      await this.#store.write(text);
      this.#text = text;
    } catch (error) {
      for (const [server, pins] of own)
        this.#own.set(server, new Map([...pins, ...(this.#own.get(server) ?? [])]));
      throw error;
    }
  }

  #pin(server: string, name: string, pin: Pin): void {
    for (const all of [this.#servers, this.#own]) {
      const pins = all.get(server) ?? new Map<string, Pin>();
      all.set(server, pins.set(name, pin));
    }
  }

  /** A server that offers other names every day must not fill the disk. */
  #forget(server: string, offered: ReadonlySet<string>): void {
    const pins = this.#servers.get(server);
    for (const name of pins === undefined || pins.size <= MAX_PINS ? [] : [...pins.keys()]) {
      if (pins === undefined || pins.size <= MAX_PINS) return;
      if (!offered.has(name)) pins.delete(name);
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
