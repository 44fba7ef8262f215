/** Longest pattern in characters: with the longest name this bounds one match to about 20,000 steps. */
export const MAX_GLOB_LENGTH = 256;

/**
 * Whether a path matches a pattern: `*` any characters, `?` one, `[abc]`, `[a-z]`, `[!a]` one of a set, none of them a
 * `/`; `**` as a whole part: any number of folders. A pattern without `/` is matched against the name alone, so `*.csv`
 * finds files in every folder. Case counts; a `[` without `]` means itself; `[*]` means a star. A pattern longer than
 * {@link MAX_GLOB_LENGTH} matches nothing: callers refuse it before.
 *
 * No regular expression is made of the pattern, and only the last star is ever tried again: time is at most the
 * product of the two lengths.
 */
export function matchesGlob(pattern: string, path: string): boolean {
  if (pattern.length > MAX_GLOB_LENGTH) return false;
  const wanted = pattern.replace(/^\.\//, '').split('/');
  const parts = path.split('/');
  if (wanted.length === 1 && wanted[0] !== '**')
    return matchesName(wanted[0] ?? '', parts[parts.length - 1] ?? '');
  return matchesWithStars(wanted, parts, (want) => want === '**', matchesName);
}

/** Like {@link matchesGlob} for a name that is no path: `/` is a character like any other. */
export function matchesName(pattern: string, name: string): boolean {
  if (pattern.length > MAX_GLOB_LENGTH) return false;
  return matchesWithStars(tokensOf(pattern), [...name], (token) => token === '*', matchesCharacter);
}

/** Greedy matching: on a mismatch the last star takes one item more. Earlier stars never need another try. */
function matchesWithStars<P, T>(
  pattern: readonly P[],
  items: readonly T[],
  isStar: (one: P) => boolean,
  matches: (one: P, item: T) => boolean,
): boolean {
  let at = 0;
  let star = -1;
  let starTook = 0;
  for (let i = 0; i < items.length; ) {
    const one = pattern[at];
    const item = items[i];
    if (one !== undefined && isStar(one)) {
      star = at;
      starTook = i;
      at += 1;
    } else if (one !== undefined && item !== undefined && matches(one, item)) {
      at += 1;
      i += 1;
    } else if (star >= 0) {
      starTook += 1;
      i = starTook;
      at = star + 1;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every(isStar);
}

/** Single characters (by code point), `*`, and whole sets with their brackets. */
function tokensOf(pattern: string): string[] {
  const tokens: string[] = [];
  const characters = [...pattern];
  const lastEnd = characters.lastIndexOf(']');
  for (let i = 0; i < characters.length; i += 1) {
    const character = characters[i] ?? '';
    // The first character of a set may be "]".
    const first = characters[i + 1] === '!' ? i + 3 : i + 2;
    const end = character === '[' && first <= lastEnd ? characters.indexOf(']', first) : -1;
    tokens.push(end < 0 ? character : characters.slice(i, end + 1).join(''));
    if (end >= 0) i = end;
  }
  return tokens;
}

function matchesCharacter(token: string, character: string): boolean {
  if (token === '?') return true;
  if (!token.startsWith('[') || !token.endsWith(']')) return token === character;
  const set = [...token.slice(1, -1)];
  const negated = set[0] === '!';
  if (negated) set.shift();
  return isInSet(set, character) !== negated;
}

function isInSet(set: readonly string[], character: string): boolean {
  for (let i = 0; i < set.length; i += 1) {
    const from = set[i] ?? '';
    const isRange = set[i + 1] === '-' && i + 2 < set.length;
    const to = isRange ? (set[i + 2] ?? '') : from;
    if (isRange) i += 2;
    const code = character.codePointAt(0) ?? 0;
    if (code >= (from.codePointAt(0) ?? 0) && code <= (to.codePointAt(0) ?? 0)) return true;
  }
  return false;
}
