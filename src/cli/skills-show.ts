import type { ConfigFlags } from '../config/config.js';
import type { Skill, SkillVersion } from '../skills/skills.js';
import { type CliContext, EXIT } from './context.js';
import { printable, testText, versionNumber, withSkills } from './skills-open.js';
import { UsageError } from './usage-error.js';

/** Options of `skills show` as the command line gives them. */
export interface SkillsShowFlags extends ConfigFlags {
  readonly at?: string;
  readonly file?: string;
}

/** Prints what a skill is, and its code; or one file of its folder byte by byte. */
export function skillsShow(context: CliContext, name: string, flags: SkillsShowFlags): Promise<number> {
  const { file } = flags;
  if (file !== undefined && flags.at !== undefined)
    throw new UsageError('--file and --at exclude each other', 'versions keep the code: leave --file out');
  const version = flags.at === undefined ? undefined : versionNumber(flags.at, '--at');
  return withSkills(context, flags, async (archive) => {
    const content =
      file === undefined
        ? `${linesOf(await archive.load(name, version)).join('\n')}\n`
        : await archive.readFile(name, file);
    context.streams.out.write(content);
    return EXIT.ok;
  });
}

/** Prints the versions of a skill, newest first. */
export function skillsHistory(context: CliContext, name: string, flags: ConfigFlags): Promise<number> {
  return withSkills(context, flags, async (archive) => {
    const { versions, warnings } = await archive.load(name);
    const lines = [...versions.map(versionLine), ...warnings.map((warning) => `note: ${printable(warning)}`)];
    context.streams.out.write(`${lines.join('\n')}\n`);
    return EXIT.ok;
  });
}

/** Prints a unified difference; without one, says so. */
export async function skillsDiff(
  context: CliContext,
  name: string,
  from: string,
  to: string | undefined,
  flags: ConfigFlags,
): Promise<number> {
  const before = versionNumber(from, 'from');
  const after = to === undefined ? undefined : versionNumber(to, 'to');
  return withSkills(context, flags, async (archive) => {
    const difference = await archive.diff(name, before, after);
    context.streams.out.write(`${difference === '' ? 'the code is the same' : printable(difference)}\n`);
    return EXIT.ok;
  });
}

function linesOf(skill: Skill): string[] {
  const { shape, versions } = skill;
  const requires = [...shape.requiresTools, ...shape.requiresSkills.map((name) => `skills.${name}`)];
  const kept = versions.map(({ version }) => version).reverse();
  return [
    `${skill.name}  version ${skill.version} of ${kept.join(', ')}${skill.readOnly ? ', read-only' : ''}`,
    printable(skill.description),
    ...line('signature', skill.signature),
    ...line('tags', skill.tags.join(', ')),
    ...line('requires', requires.join(', ')),
    ...line('files', skill.files.map(({ path, size }) => `${path} (${size} bytes)`).join(', ')),
    ...line('', testText(skill.test)),
    ...line('first failure', skill.test?.message ?? ''),
    ...skill.warnings.map((warning) => `note: ${printable(warning)}`),
    '',
    printable(skill.code).trimEnd(),
  ];
}

function line(label: string, text: string): string[] {
  if (text === '') return [];
  return [printable(label === '' ? text : `${label}: ${text}`)];
}

function versionLine(one: SkillVersion): string {
  const how =
    one.origin === 'rollback'
      ? `version ${one.from} again`
      : one.origin === 'hand'
        ? 'edited by hand'
        : undefined;
  const facts = [
    one.time,
    `by ${one.principal}`,
    ...(one.run === undefined ? [] : [`run ${one.run}`]),
    ...(how === undefined ? [] : [how]),
    ...(one.test === undefined ? [] : [testText(one.test)]),
    `sha256 ${one.hash.slice(0, 12)}`,
  ];
  return printable(`${one.version}  ${facts.join(' · ')}`);
}
