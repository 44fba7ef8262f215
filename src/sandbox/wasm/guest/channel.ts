/**
 * Frames over standard input and output, blocking: the guest's end of src/wire/frames.ts. Reading blocks the whole
 * thread, which is what a Python function that waits for an answer needs.
 */
export interface GuestFrame {
  // biome-ignore lint/suspicious/noExplicitAny: made by the host, which the guest trusts
  readonly header: any;
  readonly payload: Uint8Array;
}

const PREFIX_BYTES = 8;
const BUFFER_BYTES = 64 * 1024;
const EMPTY = new Uint8Array(0);

const buffer = new Uint8Array(BUFFER_BYTES);
let start = 0;
let end = 0;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const stdin = Deno.stdin;
const stdout = Deno.stdout;

/** Replies that came while another one was waited for. */
const early: GuestFrame[] = [];

/**
 * Requests of the guest's own JavaScript (file contents) have ids from here on, those of Python (calls) lower ones, so
 * that either can wait for its answer while the other's arrives.
 */
export const FIRST_OWN_ID = 2 ** 31;

/** The next frame that belongs to a request of the guest's own; replies to Python's calls are put aside. */
export function readOwnFrame(): GuestFrame {
  for (;;) {
    const frame = readFrame();
    if (frame.header.type !== 'reply' || frame.header.id >= FIRST_OWN_ID) return frame;
    early.push(frame);
  }
}

/** The next reply to a call of Python's. */
export function readCallReply(): GuestFrame {
  for (;;) {
    const frame = early.shift() ?? readFrame();
    if (frame.header.type === 'reply' && frame.header.id < FIRST_OWN_ID) return frame;
  }
}

/** Replies to calls that nobody waited for belong to a run that is over. */
export function forgetReplies(): void {
  early.length = 0;
}

/** The next frame from the host; ends the process when the host is gone. */
export function readFrame(): GuestFrame {
  const prefix = take(PREFIX_BYTES);
  const view = new DataView(prefix.buffer, prefix.byteOffset, PREFIX_BYTES);
  const headerBytes = view.getUint32(0);
  const payloadBytes = view.getUint32(4);
  const header = JSON.parse(decoder.decode(take(headerBytes)));
  return { header, payload: payloadBytes > 0 ? take(payloadBytes) : EMPTY };
}

/** Writes one frame; blocks while the host does not read. */
export function writeFrame(header: string, payload: Uint8Array = EMPTY): void {
  const text = encoder.encode(header);
  const small = payload.length <= BUFFER_BYTES;
  const frame = new Uint8Array(PREFIX_BYTES + text.length + (small ? payload.length : 0));
  const view = new DataView(frame.buffer);
  view.setUint32(0, text.length);
  view.setUint32(4, payload.length);
  frame.set(text, PREFIX_BYTES);
  if (small) frame.set(payload, PREFIX_BYTES + text.length);
  writeAll(frame);
  if (!small) writeAll(payload);
}

function writeAll(bytes: Uint8Array): void {
  let done = 0;
  while (done < bytes.length) done += stdout.writeSync(bytes.subarray(done));
}

/** `n` bytes in an array of their own. */
function take(n: number): Uint8Array {
  const out = new Uint8Array(n);
  const have = Math.min(n, end - start);
  out.set(buffer.subarray(start, start + have));
  start += have;
  let filled = have;
  while (n - filled >= BUFFER_BYTES) filled += read(out.subarray(filled));
  while (filled < n) {
    end = read(buffer);
    start = Math.min(end, n - filled);
    out.set(buffer.subarray(0, start), filled);
    filled += start;
  }
  return out;
}

function read(into: Uint8Array): number {
  const count = stdin.readSync(into);
  if (count === null) Deno.exit(0);
  return count;
}
