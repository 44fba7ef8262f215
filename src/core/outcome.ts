import type { ErrorCode } from './errors.js';

/** What a failing run tells about its failure. Text fields are written for the model. */
export interface RunError {
  readonly code: ErrorCode;
  /** Name of the Python exception (`ZeroDivisionError`), or of the limit (`TimeoutError`, `MemoryError`). */
  readonly type: string;
  readonly message: string;
  /** 1-based line of the submitted code, where it is known. */
  readonly line?: number;
  /** Source text of that line, without leading white space. */
  readonly source?: string;
  /** The next step. */
  readonly hint?: string;
  /** Traceback with the user's own frames only. */
  readonly traceback?: string;
}

/** A variable that a run left behind: shown when there is no result, so nobody concludes "found nothing". */
export interface VariableInfo {
  readonly name: string;
  readonly type: string;
  /** `len()` of it, where it has one. */
  readonly size?: number;
  /** Short repr, at most 80 characters. */
  readonly preview?: string;
}

/** The value of a run as the sandbox encoded it. */
export interface RunValue {
  /** JSON text of the value, at most {@link RunLimits.resultBytes}. */
  readonly json: string;
  /** Python type of the value: `list`, `DataFrame`, `builtins.generator` ... */
  readonly type: string;
  /** True when parts of the value were left out to fit the limits; the notes say what. */
  readonly truncated: boolean;
  /** `table`: the JSON is that of a DataFrame (src/wire/table.ts); `array`: its numbers may be shown rounded. */
  readonly form?: 'table' | 'array';
  /** What stands behind the type: `10000 x 5`. */
  readonly label?: string;
  /** File of the workspace in which the run says that it has kept the whole. */
  readonly file?: string;
}

/** How a run ended. Every end is ordinary: none of these is an exception of ours. */
export type Outcome =
  | { readonly kind: 'value'; readonly value?: RunValue }
  | { readonly kind: 'raised'; readonly error: RunError }
  | { readonly kind: 'timedOut'; readonly error: RunError }
  | { readonly kind: 'limited'; readonly error: RunError }
  | { readonly kind: 'crashed'; readonly error: RunError }
  | { readonly kind: 'cancelled'; readonly error: RunError };

/** A file that a run created, changed or deleted. */
export interface FileChange {
  /** Path relative to the workspace, `/` between the parts. */
  readonly path: string;
  readonly change: 'created' | 'modified' | 'deleted';
  /** Size in bytes after the run; 0 when deleted. */
  readonly size: number;
  /** True when another run changed the same file since this run began: that change is lost. */
  readonly overwroteOther?: boolean;
}

/** What one run printed, as the host kept it. */
export interface RunOutput {
  /** Everything printed if it is short, else the first part. stdout and stderr in the order of arrival. */
  readonly head: string;
  /** The last part, when `head` does not hold everything. */
  readonly tail: string;
  /** Bytes and lines printed in all. */
  readonly bytes: number;
  readonly lines: number;
}

/** A tool call that a run made. */
export interface ToolCallSummary {
  /** `server.tool`. */
  readonly tool: string;
  readonly ms: number;
  readonly ok: boolean;
  /** Characters of the encoded result, which stayed in the sandbox. */
  readonly chars: number;
}

/** The whole record of one run: how it ended and everything it left, whatever the end. */
export interface RunReport {
  readonly runId: string;
  readonly outcome: Outcome;
  readonly output: RunOutput;
  /** Wall-clock time from the start of the code to the answer, in milliseconds. */
  readonly durationMs: number;
  readonly filesChanged: readonly FileChange[];
  /** In the order in which they ended; absent where no tools can be called. */
  readonly toolCalls?: readonly ToolCallSummary[];
  /** One line each, for the model: "removed the code fence around the code". */
  readonly notes: readonly string[];
  /** New or changed top-level variables, when the run left no result. */
  readonly variables: readonly VariableInfo[];
  /** Files of the workspace that the run wants to be shown as images; a claim of the run. */
  readonly images?: readonly string[];
  /** Bytes of workspace files that the code asked for: data that the model did not have to read. */
  readonly bytesRead?: number;
}
