import { z } from 'zod';
import { skillCall } from '../../core/skill-call.js';
import type { SavedSkill, SkillAccess } from '../../session/skill-access.js';
import { type Answer, answer } from '../answer.js';
import { defineTool } from '../define-tool.js';
import { count } from '../quantities.js';
import { missingLines, testWords } from '../skill-text.js';
import { visibleLine } from '../visible-text.js';

const output = z.object({
  success: z.boolean(),
  name: z.string(),
  version: z.number(),
  signature: z.string(),
  path: z.string(),
  requires_tools: z.array(z.string()),
  missing: z.array(z.string()).optional(),
  tests_passed: z.number().optional(),
  notes: z.array(z.string()).optional(),
});
type Output = z.infer<typeof output>;

/** Keeps code as a skill. */
export const saveSkill = (skills: SkillAccess) =>
  defineTool({
    name: 'save_skill',
    title: 'Save a skill',
    description:
      'Keep a function that worked for later runs: `from skills import NAME` in execute_code. Every save is a version.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    input: z.strictObject({
      name: z.string().min(1).describe('snake_case'),
      code: z.string().describe('Python source with a function of that name, or main; no secrets'),
      description: z.string().min(1).max(1_024).describe('What it does, when to use it'),
      tags: z.array(z.string()).default([]).describe('For search'),
      overwrite: z.boolean().default(false).describe('New version of a skill'),
      test: z.boolean().default(false).describe('First run the >>> examples of its docstrings'),
    }),
    output,
    async handle(draft, { principal, signal, approve }): Promise<Answer<Output>> {
      const saved = await skills.save(principal, draft, {
        signal,
        ...(approve === undefined ? {} : { approve }),
      });
      return answer(saved, (shown) => ({ text: textOf(shown), structured: structure(shown) }));
    },
  });

function textOf({ skill, former, missing, notes }: SavedSkill): string {
  const change =
    former === undefined
      ? 'new'
      : `version ${former.version} is kept (+${count(former.added)} -${count(former.removed)} lines)`;
  const tested = testWords(skill.test);
  return [
    [
      `ok · saved ${skill.name} version ${skill.version}`,
      change,
      ...(tested === undefined ? [] : [tested]),
    ].join(' · '),
    visibleLine(`use: from skills import ${skill.name}; ${skillCall(skill.name, skill.signature)}`),
    ...missingLines(missing),
    ...notes.map((note) => `note: ${visibleLine(note)}`),
  ].join('\n');
}

function structure({ skill, missing, notes }: SavedSkill): Output {
  const lacking = [...missing.tools, ...missing.skills.map((name) => `skills.${name}`)];
  return {
    success: true,
    name: skill.name,
    version: skill.version,
    signature: skill.signature,
    path: `skill://${skill.name.replaceAll('_', '-')}/SKILL.md`,
    requires_tools: [...skill.shape.requiresTools],
    ...(lacking.length === 0 ? {} : { missing: lacking }),
    ...(skill.test === undefined ? {} : { tests_passed: skill.test.passed }),
    ...(notes.length === 0 ? {} : { notes: [...notes] }),
  };
}
