import type { SearchDocument } from '../catalog/search/document.js';
import type { SkillSummary } from '../skills/skills.js';
import type { FittingSkill, RivalTool } from './skill-access.js';

/** An index of the engine that ranks tools, empty. */
export interface SmallIndex {
  replace(group: string, documents: readonly SearchDocument[]): void;
  search(
    text: string,
    options: { limit: number; accepts?: (document: SearchDocument) => boolean },
  ): {
    readonly hits: readonly { readonly id: string; readonly score: number }[];
    readonly confidence: number;
  };
}

/** Skills in an answer about tools: it is about tools. */
const MOST = 2;
/** Share of the best tool's score that a skill must have ... */
const AS_GOOD = 0.7;
/** ... and share of the query's worth that it must cover itself, so that a word in common is not enough. */
const COVERED = 0.35;
/** Tools that skills are compared with. */
const RIVALS = 5;

/**
 * The skills, of those found for a query, that fit it about as well as the best tool found for it. Scores of two indices
 * say nothing about each other, so both are put into one.
 */
export function fittingSkills(
  query: string,
  found: readonly SkillSummary[],
  tools: readonly RivalTool[],
  index: SmallIndex,
): FittingSkill[] {
  const skills = new Map(found.map((skill) => [`skills.${skill.name}`, skill]));
  index.replace('all', [
    ...tools.slice(0, RIVALS).map((tool) => documentOf(tool.id, tool.signature, tool.description)),
    ...[...skills].map(([id, skill]) => documentOf(id, skill.signature, skill.description, skill.tags)),
  ]);
  const { hits } = index.search(query, { limit: skills.size + RIVALS });
  const bestTool = Math.max(0, ...hits.flatMap(({ id, score }) => (skills.has(id) ? [] : [score])));
  const fitting: FittingSkill[] = [];
  for (const { id, score } of hits) {
    const skill = skills.get(id);
    if (skill === undefined || score < AS_GOOD * bestTool) continue;
    const { confidence } = index.search(query, { limit: 1, accepts: (document) => document.id === id });
    if (confidence >= COVERED) fitting.push({ skill, named: isNamed(skill.name, query) });
  }
  return fitting.slice(0, MOST);
}

/** Tools and skills alike from what both have: a name, a signature, a description. */
function documentOf(
  id: string,
  signature: string,
  description: string,
  tags: readonly string[] = [],
): SearchDocument {
  const dot = id.indexOf('.');
  const group = dot < 0 ? '' : id.slice(0, dot);
  return {
    id,
    name: id.slice(dot + 1),
    // "skills" in a query means none of them in particular.
    server: group === 'skills' ? '' : group,
    category: tags.join(' '),
    description,
    argumentNames: argumentNames(signature),
    argumentTexts: [],
  };
}

function argumentNames(signature: string): string[] {
  return [...signature.slice(signature.indexOf('(')).matchAll(/[(,]\s*\*{0,2}([A-Za-z_]\w*)/g)].map(
    ([, name = '']) => name,
  );
}

/** All words of the name stand in the query. */
function isNamed(name: string, query: string): boolean {
  const words = new Set(query.toLowerCase().split(/[^a-z0-9]+/));
  return name.split('_').every((word) => words.has(word));
}
