import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { encodeSnapshot, findPages, readSnapshot } from '../../../src/sandbox/wasm/guest/snapshot-file.js';

const PAGE = 4096;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'code-execution-snapshot-'));
  // The guest reads by Deno's calls; short reads are what the system may answer at any time.
  vi.stubGlobal('Deno', {
    openSync(file: string) {
      const fd = openSync(file, 'r');
      return {
        readSync: (buffer: Uint8Array) =>
          readSync(fd, buffer, 0, Math.min(buffer.length, 5_000), null) || null,
        close: () => closeSync(fd),
      };
    },
  });
});
afterAll(() => {
  vi.unstubAllGlobals();
  rmSync(folder, { recursive: true, force: true });
});

/** Memory with something in the given pages. */
function memoryWith(pages: number, filled: readonly number[]): Uint8Array {
  const memory = new Uint8Array(pages * PAGE);
  for (const page of filled) memory.fill((page % 255) + 1, page * PAGE + 4, page * PAGE + 20);
  return memory;
}

function write(parts: readonly Uint8Array[]): string {
  const file = path.join(folder, 'snapshot.bin');
  writeFileSync(file, Buffer.concat(parts));
  return file;
}

describe('a snapshot', () => {
  test('restores every byte into a memory that is zero or was written by the start', () => {
    const page = fc.nat({ max: 99 });
    fc.assert(
      fc.property(fc.uniqueArray(page), fc.uniqueArray(page), (filled, written) => {
        const memory = memoryWith(100, filled);
        const snapshot = readSnapshot(write(encodeSnapshot(memory, { hiwire: [1] }, new Set(written))));
        expect([snapshot.memoryBytes, snapshot.references]).toEqual([100 * PAGE, { hiwire: [1] }]);
        const restored = new Uint8Array(100 * PAGE);
        for (const dirty of written) restored.fill(255, dirty * PAGE, (dirty + 1) * PAGE);
        snapshot.restore(restored);
        expect(Buffer.compare(restored, memory)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test('leaves long runs of zero pages out, and keeps short ones within one segment', () => {
    const size = (filled: number[]) =>
      encodeSnapshot(memoryWith(100, filled), null, new Set())
        .slice(2)
        .map((segment) => segment.length / PAGE);
    expect(size([0])).toEqual([1]);
    expect(size([0, 10])).toEqual([11]);
    expect(size([0, 60, 61])).toEqual([1, 2]);
    expect(size([])).toEqual([]);
  });

  test('that is cut short is refused', () => {
    const parts = encodeSnapshot(memoryWith(4, [0, 1, 2, 3]), null, new Set());
    const file = write([Buffer.concat(parts).subarray(0, -1)]);
    expect(() => readSnapshot(file).restore(new Uint8Array(4 * PAGE))).toThrow('cut short');
  });

  test('finds the pages that hold anything', () => {
    expect([...findPages(memoryWith(10, [0, 3, 9]))]).toEqual([0, 3, 9]);
  });
});
