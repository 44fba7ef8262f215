import type { Workspace } from '../workspace/workspace.js';
import { decodePart, type TextPart } from './file-kind.js';
import type { ToolContext } from './server-deps.js';

/** Bytes on both sides of a part that are looked at with it: a value cut in two is no longer recognised. */
const AROUND_BYTES = 4_096;

/** The part of a file that is to be shown: its bytes, and where they lie. */
export interface FilePart {
  readonly filename: string;
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** Bytes of the whole file. */
  readonly size: number;
}

/**
 * The text of a part with tokens in place of values, also of those that its edges cut; undefined if it is no UTF-8. The
 * caller chooses where a part begins, so half a card number must be no easier to get than a whole one.
 */
export async function privatePart(
  workspace: Workspace,
  part: FilePart,
  { deps: { privacy }, principal }: ToolContext,
): Promise<TextPart | undefined> {
  const { offset, bytes, size } = part;
  const end = offset + bytes.length;
  const shown = decodePart(bytes, end >= size);
  if (!privacy || shown === undefined || shown.text === '') return shown;
  const before = await textOf(workspace, part, Math.max(0, offset - AROUND_BYTES), offset + shown.skipped);
  const after = await textOf(
    workspace,
    part,
    offset + shown.skipped + shown.length,
    Math.min(size, end + AROUND_BYTES),
  );
  const hidden = await privacy.hiddenIn(principal, before + shown.text + after);
  const from = before.length;
  const to = from + shown.text.length;
  let text = '';
  let at = from;
  for (const { start, end: stop, token } of hidden) {
    if (stop <= from || start >= to) continue;
    text += shown.text.slice(at - from, Math.max(at, start) - from) + token;
    at = Math.min(stop, to);
  }
  return { ...shown, text: text + shown.text.slice(at - from) };
}

/** What is text in a stretch of the file, without the halves of characters at its edges. */
async function textOf(workspace: Workspace, part: FilePart, start: number, end: number): Promise<string> {
  if (end <= start) return '';
  const bytes = await workspace.read(part.filename, { offset: start, length: end - start });
  return decodePart(bytes, end >= part.size)?.text ?? '';
}
