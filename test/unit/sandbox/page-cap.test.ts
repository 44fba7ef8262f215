import { expect, test } from 'vitest';
import { capMemory } from '../../../src/sandbox/wasm/guest/page-cap.js';

const PAGE = 65_536;
const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** A custom section before the memory, which must be skipped: id 0, 5 bytes, name "abcd". */
const CUSTOM = [0, 5, 4, 0x61, 0x62, 0x63, 0x64];
/** Exports the memory as "m". */
const EXPORT = [7, 5, 1, 1, 0x6d, 2, 0];

/** A module with one memory: 1 page at first, `maximum` (LEB128 bytes) at most. */
function moduleWith(limits: readonly number[]): Uint8Array {
  return Uint8Array.from([...HEADER, ...CUSTOM, 5, limits.length + 1, 1, ...limits, ...EXPORT]);
}

/** Pages that the engine lets the module's memory grow to. */
function mostPages(bytes: Uint8Array): number {
  const wasm = (
    globalThis as unknown as {
      WebAssembly: {
        Module: new (b: Uint8Array) => unknown;
        Instance: new (m: unknown) => { exports: { m: { grow(n: number): number; buffer: ArrayBuffer } } };
      };
    }
  ).WebAssembly;
  const { m } = new wasm.Instance(new wasm.Module(bytes)).exports;
  let pages = 1;
  for (;;) {
    try {
      m.grow(1);
      pages++;
    } catch {
      expect(m.buffer.byteLength).toBe(pages * PAGE);
      return pages;
    }
  }
}

// 100 pages in one byte, and 65,536 pages (4 GiB) in the three bytes of the real module.
const SMALL = [1, 1, 100];
const LARGE = [1, 1, 0x80, 0x80, 0x04];

test.each<[string, readonly number[], number, number]>([
  ['a cap below the maximum', SMALL, 10 * PAGE, 10],
  ['a cap between two pages, rounded up', SMALL, 10 * PAGE + 1, 11],
  ['a cap above the maximum, which stays', SMALL, 1_000 * PAGE, 100],
  ['a cap below what the module starts with', SMALL, 0, 1],
  ['a cap in fewer bytes than the maximum takes', LARGE, 7 * PAGE, 7],
  ['a cap in two bytes of three', LARGE, 200 * PAGE, 200],
])('the engine holds to %s', (_what, limits, bytes, pages) => {
  const wasm = moduleWith(limits);
  capMemory(wasm, bytes);
  expect(mostPages(wasm)).toBe(pages);
});

test.each<[string, Uint8Array]>([
  ['a memory without a maximum', moduleWith([0, 1])],
  ['no memory', Uint8Array.from([...HEADER, ...CUSTOM])],
  ['no section', Uint8Array.from(HEADER)],
])('a module with %s is refused: its memory would have no cap', (_what, wasm) => {
  expect(() => capMemory(wasm, PAGE)).toThrow('declares no memory maximum');
});
