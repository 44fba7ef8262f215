import { CodeExecutionError } from '../../../src/core/errors.js';
import type {
  Workspace,
  WorkspaceEntry,
  WorkspaceView,
  WriteMode,
} from '../../../src/workspace/workspace.js';

const LIMIT_BYTES = 50_000_000;

/** A workspace without a disk, for tests of the tools: just enough of the rules to make every kind of error. */
export class MemoryWorkspace implements Workspace {
  readonly files = new Map<string, Uint8Array>();
  limitBytes = LIMIT_BYTES;

  put(path: string, content: string | Uint8Array): void {
    this.files.set(path, typeof content === 'string' ? Buffer.from(content) : content);
  }

  textOf(path: string): string | undefined {
    const bytes = this.files.get(path);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
  }

  async list(subpath?: string): Promise<WorkspaceEntry[]> {
    const prefix = subpath === undefined ? '' : `${check(subpath)}/`;
    const entries = [...this.files.keys()]
      .filter((path) => path.startsWith(prefix))
      .map((path) => this.#entry(path));
    if (subpath !== undefined && entries.length === 0)
      throw new CodeExecutionError('not_found', `no folder "${subpath}"`);
    return entries;
  }

  async stat(path: string): Promise<WorkspaceEntry> {
    check(path);
    if (this.files.has(path)) return this.#entry(path);
    if ([...this.files.keys()].some((file) => file.startsWith(`${path}/`))) {
      return { path, kind: 'directory', size: 0, mtimeMs: 0, version: '0' };
    }
    throw new CodeExecutionError('not_found', `no file "${path}"`);
  }

  async read(path: string, range: { offset?: number; length?: number } = {}): Promise<Uint8Array> {
    await this.stat(path);
    const offset = range.offset ?? 0;
    const bytes = this.files.get(path) ?? new Uint8Array();
    return bytes.subarray(offset, range.length === undefined ? undefined : offset + range.length);
  }

  async write(path: string, content: Uint8Array, mode: WriteMode): Promise<WorkspaceEntry> {
    check(path);
    const before = this.files.get(path);
    if (mode === 'create' && before)
      throw new CodeExecutionError('exists', `"${path}" exists`, 'use mode overwrite');
    const bytes = mode === 'append' && before ? Buffer.concat([before, content]) : content;
    const usage = await this.usage();
    if (usage.bytes + bytes.length > this.limitBytes)
      throw new CodeExecutionError('disk_limit', 'the workspace is full');
    this.files.set(path, bytes);
    return this.#entry(path);
  }

  async usage() {
    const bytes = [...this.files.values()].reduce((sum, file) => sum + file.length, 0);
    return { bytes, files: this.files.size, limitBytes: this.limitBytes, limitFiles: 10_000 };
  }

  recentUsage() {
    return this.usage();
  }

  openView(): Promise<WorkspaceView> {
    throw new Error('not needed here');
  }

  #entry(path: string): WorkspaceEntry {
    const size = this.files.get(path)?.length ?? 0;
    return { path, kind: 'file', size, mtimeMs: Date.UTC(2026, 11, 1, 10, 30), version: String(size) };
  }
}

function check(path: string): string {
  if (path.split('/').includes('..') || path.startsWith('/')) {
    throw new CodeExecutionError(
      'path_denied',
      `${JSON.stringify(path)} leaves the workspace`,
      'use a path inside it',
    );
  }
  return path;
}
