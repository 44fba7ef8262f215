/** Limits of one run. All are enforced by the host; what the sandbox enforces as well is for a better message only. */
export interface RunLimits {
  /** Wall-clock time in milliseconds, 100 to 600,000. */
  readonly timeoutMs: number;
  /** Memory of the interpreter in MiB. */
  readonly memoryMb: number;
  /** Bytes of output (both streams) after which the run is stopped. */
  readonly outputBytes: number;
  /** Bytes of the encoded result; what does not fit is cut and marked. */
  readonly resultBytes: number;
}

export const MIB = 1024 * 1024;

/** Longest source text taken, in bytes of UTF-8: models write kilobytes; more is data and belongs in a file. */
export const MAX_CODE_BYTES = 1 * MIB;
/** Longest JSON text of `context_vars`, in bytes of UTF-8. */
export const MAX_CONTEXT_BYTES = 8 * MIB;
/** Longest content of one `write_workspace_file` call in bytes, before base64. */
export const MAX_WRITE_BYTES = 32 * MIB;
/** Output at which a run is stopped: far above use, far below harm (the host keeps head and tail only). */
export const MAX_OUTPUT_BYTES = 16 * MIB;
/** Encoded result at which the encoder cuts: larger values belong in a file. The server holds some twenty times as much for a moment. */
export const MAX_RESULT_BYTES = 8 * MIB;
/** After the deadline an interrupted run has this long to unwind before it is killed, in milliseconds. */
export const INTERRUPT_GRACE_MS = 500;
/** Range of the longest answer in characters: below, not even an outcome fits; above, it is data and belongs in a file. */
export const MIN_OUTPUT_CHARS = 400;
export const MAX_OUTPUT_CHARS = 100_000;
