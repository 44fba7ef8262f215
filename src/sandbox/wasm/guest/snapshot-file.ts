/**
 * A memory snapshot with its zero pages left out: half of the interpreter's memory is zero, and reading the rest
 * straight into the wasm memory avoids a 30 MB copy in fresh pages.
 *
 * Layout: u32 length of the JSON head, the head `{memoryBytes, references, segments: [[offset, length] ...]}`, then the
 * bytes of the segments. Little-endian, as the snapshot itself.
 */
export interface Snapshot {
  readonly memoryBytes: number;
  /** Pyodide's list of JavaScript references in the snapshot. */
  readonly references: unknown;
  restore(memory: Uint8Array): void;
}

const PAGE = 4096;
/** Zero runs shorter than this are stored: a segment costs a system call. */
const MIN_GAP_PAGES = 16;

/**
 * @param written pages that instantiation writes to. They are always stored: one that is zero in the snapshot would not
 *   be zero by itself. All others are zero in a new memory.
 */
export function encodeSnapshot(
  memory: Uint8Array,
  references: unknown,
  written: ReadonlySet<number>,
): Uint8Array[] {
  const segments = findSegments(memory, written);
  const head = new TextEncoder().encode(JSON.stringify({ memoryBytes: memory.length, references, segments }));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, head.length, true);
  return [length, head, ...segments.map(([offset, size]) => memory.subarray(offset, offset + size))];
}

/** Opens a snapshot; its segments are read by `restore`, which may be called once. */
export function readSnapshot(path: string): Snapshot {
  const file = Deno.openSync(path);
  const readFully = (into: Uint8Array): void => {
    let done = 0;
    while (done < into.length) {
      const count = file.readSync(into.subarray(done));
      if (count === null) throw new Error('the snapshot is cut short');
      done += count;
    }
  };
  const length = new Uint8Array(4);
  readFully(length);
  const text = new Uint8Array(new DataView(length.buffer).getUint32(0, true));
  readFully(text);
  const head: { memoryBytes: number; references: unknown; segments: [number, number][] } = JSON.parse(
    new TextDecoder().decode(text),
  );
  return {
    memoryBytes: head.memoryBytes,
    references: head.references,
    restore(memory) {
      for (const [offset, size] of head.segments) readFully(memory.subarray(offset, offset + size));
      file.close();
    },
  };
}

function findSegments(memory: Uint8Array, written: ReadonlySet<number>): [number, number][] {
  const pages = new Set([...findPages(memory), ...written]);
  const segments: [number, number][] = [];
  for (const page of [...pages].sort((a, b) => a - b)) {
    const last = segments.at(-1);
    const gap = last ? page * PAGE - (last[0] + last[1]) : Number.POSITIVE_INFINITY;
    if (last && gap < MIN_GAP_PAGES * PAGE) last[1] = (page + 1) * PAGE - last[0];
    else segments.push([page * PAGE, PAGE]);
  }
  return segments;
}

/** The numbers of the pages that hold anything but zeros. */
export function findPages(memory: Uint8Array): Set<number> {
  const words = new Uint32Array(memory.buffer, memory.byteOffset, memory.length >> 2);
  const pages = new Set<number>();
  for (let i = 0; i < words.length; i++) {
    if (words[i] === 0) continue;
    const page = Math.floor((i * 4) / PAGE);
    pages.add(page);
    i = (page + 1) * (PAGE / 4) - 1;
  }
  return pages;
}
