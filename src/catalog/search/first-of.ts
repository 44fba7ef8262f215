/** The first `most` numbers in the order of `compare`, in that order; no two may be equal. Linear for a small `most`. */
export function firstOf(
  numbers: readonly number[],
  most: number,
  compare: (a: number, b: number) => number,
): number[] {
  const before = (a: number, b: number): boolean => compare(a, b) < 0;
  // A heap whose root is the last of those that are kept.
  const heap: number[] = [];
  for (const one of numbers) {
    if (heap.length < most) {
      heap.push(one);
      siftUp(heap, before);
    } else if (before(one, heap[0] ?? 0)) {
      heap[0] = one;
      siftDown(heap, before);
    }
  }
  return heap.sort(compare);
}

function siftUp(heap: number[], before: (a: number, b: number) => boolean): void {
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!before(heap[parent] ?? 0, heap[at] ?? 0)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function siftDown(heap: number[], before: (a: number, b: number) => boolean): void {
  let at = 0;
  for (;;) {
    let worst = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && before(heap[worst] ?? 0, heap[child] ?? 0)) worst = child;
    }
    if (worst === at) return;
    swap(heap, at, worst);
    at = worst;
  }
}

function swap(heap: number[], a: number, b: number): void {
  const kept = heap[a] ?? 0;
  heap[a] = heap[b] ?? 0;
  heap[b] = kept;
}
