/** Words longer than this are not compared: nobody misspells them by a letter, and the cost is quadratic. */
const MAX_LENGTH = 200;
/** Candidates looked at; a workspace may hold ten thousand names. */
const MAX_CANDIDATES = 10_000;

/**
 * The candidate that a misspelt `word` most likely meant: equal but for case, or within a third of its length in edits
 * (a swap of neighbours counts one), or containing it. Undefined when none is near.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  if (wanted === '' || wanted.length > MAX_LENGTH) return undefined;
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates.slice(0, MAX_CANDIDATES)) {
    const known = candidate.toLowerCase();
    if (known === wanted) return candidate;
    if (Math.abs(known.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, known, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best ?? candidates.find((one) => wanted.length >= 4 && contains(one.toLowerCase(), wanted));
}

function contains(known: string, wanted: string): boolean {
  return known.length >= 4 && (known.includes(wanted) || wanted.includes(known));
}

/** Edits from one word to the other, a swap of neighbours counts one; `limit` as soon as it must be that much or more. */
export function editDistance(a: string, b: string, limit: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let lowest = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      current.push(cost);
      lowest = Math.min(lowest, cost);
    }
    if (lowest >= limit) return limit;
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? limit;
}
