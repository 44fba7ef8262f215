import { z } from 'zod';
import { CodeExecutionError } from '../../core/errors.js';
import type { WorkspaceEntry } from '../../workspace/workspace.js';
import { answer } from '../answer.js';
import { defineTool } from '../define-tool.js';
import { count, bytes as size } from '../quantities.js';
import type { ServerDeps, ServerLimits } from '../server-deps.js';
import { visibleLine } from '../visible-text.js';

const MAX_LIMIT = 1000;

/** Lists files of the workspace, a page at a time. */
export const listWorkspaceFiles = (limits: ServerLimits) =>
  defineTool({
    name: 'list_workspace_files',
    title: 'List workspace files',
    description: 'List files below a folder, with size and time of change.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: z.strictObject({
      subpath: z.string().default('.').describe('Folder'),
      pattern: z.string().optional().describe('Glob; without "/" it is matched against names at any depth'),
      limit: z.number().int().min(1).max(MAX_LIMIT).default(200).describe('Files in one answer'),
      cursor: z.string().optional().describe('next_cursor of the previous answer'),
    }),
    output: z.object({
      success: z.boolean(),
      path: z.string(),
      files: z.array(z.object({ name: z.string(), size: z.number(), modified: z.string() })),
      count: z.number().describe('files that match, on all pages'),
      total_bytes: z.number(),
      next_cursor: z.string().optional(),
    }),
    async handle({ subpath, pattern, limit, cursor }, { deps, principal }) {
      const after = cursor === undefined ? undefined : fromCursor(cursor);
      const workspace = await deps.workspace(principal);
      const folder = subpath.replace(/^(\.\/)+|\/+$/g, '') || '.';
      const entries = await workspace.list(folder === '.' ? undefined : folder);
      const files = entries
        .filter(
          (entry) =>
            entry.kind === 'file' && (pattern === undefined || matches(deps, pattern, entry.path, folder)),
        )
        .sort((a, b) => (a.path < b.path ? -1 : 1));
      const rest = after === undefined ? files : files.filter((entry) => entry.path > after);
      const page = pageOf(rest, limit, limits.maxOutputChars);
      const last = page.at(-1);
      const facts = {
        path: folder,
        files: page.map((entry) => ({
          name: entry.path,
          size: entry.size,
          modified: new Date(entry.mtimeMs).toISOString().slice(0, 19).concat('Z'),
        })),
        total: files.reduce((sum, entry) => sum + entry.size, 0),
        ...(page.length < rest.length && last !== undefined ? { next: toCursor(last.path) } : {}),
      };
      return answer(facts, (shown) => ({
        text: [
          headline(files.length, page.length, shown.total, pattern),
          ...shown.files.map((file) => `${visibleLine(file.name)} · ${size(file.size)} · ${file.modified}`),
          ...(shown.next === undefined ? [] : [`next: cursor "${shown.next}"`]),
        ].join('\n'),
        structured: {
          success: true,
          path: shown.path,
          files: shown.files,
          count: files.length,
          total_bytes: shown.total,
          ...(shown.next === undefined ? {} : { next_cursor: shown.next }),
        },
      }));
    },
  });

function headline(found: number, shown: number, total: number, pattern: string | undefined): string {
  const which = pattern === undefined ? '' : ` matching ${visibleLine(JSON.stringify(pattern))}`;
  if (found === 0) return `ok · no files${which}`;
  const part = shown < found ? ` · ${count(shown)} shown` : '';
  return `ok · ${count(found)} ${found === 1 ? 'file' : 'files'}${which} · ${size(total)}${part}`;
}

function matches(deps: ServerDeps, pattern: string, path: string, folder: string): boolean {
  const below = folder === '.' ? path : path.slice(folder.length + 1);
  const subject = pattern.includes('/') ? below : below.slice(below.lastIndexOf('/') + 1);
  return deps.matchesGlob(pattern, subject);
}

/** As many files as `limit` and the size of an answer allow; an entry takes its name and some 60 characters. */
function pageOf(files: readonly WorkspaceEntry[], limit: number, maxChars: number): WorkspaceEntry[] {
  let chars = 0;
  const page: WorkspaceEntry[] = [];
  for (const file of files.slice(0, limit)) {
    chars += file.path.length + 60;
    if (chars > maxChars && page.length > 0) break;
    page.push(file);
  }
  return page;
}

function toCursor(path: string): string {
  return Buffer.from(path, 'utf8').toString('base64url');
}

function fromCursor(cursor: string): string {
  const path = Buffer.from(cursor, 'base64url').toString('utf8');
  if (path !== '' && toCursor(path) === cursor) return path;
  throw new CodeExecutionError(
    'bad_arguments',
    'cursor is not one of this server',
    'pass next_cursor as it came, or leave it out',
  );
}
