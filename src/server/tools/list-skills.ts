import { z } from 'zod';
import type { SkillAccess } from '../../session/skill-access.js';
import type { SkillSummary } from '../../skills/skills.js';
import { type Answer, answer } from '../answer.js';
import { defineTool } from '../define-tool.js';
import { cursorOffset, offsetCursor } from '../page-cursor.js';
import { count } from '../quantities.js';
import type { ServerLimits } from '../server-deps.js';
import { skillLine, testWords } from '../skill-text.js';
import { visibleLine } from '../visible-text.js';
import { clip } from '../visible-value.js';

const MAX_LIMIT = 100;
const MAX_QUERY = 4_000;

const output = z.object({
  success: z.boolean(),
  count: z.number(),
  total: z.number(),
  skills: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      signature: z.string(),
      version: z.number(),
      updated: z.string(),
      uses: z.number(),
      tests: z.string().optional(),
    }),
  ),
  next_cursor: z.string().optional(),
});
type Output = z.infer<typeof output>;

/** Finds skills, a page at a time. */
export const listSkills = (skills: SkillAccess, limits: Pick<ServerLimits, 'maxOutputChars'>) =>
  defineTool({
    name: 'list_skills',
    title: 'List skills',
    description: 'Saved skills: the best first for a query, else by name.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: z.strictObject({
      query: z.string().max(MAX_QUERY).default('').describe('Task'),
      limit: z.number().int().min(1).max(MAX_LIMIT).default(20).describe('Skills in one answer'),
      cursor: z.string().optional().describe('next_cursor of the previous answer'),
    }),
    output,
    async handle({ query, limit, cursor }, { principal }): Promise<Answer<Output>> {
      const offset = cursorOffset(cursor);
      const words = query.trim() === '' ? undefined : query;
      const { total, skills: found } = await skills.find(principal, words, { limit, offset });
      const shown = page(found, limits.maxOutputChars);
      const end = offset + shown.length;
      const facts = {
        query: words ?? '',
        skills: shown,
        total,
        ...(end < total && shown.length > 0 ? { next: offsetCursor(end) } : {}),
      };
      return answer(facts, (page) => ({
        text: [headline(page.query, page.skills.length, total, page.next), ...page.skills.map(lineOf)].join(
          '\n',
        ),
        structured: {
          success: true,
          count: page.skills.length,
          total,
          skills: page.skills.map(structure),
          ...(page.next === undefined ? {} : { next_cursor: page.next }),
        },
      }));
    },
  });

function headline(query: string, shown: number, total: number, next: string | undefined): string {
  if (total === 0) {
    const which = query === '' ? '' : ` for ${visibleLine(JSON.stringify(clip(query, 60)))}`;
    return `ok · no skills${which}${query === '' ? '; save_skill keeps code that worked' : '; an empty query lists all'}`;
  }
  const all = total === 1 ? '1 skill' : `${count(total)} skills`;
  const which = shown < total ? `${count(shown)} of ${all}` : all;
  return `ok · ${which}${next === undefined ? '' : ` · next cursor ${next}`}`;
}

function lineOf(skill: SkillSummary): string {
  if (skill.broken !== undefined) return visibleLine(`${skill.name}: cannot be used, it ${skill.broken}`);
  const facts = [
    `version ${skill.version}`,
    `${skill.updated.slice(0, 10)}`,
    ...(skill.uses > 0 ? [`used ${count(skill.uses)} ${skill.uses === 1 ? 'time' : 'times'}`] : []),
    ...(skill.test ? [testWords(skill.test)] : []),
    ...(skill.readOnly ? ['read-only'] : []),
  ];
  return `${skillLine(skill).replace(/^skill /, '')} (${visibleLine(facts.join(', '))})`;
}

function structure(skill: SkillSummary): Output['skills'][number] {
  const { name, signature, version, updated, uses, broken } = skill;
  const description = broken === undefined ? skill.description : `cannot be used: it ${broken}`;
  const tests = testWords(skill.test);
  return {
    name,
    description,
    signature,
    version,
    updated,
    uses,
    ...(tests === undefined ? {} : { tests }),
  };
}

/** As many skills as an answer may be long; one at least. */
function page(all: readonly SkillSummary[], maxChars: number): SkillSummary[] {
  let chars = 0;
  const shown: SkillSummary[] = [];
  for (const skill of all) {
    chars += skill.name.length + skill.signature.length + skill.description.length + 80;
    if (chars > maxChars && shown.length > 0) break;
    shown.push(skill);
  }
  return shown;
}
