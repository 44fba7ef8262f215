/** The part of a list sorted by path that lies at or below `path`. Binary search: callers ask once per changed path. */
export function atOrBelow<T extends { readonly path: string }>(sorted: readonly T[], path: string): T[] {
  const at = sorted[lowerBound(sorted, path)];
  // All below `d` sort between `d/` and `d0`, for "0" follows "/".
  const below = sorted.slice(lowerBound(sorted, `${path}/`), lowerBound(sorted, `${path}0`));
  return at?.path === path ? [at, ...below] : below;
}

/** The folders above a path, nearest first, without the root. */
export function ancestors(path: string): string[] {
  const found: string[] = [];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    found.push(path.slice(0, end));
  }
  return found;
}

function lowerBound(sorted: readonly { readonly path: string }[], path: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.path ?? '') < path) low = middle + 1;
    else high = middle;
  }
  return low;
}
