import { z } from 'zod';
import { CodeExecutionError } from '../../core/errors.js';
import { nearest } from '../../core/nearest.js';
import type { Workspace, WorkspaceEntry } from '../../workspace/workspace.js';
import { type Answer, answer } from '../answer.js';
import { defineTool } from '../define-tool.js';
import { decodePart, type FileKind, fileKind, type TextPart } from '../file-kind.js';
import { privatePart } from '../private-part.js';
import { count, bytes as size } from '../quantities.js';
import type { ServerLimits } from '../server-deps.js';
import { visibleLine, visibleText } from '../visible-text.js';

/** Bytes that one call may ask for. */
export const MAX_READ_BYTES = 100_000;
/** Larger images are described: clients and models refuse them anyway. */
const MAX_IMAGE_BYTES = 3_500_000;
/** An UTF-8 character more than asked for, so that the smallest limit still shows one. */
const MIN_BYTES = 4;

const output = z.object({
  success: z.boolean(),
  filename: z.string(),
  content: z.string().optional(),
  encoding: z.enum(['utf-8', 'base64', 'image', 'binary']).describe('binary: described, not shown'),
  size: z.number().describe('bytes of the file'),
  next_offset: z.number().optional(),
  note: z.string().optional(),
});
type Output = z.infer<typeof output>;

/** Reads a file of the workspace, a part at a time. */
export const readWorkspaceFile = (limits: ServerLimits) =>
  defineTool({
    name: 'read_workspace_file',
    title: 'Read a workspace file',
    description:
      'Read a part of a file; next_offset gives the next. Images are shown. To analyse a large file, open it in execute_code instead.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: z.strictObject({
      filename: z.string().min(1).describe('Path in the workspace'),
      offset: z.number().int().min(0).default(0).describe('First byte'),
      limit: z
        .number()
        .int()
        .min(MIN_BYTES)
        .max(MAX_READ_BYTES)
        .default(Math.min(limits.maxOutputChars, MAX_READ_BYTES))
        .describe('Bytes'),
      encoding: z
        .enum(['auto', 'utf-8', 'base64'])
        .default('auto')
        .describe('auto: text as text, other bytes described; base64: the bytes'),
    }),
    output,
    async handle({ filename, offset, limit, encoding }, context): Promise<Answer<Output>> {
      const workspace = await context.deps.workspace(context.principal);
      const entry = await statNear(workspace, filename);
      if (offset > entry.size) {
        throw new CodeExecutionError(
          'bad_arguments',
          `offset ${offset} is past the end`,
          `the file has ${entry.size} bytes`,
        );
      }
      const bytes = await workspace.read(filename, { offset, length: limit });
      const end = offset + bytes.length;
      const part = await privatePart(workspace, { filename, offset, bytes, size: entry.size }, context);
      if (encoding === 'base64') {
        return partAnswer(entry, base64Of(bytes, part, end >= entry.size), 'base64', offset, end);
      }
      if (part !== undefined) {
        return partAnswer(entry, part.text, 'utf-8', offset + part.skipped, partEnd(offset, part));
      }
      if (encoding === 'utf-8') {
        throw new CodeExecutionError(
          'bad_encoding',
          `the bytes from ${offset} on are no UTF-8 text`,
          'open the file in execute_code with its encoding (cp1252, latin-1, utf-16), or read it with encoding "base64"',
        );
      }
      const kind = fileKind(
        offset === 0 ? bytes : await workspace.read(filename, { offset: 0, length: 512 }),
      );
      if (kind.image !== undefined && entry.size <= MAX_IMAGE_BYTES) {
        return imageAnswer(entry, kind.image, await workspace.read(filename));
      }
      return describedAnswer(entry, kind);
    },
  });

async function statNear(workspace: Workspace, filename: string): Promise<WorkspaceEntry> {
  try {
    const entry = await workspace.stat(filename);
    if (entry.kind === 'file') return entry;
  } catch (error) {
    if (!(error instanceof CodeExecutionError) || error.code !== 'not_found') throw error;
    const files = (await workspace.list())
      .filter((entry) => entry.kind === 'file')
      .map((entry) => entry.path);
    const near = nearest(filename, files) ?? files.find((path) => baseName(path) === baseName(filename));
    const hint =
      near !== undefined
        ? `did you mean ${JSON.stringify(near)}?`
        : files.length === 0
          ? 'the workspace is empty; write a file first'
          : `there are: ${files.slice(0, 8).join(', ')}${files.length > 8 ? `, ... ${count(files.length - 8)} more (list_workspace_files)` : ''}`;
    throw new CodeExecutionError('not_found', `no file ${JSON.stringify(filename)} in the workspace`, hint);
  }
  throw new CodeExecutionError(
    'path_denied',
    `${JSON.stringify(filename)} is a folder`,
    'list it with list_workspace_files',
  );
}

function partAnswer(
  entry: WorkspaceEntry,
  content: string,
  encoding: 'utf-8' | 'base64',
  start: number,
  end: number,
): Answer<Output> {
  return answer({ path: entry.path, content }, (shown) => {
    const more = end < entry.size;
    const altered = visibleText(shown.content) !== shown.content.replaceAll('\r\n', '\n');
    const note = altered
      ? 'terminal codes are left out and invisible characters shown as escapes'
      : undefined;
    const range = start === 0 && !more ? '' : ` · bytes ${start}-${end}`;
    const text = [
      `ok · ${visibleLine(shown.path)} · ${size(entry.size)}${range}${encoding === 'base64' ? ' · base64' : ''}`,
      ...(note === undefined ? [] : [`note: ${note}`]),
      shown.content,
      ...(more ? [`next: offset ${end} (${size(entry.size - end)} left)`] : []),
    ];
    return {
      text: text.join('\n'),
      structured: {
        success: true,
        filename: shown.path,
        content: shown.content,
        encoding,
        size: entry.size,
        ...(more ? { next_offset: end } : {}),
        ...(note === undefined ? {} : { note }),
      },
    };
  });
}

function imageAnswer(entry: WorkspaceEntry, mimeType: string, bytes: Uint8Array): Answer<Output> {
  return answer({ path: entry.path }, (shown) => ({
    text: `ok · ${visibleLine(shown.path)} · ${mimeType} · ${size(entry.size)}`,
    structured: { success: true, filename: shown.path, encoding: 'image', size: entry.size },
    blocks: [{ type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType }],
  }));
}

function describedAnswer(entry: WorkspaceEntry, kind: FileKind): Answer<Output> {
  const note = `${kind.name}, not shown; open it in execute_code, or read it with encoding "base64"`;
  return answer({ path: entry.path }, (shown) => ({
    text: `ok · ${visibleLine(shown.path)} · ${size(entry.size)}\n${note}`,
    structured: { success: true, filename: shown.path, encoding: 'binary', size: entry.size, note },
  }));
}

/** The bytes as they are, unless they are a text that holds values: then the text with its tokens. */
function base64Of(bytes: Uint8Array, part: TextPart | undefined, atEnd: boolean): string {
  const isAsWritten = part === undefined || decodePart(bytes, atEnd)?.text === part.text;
  return Buffer.from(isAsWritten ? bytes : part.text).toString('base64');
}

function partEnd(offset: number, part: TextPart): number {
  return offset + part.skipped + part.length;
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
