import type { ConfigFlags } from '../config/config.js';
import type { SkillSummary } from '../skills/skills.js';
import { type CliContext, EXIT } from './context.js';
import { printable, testText, withSkills } from './skills-open.js';

/** Options of `skills list` as the command line gives them. */
export interface SkillsListFlags extends ConfigFlags {
  readonly json?: boolean;
}

/** More are not kept. */
const ALL = 100_000;

/** Prints the skills, best first for words, else by name. Fails if a folder cannot be used. */
export function skillsList(
  context: CliContext,
  words: readonly string[],
  flags: SkillsListFlags,
): Promise<number> {
  return withSkills(context, flags, async (archive) => {
    const query = words.join(' ').trim();
    const { skills } = await archive.find(query === '' ? undefined : query, { limit: ALL, offset: 0 });
    const lines = flags.json ? [JSON.stringify(skills, null, 2)] : linesOf(skills, query);
    context.streams.out.write(`${lines.join('\n')}\n`);
    return skills.some(({ broken }) => broken !== undefined) ? EXIT.failed : EXIT.ok;
  });
}

function linesOf(skills: readonly SkillSummary[], query: string): string[] {
  if (skills.length === 0)
    return [query === '' ? 'no skills are saved' : `no skill has a word of "${printable(query)}"`];
  return skills.map((skill) => {
    if (skill.broken !== undefined)
      return `${printable(skill.name)}  [cannot be used: it ${printable(skill.broken)}]`;
    const facts = [
      `version ${skill.version}`,
      ...(skill.uses === 0 ? [] : [`used ${skill.uses} ${skill.uses === 1 ? 'time' : 'times'}`]),
      ...(skill.test === undefined ? [] : [testText(skill.test)]),
      ...(skill.readOnly ? ['read-only'] : []),
    ];
    return `${skill.name}  [${facts.join(', ')}]\n  ${printable(skill.description)}`;
  });
}
