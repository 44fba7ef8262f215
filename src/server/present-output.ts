import type { RunOutput } from '../core/outcome.js';
import { count, bytes as size } from './quantities.js';
import { headOf, headTail, tailOf } from './summary/head-tail.js';
import { visibleText } from './visible-text.js';

/** Printed text laid out for the model. */
export interface PresentedOutput {
  /** What is shown; no more than the allowance and a line that counts what was left out. */
  readonly text: string;
  /** Line above it. */
  readonly title: string;
  readonly path?: string;
  readonly whole: boolean;
}

/**
 * The output of a run: whole if it has at most `maxChars` characters, else its ends within a quarter of them (at least
 * 600, where there are as many): a longer look is a choice of the model, not a cost it pays unasked.
 */
export async function presentOutput(
  output: RunOutput,
  maxChars: number,
  keep: (text: string) => Promise<{ words: string; path?: string }>,
): Promise<PresentedOutput> {
  const kept = Buffer.byteLength(output.head) + Buffer.byteLength(output.tail);
  const lost = Math.max(0, output.bytes - kept);
  if (lost === 0 && output.head.length + output.tail.length <= maxChars) {
    const text = visibleText(output.head + output.tail);
    if (text.length <= maxChars) return { text: text.trimEnd(), title: 'output:', whole: true };
  }
  const gap = lost === 0 ? '' : `\n... (${size(lost)} not kept) ...\n`;
  const { words, path } = await keep(output.head + gap + output.tail);
  const what =
    lost === 0
      ? 'all of it'
      : `first ${size(Buffer.byteLength(output.head))} and last ${size(Buffer.byteLength(output.tail))}`;
  const shown = Math.min(maxChars, Math.max(600, Math.floor(maxChars / 4)));
  return {
    text: ends(output, shown).trimEnd(),
    title: `output (${count(output.lines)} lines, ${size(output.bytes)}, truncated; ${what}: ${words}):`,
    whole: false,
    ...(path === undefined ? {} : { path }),
  };
}

/** Both ends; no more than a few times `maxChars` is made visible and cut, whatever the run printed. */
function ends(output: RunOutput, maxChars: number): string {
  const all = output.tail === '' ? output.head : undefined;
  const head = visibleText((all ?? output.head).slice(0, 2 * maxChars));
  const tail = visibleText((all ?? output.tail).slice(-2 * maxChars));
  if (all !== undefined && all.length <= 2 * maxChars) return headTail(head, maxChars);
  const first = headOf(head, Math.floor(maxChars / 3)).trimEnd();
  const last = tailOf(tail, maxChars - Math.floor(maxChars / 3)).trimStart();
  const lines = output.lines - newlines(first) - newlines(last.trimEnd()) - 2;
  return `${first}\n${lines > 0 ? `... (${count(lines)} lines left out) ...` : '...'}\n${last}`;
}

function newlines(text: string): number {
  return text.split('\n').length - 1;
}
