import type { RunReport } from '../core/outcome.js';
import type { Approval, ApprovalQuestion } from './tool-access.js';

/** One `execute_code` call, checked. */
export interface RunRequest {
  readonly code: string;
  /** JSON values bound as names. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Milliseconds, 100 to the configured maximum. */
  readonly timeoutMs: number;
  /** MiB, 64 to the configured maximum. */
  readonly memoryMb: number;
  /** Characters of the value that the answer can show, for a table is summed up by the run itself; absent: 8,000. */
  readonly answerChars?: number;
  /** Name of the session whose interpreter is used (made on first use); absent: a fresh interpreter. */
  readonly session?: string;
  /** Started for a run that holds a place among the runs: it takes none, or all places could wait for each other. */
  readonly nested?: boolean;
  /** Client gone or call cancelled. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
  /** Asks the person behind the client; absent: nobody can be asked. */
  readonly approve?: (question: ApprovalQuestion) => Promise<Approval>;
}

/** From `progress(done, total, message)` in code, or the last line printed. */
export interface RunProgress {
  readonly done?: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * Runs code for one principal. Every end of the code is a report;
 * @throws CodeExecutionError `busy`, `session_broken`, `backend_unavailable`, `cancelled`, `internal`: the code did not run.
 */
export interface Runner {
  run(principal: string, request: RunRequest): Promise<RunReport>;
}
