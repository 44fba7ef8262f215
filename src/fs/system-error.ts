import { CodeExecutionError } from '../core/errors.js';
import { quotePath } from './relative-path.js';

/** The `code` of a Node system error (`ENOENT` ...), or an empty string. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * The error to show for a failed system call on `path` (relative, as the client knows it; empty for the root). The
 * text of the system error holds the host's path, so it stays in `cause`.
 */
export function fileError(error: unknown, path: string): CodeExecutionError {
  if (error instanceof CodeExecutionError) return error;
  const name = path === '' ? 'The workspace folder' : quotePath(path);
  const make = (code: CodeExecutionError['code'], text: string, hint?: string) =>
    new CodeExecutionError(code, `${name} ${text}.`, hint, { cause: error });
  switch (errnoOf(error)) {
    case 'ENOENT':
      return make('not_found', 'does not exist', 'List the workspace to see what is there.');
    case 'EEXIST':
      return make('exists', 'is already there', 'Use mode "overwrite" or "append", or another name.');
    case 'ELOOP':
    case 'ENXIO':
    case 'ENODEV':
    case 'EISDIR':
    case 'ENOTDIR':
    case 'ENOTEMPTY':
      return make('path_denied', 'is no regular file or lies below something that is no folder', PLAIN_HINT);
    case 'EACCES':
    case 'EPERM':
    case 'ETXTBSY':
    case 'EBUSY':
      return make('path_denied', 'may not be opened by the server', 'Use another name.');
    case 'ENAMETOOLONG':
    case 'EILSEQ':
    case 'EINVAL':
      return make(
        'bad_name',
        'has a name that this disk does not take',
        'Use a short name of plain letters.',
      );
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return make('disk_limit', 'does not fit on the disk of the server', 'Write less, or remove files.');
    default:
      return make('internal', 'could not be used');
  }
}

export const PLAIN_HINT =
  'Links, devices, pipes and files with several hard links are not opened; use another name.';
