import { describe, expect, test, vi } from 'vitest';
import { CodeExecutionError } from '../../../src/core/errors.js';
import { AutoSandbox, type ProvenSandbox } from '../../../src/sandbox/auto-sandbox.js';
import type { Worker } from '../../../src/sandbox/sandbox.js';
import { QUIET } from '../../support/quiet-logger.js';

const worker = (id: string) => ({ id }) as Worker;

function backend(name: 'native' | 'wasm', problem?: string): ProvenSandbox {
  return {
    prove: vi.fn(async () => {
      if (problem) throw new CodeExecutionError('backend_unavailable', problem, 'do this');
    }),
    info: async () => ({ name, python: '3', isolation: '', layers: [] }),
    pool: () => ({ ready: name === 'native' ? 1 : 2, starting: 0, active: 0, target: 0 }),
    warm: vi.fn(),
    acquire: async () => worker(name),
    [Symbol.asyncDispose]: vi.fn(async () => undefined),
  };
}

describe('the choice of auto', () => {
  test('is the preferred backend when code in it could not get out, found once', async () => {
    const [preferred, otherwise] = [backend('native'), backend('wasm')];
    const auto = new AutoSandbox({ preferred, otherwise, log: QUIET });
    expect((await auto.acquire({ principal: 'p' })).id).toBe('native');
    expect(await auto.info()).toMatchObject({ name: 'native', layers: [] });
    expect(auto.pool().ready).toBe(1);
    expect(preferred.prove).toHaveBeenCalledTimes(1);
    expect(otherwise.warm).not.toHaveBeenCalled();
  });

  test('is the other one when not, which tells why among its layers', async () => {
    const [preferred, otherwise] = [
      backend('native', 'code in the jail got out: connecting'),
      backend('wasm'),
    ];
    const auto = new AutoSandbox({ preferred, otherwise, log: QUIET });
    auto.warm();
    expect((await auto.acquire({ principal: 'p' })).id).toBe('wasm');
    expect(await auto.info()).toMatchObject({
      name: 'wasm',
      layers: [
        {
          name: 'native',
          active: false,
          detail: 'not used: code in the jail got out: connecting; next: do this',
        },
      ],
    });
    expect(auto.pool().ready).toBe(2);
    expect(otherwise.warm).toHaveBeenCalledTimes(1);
    expect(preferred.warm).not.toHaveBeenCalled();
  });

  test('ends both', async () => {
    const [preferred, otherwise] = [backend('native'), backend('wasm')];
    await new AutoSandbox({ preferred, otherwise, log: QUIET })[Symbol.asyncDispose]();
    expect(preferred[Symbol.asyncDispose]).toHaveBeenCalledTimes(1);
    expect(otherwise[Symbol.asyncDispose]).toHaveBeenCalledTimes(1);
  });
});
