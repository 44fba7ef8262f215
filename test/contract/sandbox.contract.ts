import { afterAll, beforeAll, describe, expect } from 'vitest';
import { descendants } from '../../scripts/support/processes.mjs';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { needs } from '../support/capabilities.js';
import { ContractHost, LIMITS } from './contract-host.js';
import { deathContract } from './death.js';
import { filesContract } from './files.js';
import { lifetimeContract } from './lifetime.js';
import { limitsContract } from './limits.js';
import { outputContract } from './output.js';
import { stateContract } from './state.js';

/** What differs between backends without one being wrong. */
export interface Capabilities {
  /** JavaScript runs in the worker's process and can be reached from Python. */
  readonly javascript: boolean;
  /** What recursion without a limit comes to: the end of the interpreter, or an error once memory would be full. */
  readonly deepRecursion: 'crashed' | 'python_error';
  /** Names of the programs that a worker's processes run, as /proc shows them (15 characters). */
  readonly programs: readonly string[];
}

/**
 * What any sandbox backend must do, asked through the interfaces that the product uses: `sandboxContract('wasm', ...)`.
 * @param create starts the backend with {@link LIMITS}; called once, the sandbox is shared by all tests.
 */
export function sandboxContract(
  name: string,
  create: (limits: typeof LIMITS) => Sandbox,
  capabilities: Capabilities,
): void {
  describe(`the ${name} sandbox`, () => {
    let sandbox: Sandbox;
    beforeAll(async () => {
      sandbox = create(LIMITS);
      sandbox.warm();
      // The first start on a machine prepares the backend.
      await (await sandbox.acquire({ principal: 'first' })).kill();
    }, 180_000);
    afterAll(() => sandbox[Symbol.asyncDispose]());

    /** One part of the contract with a runner and a workspace of its own, so that its sessions end with it. */
    function part(title: string, contract: (current: () => ContractHost) => void): void {
      describe(title, () => {
        let host: ContractHost;
        beforeAll(() => {
          host = new ContractHost(sandbox);
        });
        afterAll(() => host[Symbol.asyncDispose]());
        contract(() => host);
      });
    }

    part('lifetime', lifetimeContract);
    part('state', stateContract);
    part('files', filesContract);
    part('output', outputContract);
    part('limits', limitsContract);
    part('death', (current) => deathContract(current, capabilities));

    needs('linux').test('leaves no process behind when it is closed', async () => {
      const running = () =>
        descendants(process.pid).filter(({ command }) => capabilities.programs.includes(command));
      // A worker that is just starting cannot be ended before it is up.
      await expect
        .poll(() => sandbox.pool(), { timeout: 20_000 })
        .toMatchObject({ starting: 0, ready: expect.toSatisfy((ready: number) => ready > 0) });
      expect(running().length).toBeGreaterThan(0);
      await sandbox[Symbol.asyncDispose]();
      await expect.poll(running, { timeout: 20_000 }).toEqual([]);
    });
  });
}
