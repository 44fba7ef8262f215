import type { ContentBlock } from '@modelcontextprotocol/server';
import { CodeExecutionError } from '../core/errors.js';
import type { Workspace } from '../workspace/workspace.js';
import type { ServerLog } from './server-deps.js';

/** What does not fit into an answer, kept as files of the workspace. */
export class Overflow {
  readonly #workspace: () => Promise<Workspace>;
  readonly #log: ServerLog;
  /** Links to the files written. */
  readonly links: ContentBlock[] = [];

  constructor(workspace: () => Promise<Workspace>, log: ServerLog) {
    this.#workspace = workspace;
    this.#log = log;
  }

  /**
   * Writes `content` to `path` and tells in words how to get it. The answer must come even if there is no room for the
   * file, so a failure is part of the words; `path` is undefined then.
   */
  async keep(path: string, content: string, mimeType: string): Promise<{ words: string; path?: string }> {
    try {
      const bytes = Buffer.from(content, 'utf8');
      await (await this.#workspace()).write(path, bytes, 'overwrite');
      this.links.push({
        type: 'resource_link',
        uri: resourceUri(path),
        name: path,
        mimeType,
        size: bytes.length,
      });
      return { words: `read_workspace_file ${path}`, path };
    } catch (error) {
      if (!(error instanceof CodeExecutionError))
        this.#log.error({ err: error, path }, 'overflow file not written');
      const why = error instanceof CodeExecutionError ? error.code : 'internal';
      return { words: `not kept (${why}): return less, or write it to a file yourself` };
    }
  }
}

/** The address under which `resources/read` serves a workspace file. */
export function resourceUri(path: string): string {
  return `workspace:///${path.split('/').map(encodeURIComponent).join('/')}`;
}
