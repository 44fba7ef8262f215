import type { ConfigFlags } from '../config/config.js';
import { type CliContext, EXIT } from './context.js';
import { versionNumber, withSkills } from './skills-open.js';

/** Who is named for what a person does on the command line. */
const COMMAND_LINE = 'command line';

/** Makes a former version the newest one. */
export async function skillsRollback(
  context: CliContext,
  name: string,
  version: string,
  flags: ConfigFlags,
): Promise<number> {
  const wanted = versionNumber(version);
  return withSkills(context, flags, async (archive) => {
    const skill = await archive.rollback(name, wanted, COMMAND_LINE);
    context.streams.out.write(
      `${skill.name} is now version ${skill.version}, which is version ${wanted} again\n`,
    );
    return EXIT.ok;
  });
}

/** Removes a skill, with `--purge` for good. */
export function skillsRemove(
  context: CliContext,
  name: string,
  flags: ConfigFlags & { readonly purge?: boolean },
): Promise<number> {
  const { purge = false } = flags;
  return withSkills(context, flags, async (archive) => {
    await archive.remove(name, { by: COMMAND_LINE, purge });
    const next = purge
      ? ', with all its versions'
      : '; its versions are kept: skills rollback brings one back';
    context.streams.out.write(`removed ${name}${next}\n`);
    return EXIT.ok;
  });
}
