import type { RunError } from '../core/outcome.js';
import type { ServerLimits } from './server-deps.js';

/** The next step after a failed run: the one that came with the error, else one by its code. */
export function nextStep(error: RunError, limits: ServerLimits): string | undefined {
  return error.hint ?? byCode(error.code, limits);
}

function byCode(code: RunError['code'], limits: ServerLimits): string | undefined {
  switch (code) {
    case 'timeout':
      return `do less in one run (files written so far are kept), or raise timeout_seconds (at most ${limits.maxTimeoutSeconds})`;
    case 'memory_limit':
      return `work on parts of the data (iterate, do not collect), or raise memory_mb (at most ${limits.maxMemoryMb})`;
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
