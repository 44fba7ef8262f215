import { CodeExecutionError, ERROR_CODES, type ErrorCode } from '../core/errors.js';
import type { HostFrame } from '../wire/frames.js';

/** What a reply tells besides, where it is known. */
export interface ReplyDetails {
  /** `server.tool` */
  readonly tool?: string;
  /** By how much the deadline has moved, in milliseconds. */
  readonly extendMs?: number;
}

const NO_BYTES = new Uint8Array(0);

/** The reply to a request of the code that failed: the error as far as it may be told, else `neutral`. */
export function failureReply(
  id: number,
  error: unknown,
  neutral: string,
  { tool, extendMs = 0 }: ReplyDetails = {},
): HostFrame {
  const known = error instanceof CodeExecutionError && ERROR_CODES[error.code].forModel ? error : undefined;
  const code: ErrorCode = known?.code ?? 'internal';
  return {
    message: {
      type: 'reply',
      id,
      ok: false,
      code,
      message: known?.message ?? neutral,
      retryable: code === 'tool_unavailable' || code === 'busy',
      ...(extendMs > 0 ? { extendMs } : {}),
      ...(known?.hint === undefined ? {} : { hint: known.hint }),
      ...(tool === undefined ? {} : { tool }),
    },
    payload: NO_BYTES,
  };
}
