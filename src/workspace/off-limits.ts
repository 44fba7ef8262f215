import { CodeExecutionError } from '../core/errors.js';
import { quotePath } from '../fs/relative-path.js';
import { PLAIN_HINT } from '../fs/system-error.js';
import { ancestors } from './path-range.js';

/** What in a workspace is neither listed nor opened (links, devices, pipes ...), asked by path. */
export class OffLimits {
  readonly #at: ReadonlySet<string>;
  readonly #holding = new Set<string>();

  constructor(skipped: readonly string[]) {
    this.#at = new Set(skipped);
    for (const path of skipped) for (const folder of ancestors(path)) this.#holding.add(folder);
  }

  /** @throws CodeExecutionError `path_denied` when a file or folder cannot be made there. */
  check(path: string, kind: 'file' | 'directory'): void {
    const found = [path, ...ancestors(path)].find((one) => this.#at.has(one));
    if (found !== undefined) {
      throw new CodeExecutionError(
        'path_denied',
        `${quotePath(found)} is a link or special file.`,
        PLAIN_HINT,
      );
    }
    if (kind === 'file' && this.#holding.has(path)) {
      const text = `${quotePath(path)} is a folder that holds a link or special file, so no file can take its place.`;
      throw new CodeExecutionError('path_denied', text, 'Use another name.');
    }
  }
}
