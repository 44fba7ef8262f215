/** A stretch of a text and what takes its place. UTF-16 offsets. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The text with the edits made. Edits that overlap become one over all they cover, with the text of the longest: nothing that
 * any of them was to hide stays.
 */
export function edited(text: string, edits: readonly Edit[]): string {
  let out = '';
  let copied = 0;
  for (const { start, end, text: replacement } of united(edits)) {
    out += text.slice(copied, start) + replacement;
    copied = end;
  }
  return out + text.slice(copied);
}

/** In order and without overlap. Of equally long ones the first that was given wins. */
export function united(edits: readonly Edit[]): Edit[] {
  const kept: { start: number; end: number; text: string; longest: number }[] = [];
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    const last = kept.at(-1);
    const length = edit.end - edit.start;
    if (last === undefined || edit.start >= last.end) kept.push({ ...edit, longest: length });
    else {
      if (length > last.longest) {
        last.longest = length;
        last.text = edit.text;
      }
      last.end = Math.max(last.end, edit.end);
    }
  }
  return kept;
}
