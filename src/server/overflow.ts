import type { ContentBlock } from '@modelcontextprotocol/server';
import { CodeExecutionError } from '../core/errors.js';
import type { Workspace } from '../workspace/workspace.js';
import type { ServerLog } from './server-deps.js';

/**
 * Of the room of a workspace this share may be taken before an answer brings no more files: a program that prints without end must
 * not leave others without room for files that were asked for.
 */
const SHARE_FOR_OVERFLOW = 0.5;

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
      const workspace = await this.#workspace();
      const usage = await workspace.usage();
      if (usage.bytes + bytes.length > usage.limitBytes * SHARE_FOR_OVERFLOW)
        throw new CodeExecutionError('disk_limit', 'the workspace is half full');
      await workspace.write(path, bytes, 'overwrite');
      this.link(path, mimeType, bytes.length);
      return { words: `read_workspace_file ${path}`, path };
    } catch (error) {
      if (!(error instanceof CodeExecutionError))
        this.#log.error({ err: error, path }, 'overflow file not written');
      const why = error instanceof CodeExecutionError ? error.code : 'internal';
      return { words: `not kept (${why}): return less, or write it to a file yourself` };
    }
  }

  /** Links a file of the workspace that holds the whole of something. `size` in bytes. */
  link(path: string, mimeType: string, size: number): void {
    this.links.push({ type: 'resource_link', uri: resourceUri(path), name: path, mimeType, size });
  }
}

/** The address under which `resources/read` serves a workspace file. */
export function resourceUri(path: string): string {
  return `workspace:///${path.split('/').map(encodeURIComponent).join('/')}`;
}
