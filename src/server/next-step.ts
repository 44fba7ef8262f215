import type { RunError } from '../core/outcome.js';
import type { ServerLimits } from './server-deps.js';

/** The limits that a run had. */
export interface RunLimitsAsked {
  readonly timeout_seconds: number;
  readonly memory_mb: number;
}

/**
 * The next step after a failed run: the one that came with the error, else one by its code. Raising a limit is named
 * only where the limit can be raised.
 */
export function nextStep(error: RunError, asked: RunLimitsAsked, limits: ServerLimits): string | undefined {
  const step = error.hint ?? byCode(error.code);
  const raise = raiseLimit(error.code, asked, limits);
  return step !== undefined && raise !== undefined ? `${step}, or ${raise}` : (step ?? raise);
}

function raiseLimit(code: RunError['code'], asked: RunLimitsAsked, limits: ServerLimits): string | undefined {
  if (code === 'timeout' && asked.timeout_seconds < limits.maxTimeoutSeconds)
    return `raise timeout_seconds (at most ${limits.maxTimeoutSeconds})`;
  if (code === 'memory_limit' && asked.memory_mb < limits.maxMemoryMb)
    return `raise memory_mb (at most ${limits.maxMemoryMb})`;
  return undefined;
}

function byCode(code: RunError['code']): string | undefined {
  switch (code) {
    case 'timeout':
      return 'do less in one run (files written so far are kept)';
    case 'memory_limit':
      return 'work on parts of the data (iterate, do not collect)';
    case 'output_limit':
      return 'print less; write long output to a file';
    case 'disk_limit':
      return 'write less, or delete files in the workspace (list_workspace_files shows them)';
    case 'crashed':
      return 'run it again with less data or in smaller steps; variables of this run are gone';
    case 'session_broken':
      return 'start the session again: variables are gone, files are kept';
    case 'busy':
      return 'wait for the other run of this session, or use another session name';
    default:
      return undefined;
  }
}
