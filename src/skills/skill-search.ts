import type { SearchDocument } from '../catalog/search/document.js';
import type { SkillShape, SkillSummary, TestOutcome } from './skills.js';

/** The engine that ranks tools; `SearchIndex` of the catalogue is one. */
export interface SkillSearch {
  /** Replaces all documents of a group. */
  replace(group: string, documents: readonly SearchDocument[]): void;
  /** Best first. */
  search(
    text: string,
    options: { limit: number },
  ): { readonly hits: readonly { readonly id: string; readonly score: number }[]; readonly total: number };
}

/** All skills are one group: words of one skill say nothing about another. */
export const SEARCH_GROUP = 'skills';

/** Share that a skill of the most uses gains, and one whose tests passed; what one keeps whose tests failed. */
const USES = 0.15;
const PASSED = 1.05;
const FAILED = 0.8;

/** What the search reads of a skill. */
export function skillDocument(
  { name, description, tags }: Pick<SkillSummary, 'name' | 'description' | 'tags'>,
  shape: SkillShape,
): SearchDocument {
  return {
    id: name,
    name,
    server: SEARCH_GROUP,
    category: tags.join(' '),
    description,
    argumentNames: parameterNames(shape.signature),
    argumentTexts: [...shape.functions, ...shape.requiresTools],
  };
}

/** Makes a good skill win over an equal one, and no more: what the words say stays in charge. */
export function liftOf(test: TestOutcome | undefined, uses: number, mostUses: number): number {
  const used = mostUses === 0 ? 0 : Math.log1p(uses) / Math.log1p(mostUses);
  const tested = test === undefined ? 1 : test.failed > 0 ? FAILED : test.passed > 0 ? PASSED : 1;
  return (1 + USES * used) * tested;
}

/** `f(rows: list, limit: float = 0.8) -> list` names `rows` and `limit`. */
function parameterNames(signature: string): string[] {
  const inner = /\((.*)\)/s.exec(signature)?.[1] ?? '';
  return [...inner.matchAll(/(?:^|,)\s*\*{0,2}([a-z_]\w*)/gi)].map((match) => match[1] ?? '');
}
