import type { LineDifference } from './skill-access.js';

/** Lines that only one of two texts has, counted with their repetitions; moved lines do not count. */
export function lineDifference(before: string, after: string): LineDifference {
  const counts = new Map<string, number>();
  for (const line of linesOf(before)) counts.set(line, (counts.get(line) ?? 0) + 1);
  let added = 0;
  for (const line of linesOf(after)) {
    const left = counts.get(line) ?? 0;
    if (left > 0) counts.set(line, left - 1);
    else added += 1;
  }
  let removed = 0;
  for (const left of counts.values()) removed += left;
  return { added, removed };
}

function linesOf(text: string): string[] {
  return text.trimEnd().split(/\r?\n/);
}
