import { expandVariables } from './expand.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** An entry after expansion, for use and for people, and every reference that could not be replaced. */
export interface ExpandedEntry {
  readonly value: Readonly<Record<string, unknown>>;
  readonly shown: Readonly<Record<string, unknown>>;
  readonly problems: readonly string[];
}

/** Keys in whose texts references are replaced. */
const EXPANDED = ['command', 'args', 'env', 'cwd', 'url', 'headers'];

/** Replaces the references in an entry, in texts and in the texts of its lists and objects. */
export function expandEntry(entry: Readonly<Record<string, unknown>>, env: Environment): ExpandedEntry {
  const problems: string[] = [];
  const expand = (part: unknown): { value: unknown; shown: unknown } => {
    if (typeof part === 'string') {
      const expanded = expandVariables(part, env);
      problems.push(...expanded.problems);
      return expanded;
    }
    if (Array.isArray(part)) {
      const parts = part.map((one) => (typeof one === 'string' ? expand(one) : { value: one, shown: one }));
      return { value: parts.map(({ value }) => value), shown: parts.map(({ shown }) => shown) };
    }
    if (typeof part !== 'object' || part === null) return { value: part, shown: part };
    const members = Object.entries(part).map(([key, one]) => {
      const expanded = typeof one === 'string' ? expand(one) : { value: one, shown: one };
      return [key, expanded] as const;
    });
    return {
      value: Object.fromEntries(members.map(([key, { value }]) => [key, value])),
      shown: Object.fromEntries(members.map(([key, { shown }]) => [key, shown])),
    };
  };
  const members = Object.entries(entry).map(([key, part]) => {
    const expanded = EXPANDED.includes(key) ? expand(part) : { value: part, shown: part };
    return [key, expanded] as const;
  });
  return {
    value: Object.fromEntries(members.map(([key, { value }]) => [key, value])),
    shown: Object.fromEntries(members.map(([key, { shown }]) => [key, shown])),
    problems: [...new Set(problems)],
  };
}
