import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { CodeExecutionError } from '../../core/errors.js';
import type { Logger } from '../../core/logger.js';
import { readOrMakeSecret } from '../../fs/secret-file.js';
import { KEY_BYTES } from './principal-keys.js';
import { eraseStored, PrincipalStore } from './principal-store.js';
import { PrincipalVault } from './principal-vault.js';
import type { Vault, Vaults } from './vault.js';

const DEFAULT_TTL_MS = 7 * 24 * 60 * 60 * 1000;
const DEFAULT_MAX_VALUES = 200_000;
/** Expired values go this often, or eight times in their time to live if that is more often; never more than once a second. */
const SWEEP_MS = 60 * 60 * 1000;

export interface VaultOptions {
  /** Where values are kept, encrypted: a folder of its own. */
  readonly folder: string;
  /** Where the master key lies, as `vault.key`: another folder, so that a copy of the first alone tells nothing. */
  readonly keyFolder: string;
  /** A master key of 32 bytes instead of the file, from a key store of the operator. */
  readonly key?: Uint8Array;
  /** False: nothing is written, nothing kept is read, and closing erases everything. */
  readonly keep: boolean;
  /** How long a value is kept after its last use. Default: 7 days. */
  readonly ttlMs?: number;
  /** Most values of one principal; the ones not used for the longest time go. Default: 200,000. */
  readonly maxValues?: number;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  readonly logger: Logger;
}

/** The vaults of all principals of this process, opened when first asked for. Others may use the same folder. */
export class PrincipalVaults implements Vaults {
  readonly #options: VaultOptions;
  readonly #vaults = new Map<string, Promise<PrincipalVault>>();
  readonly #timer: NodeJS.Timeout;
  #masterKey: Buffer | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(options: VaultOptions) {
    if (options.key !== undefined && options.key.length !== KEY_BYTES)
      throw new CodeExecutionError('config_error', `The key of the vault must have ${KEY_BYTES} bytes.`);
    this.#options = options;
    const { ttlMs = DEFAULT_TTL_MS } = options;
    this.#timer = setInterval(() => void this.sweep(), Math.max(1000, Math.min(SWEEP_MS, ttlMs / 8)));
    this.#timer.unref();
  }

  /** Always the same object for a principal. @throws CodeExecutionError `config_error` when a key is missing or wrong. */
  of(principal: string): Promise<Vault> {
    let vault = this.#vaults.get(principal);
    if (vault === undefined) {
      vault = this.#open(principal);
      this.#vaults.set(principal, vault);
      vault.catch(() => this.#vaults.delete(principal));
    }
    return vault;
  }

  /** Works without the master key. Other processes notice when they next restore, and half a second later at most otherwise. */
  async forget(principal: string): Promise<void> {
    // A vault that cannot be opened is erased all the same.
    const vault = await this.#vaults.get(principal)?.catch(() => undefined);
    eraseStored(this.#folderOf(principal));
    vault?.erase();
  }

  async flush(): Promise<void> {
    for (const vault of this.#vaults.values()) await (await vault).flush();
  }

  /** Erases what expired. Runs by itself every hour. */
  sweep(): Promise<void> {
    this.#sweeping = this.#sweeping.then(() => this.#sweepAll());
    return this.#sweeping;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweeping;
    const opened = await Promise.allSettled(this.#vaults.values());
    this.#vaults.clear();
    const closed = await Promise.allSettled(
      opened.map((result) => (result.status === 'fulfilled' ? result.value.close() : undefined)),
    );
    this.#masterKey?.fill(0);
    this.#masterKey = undefined;
    for (const result of closed) if (result.status === 'rejected') throw result.reason;
  }

  async #open(principal: string): Promise<PrincipalVault> {
    const {
      keep,
      logger,
      ttlMs = DEFAULT_TTL_MS,
      maxValues = DEFAULT_MAX_VALUES,
      clock = Date.now,
    } = this.#options;
    const folder = this.#folderOf(principal);
    const openStore = () => new PrincipalStore({ folder, principal, masterKey: this.#master(), logger });
    const vault = await PrincipalVault.open({ ttlMs, maxValues, clock, ...(keep ? { openStore } : {}) });
    // What expired while nobody ran, and what processes that are gone have left.
    if (keep) this.#sweepOne(vault);
    return vault;
  }

  #sweepOne(vault: PrincipalVault): void {
    this.#sweeping = this.#sweeping.then(() => this.#tidy(vault));
  }

  async #sweepAll(): Promise<void> {
    for (const vault of await Promise.allSettled(this.#vaults.values()))
      if (vault.status === 'fulfilled') await this.#tidy(vault.value);
  }

  async #tidy(vault: PrincipalVault): Promise<void> {
    try {
      await vault.sweep();
    } catch (error) {
      this.#options.logger.error({ err: error }, 'expired values of the vault could not be erased');
    }
  }

  #master(): Buffer {
    this.#masterKey ??=
      this.#options.key === undefined
        ? readOrMakeSecret(path.join(this.#options.keyFolder, 'vault.key'), KEY_BYTES, () =>
            randomBytes(KEY_BYTES),
          )
        : Buffer.from(this.#options.key);
    return this.#masterKey;
  }

  /** The name of a folder says nothing of the principal. */
  #folderOf(principal: string): string {
    const name = createHash('sha256').update(principal, 'utf16le').digest('hex').slice(0, 32);
    return path.join(this.#options.folder, name);
  }
}
