import { CodeExecutionError } from '../core/errors.js';

/** Places behind it nobody reads; a larger number is not one of ours. */
const MAX_OFFSET = 100_000;

/** A cursor of a list that is paged by place. */
export function offsetCursor(offset: number): string {
  return `p${offset}`;
}

/** @throws CodeExecutionError `bad_arguments` for a cursor that is none of ours. */
export function cursorOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const offset = /^p(\d{1,6})$/.exec(cursor)?.[1];
  if (offset !== undefined && Number(offset) <= MAX_OFFSET) return Number(offset);
  throw new CodeExecutionError(
    'bad_arguments',
    'cursor is not one of this server',
    'pass next_cursor as it came, or leave it out',
  );
}
