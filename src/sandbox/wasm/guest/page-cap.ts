const MEMORY_SECTION = 5;
const HEADER_BYTES = 8;
const PAGE_BYTES = 65_536;
const HAS_MAXIMUM = 1;

/**
 * Lowers the maximum of the module's memory in its binary form, in place. The engine enforces it, so no code in the
 * process can go past it through this memory. (Format: WebAssembly core specification, "Binary Format", memory section.)
 * @throws Error if the module has no memory with a maximum.
 */
export function capMemory(wasm: Uint8Array, bytes: number): void {
  let at = HEADER_BYTES;
  while (at < wasm.length) {
    const section = wasm[at];
    const size = readNumber(wasm, at + 1);
    if (section === MEMORY_SECTION) {
      const count = readNumber(wasm, size.end);
      const flags = wasm[count.end] ?? 0;
      if (count.value !== 1 || (flags & HAS_MAXIMUM) === 0) break;
      const initial = readNumber(wasm, count.end + 1);
      const maximum = readNumber(wasm, initial.end);
      const pages = Math.max(initial.value, Math.ceil(bytes / PAGE_BYTES));
      if (pages < maximum.value) writeNumber(wasm, initial.end, maximum.end, pages);
      return;
    }
    at = size.end + size.value;
  }
  throw new Error('the wasm module declares no memory maximum');
}

/** An unsigned LEB128 number. */
function readNumber(bytes: Uint8Array, at: number): { value: number; end: number } {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return { value, end: at };
  }
}

/** Writes in exactly the space of the former number, padded with continuation bytes. */
function writeNumber(bytes: Uint8Array, from: number, end: number, value: number): void {
  let rest = value;
  for (let at = from; at < end; at++) {
    bytes[at] = (rest & 127) | (at < end - 1 ? 128 : 0);
    rest = Math.floor(rest / 128);
  }
}
