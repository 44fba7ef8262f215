/** The soft memory limit of a run. The wall is the page cap in the wasm file and the host's watchdog. */
let limitBytes = Number.POSITIVE_INFINITY;

/** Growing the heap beyond this many bytes fails from now on, which Python sees as MemoryError. */
export function limitMemory(bytes: number): void {
  limitBytes = bytes;
}

/** Puts the limit in front of Emscripten's own growth function. */
export function wrapMemoryGrowth(env: Record<string, unknown>): void {
  const grow = env.emscripten_resize_heap as (size: number) => number;
  env.emscripten_resize_heap = (size: number) => (size >>> 0 > limitBytes ? 0 : grow(size));
}
