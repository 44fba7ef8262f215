import type { Outcome, RunError } from '../core/outcome.js';
import type { WorkerExit } from '../sandbox/sandbox.js';
import type { WorkerMessage } from '../wire/messages.js';
import type { RunRequest } from './runner.js';

type DoneMessage = Extract<WorkerMessage, { type: 'done' }>;

/** The outcome that a worker's `done` tells. Its words are the code's own; only the kinds are ours. */
export function outcomeOf(done: DoneMessage, json: Uint8Array): Outcome {
  if (done.error) {
    const { code, type, message, line, source, hint, traceback } = done.error;
    const error: RunError = {
      code,
      type,
      message,
      ...(line !== undefined ? { line } : {}),
      ...(source !== undefined ? { source } : {}),
      ...(hint !== undefined ? { hint } : {}),
      ...(traceback !== undefined ? { traceback } : {}),
    };
    if (code === 'timeout') return { kind: 'timedOut', error };
    if (code === 'memory_limit' || code === 'output_limit' || code === 'disk_limit')
      return { kind: 'limited', error };
    return { kind: 'raised', error };
  }
  if (!done.value) return { kind: 'value' };
  const { type, truncated, form, label, file } = done.value;
  return {
    kind: 'value',
    value: {
      json: new TextDecoder().decode(json),
      type,
      truncated,
      ...(form === undefined ? {} : { form }),
      ...(label === undefined ? {} : { label }),
      ...(file === undefined ? {} : { file }),
    },
  };
}

/** The outcome of a run that the host has stopped. */
export function stopped(reason: 'timeout' | 'cancelled' | 'output_limit', request: RunRequest): Outcome {
  switch (reason) {
    case 'timeout':
      return {
        kind: 'timedOut',
        error: {
          code: 'timeout',
          type: 'TimeoutError',
          message: `the code was still going after ${request.timeoutMs / 1000} s and did not stop when interrupted`,
          ...nextStep(request, 'do not catch BaseException in a loop; do less per run'),
        },
      };
    case 'cancelled':
      return {
        kind: 'cancelled',
        error: {
          code: 'cancelled',
          type: 'Cancelled',
          message: 'the client cancelled the run',
          ...nextStep(request),
        },
      };
    case 'output_limit':
      return {
        kind: 'limited',
        error: {
          code: 'output_limit',
          type: 'OutputLimit',
          message: 'the code printed more than 16 MiB',
          ...nextStep(request, 'print a summary and write the rest to a file'),
        },
      };
  }
}

/** The outcome of a run whose worker died under it. */
export function endedByWorker(exit: WorkerExit, request: RunRequest): Outcome {
  if (exit.reason === 'memory') {
    return {
      kind: 'limited',
      error: {
        code: 'memory_limit',
        type: 'MemoryError',
        message: `the code needed more than the ${request.memoryMb} MB it may have`,
        ...nextStep(
          request,
          'work through the data in parts (read line by line, aggregate as you go) instead of holding all of it',
        ),
      },
    };
  }
  const message =
    exit.reason === 'protocol'
      ? 'the interpreter sent something that is no answer and was stopped'
      : 'the interpreter ended in the middle of the run (os._exit, a fatal error, or recursion in C code)';
  return {
    kind: 'crashed',
    error: {
      code: 'crashed',
      type: 'Crashed',
      message,
      ...nextStep(
        request,
        'run it again without the part that ends the interpreter; files that were closed before are saved',
      ),
    },
  };
}

/** What the model has to know first: in a session the end of the worker is the end of its variables. Then what to do. */
function nextStep({ session }: RunRequest, step?: string): { hint?: string } {
  const loss =
    session === undefined
      ? undefined
      : `the variables of session "${session}" are gone, the next call with this name starts it anew`;
  const hint = [loss, step].filter((part) => part !== undefined).join('; ');
  return hint === '' ? {} : { hint };
}
