import { CodeExecutionError } from '../core/errors.js';
import type { Logger } from '../core/logger.js';
import type { PoolInfo, PostureRow, Sandbox, SandboxInfo, Worker } from './sandbox.js';

/** A backend that can say whether it holds here, before anything runs in it. */
export interface ProvenSandbox extends Sandbox {
  /** Resolves when a run in it has tried to get out and failed. @throws CodeExecutionError `backend_unavailable` */
  prove(): Promise<void>;
}

export interface AutoSandboxOptions {
  readonly preferred: ProvenSandbox;
  readonly otherwise: Sandbox;
  readonly log: Logger;
}

/** The preferred backend where it holds, else the other one, which then says why. Decided once, with the first question. */
export class AutoSandbox implements Sandbox {
  readonly #options: AutoSandboxOptions;
  #choice: Promise<Sandbox> | undefined;
  #chosen: Sandbox | undefined;
  #why = '';

  constructor(options: AutoSandboxOptions) {
    this.#options = options;
  }

  async info(): Promise<SandboxInfo> {
    const chosen = await this.#choose();
    const info = await chosen.info();
    if (chosen === this.#options.preferred) return info;
    return { ...info, layers: [...info.layers, { name: 'native', active: false, detail: this.#why }] };
  }

  async posture(): Promise<readonly PostureRow[]> {
    return (await (await this.#choose()).posture?.()) ?? [];
  }

  pool(): PoolInfo {
    return (this.#chosen ?? this.#options.otherwise).pool();
  }

  warm(): void {
    void this.#choose().then((chosen) => chosen.warm());
  }

  async acquire(request: { principal: string; signal?: AbortSignal }): Promise<Worker> {
    return (await this.#choose()).acquire(request);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([
      this.#options.preferred[Symbol.asyncDispose](),
      this.#options.otherwise[Symbol.asyncDispose](),
    ]);
  }

  #choose(): Promise<Sandbox> {
    this.#choice ??= this.#decide();
    return this.#choice;
  }

  async #decide(): Promise<Sandbox> {
    const { preferred, otherwise, log } = this.#options;
    try {
      await preferred.prove();
      this.#chosen = preferred;
    } catch (err) {
      this.#why = reasonOf(err);
      log.info({ err }, 'the native sandbox is not used');
      this.#chosen = otherwise;
    }
    return this.#chosen;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof CodeExecutionError && error.hint !== undefined)
    return `not used: ${error.message}; next: ${error.hint}`;
  return `not used: ${error instanceof Error ? error.message : String(error)}`;
}
