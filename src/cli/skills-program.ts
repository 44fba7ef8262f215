import type { Command } from 'commander';
import type { ConfigFlags } from '../config/config.js';
import type { CliContext } from './context.js';
import type { SkillsListFlags } from './skills-list.js';
import type { SkillsShowFlags } from './skills-show.js';

/** Adds `skills` with its commands. `withOptions` adds the options that every command has. */
export function defineSkills(
  program: Command,
  context: CliContext,
  done: (code: number) => void,
  withOptions: (command: Command) => Command,
): void {
  const skills = program.command('skills').description('look at the saved skills, bring versions back, test');

  withOptions(skills.command('list'))
    .description('list the skills, or those that fit a question, best first')
    .argument('[words...]', 'what a skill should do')
    .option('--json', 'print JSON')
    .action(async (words: string[], flags: SkillsListFlags) =>
      done(await (await import('./skills-list.js')).skillsList(context, words, flags)),
    );

  withOptions(skills.command('show'))
    .description('print what a skill is and its code')
    .argument('<name>')
    .option('--at <version>', 'a former version')
    .option('--file <path>', 'only this file of its folder, as it is')
    .action(async (name: string, flags: SkillsShowFlags) =>
      done(await (await import('./skills-show.js')).skillsShow(context, name, flags)),
    );

  withOptions(skills.command('history'))
    .description('list the versions of a skill, who saved them and how their tests went')
    .argument('<name>')
    .action(async (name: string, flags: ConfigFlags) =>
      done(await (await import('./skills-show.js')).skillsHistory(context, name, flags)),
    );

  withOptions(skills.command('diff'))
    .description('print how the code of two versions differs')
    .argument('<name>')
    .argument('<from>', 'version')
    .argument('[to]', 'version; by default the code as it is now')
    .action(async (name: string, from: string, to: string | undefined, flags: ConfigFlags) =>
      done(await (await import('./skills-show.js')).skillsDiff(context, name, from, to, flags)),
    );

  withOptions(skills.command('rollback'))
    .description('make a former version the newest one; nothing is lost, it becomes a version of its own')
    .argument('<name>')
    .argument('<version>')
    .action(async (name: string, version: string, flags: ConfigFlags) =>
      done(await (await import('./skills-change.js')).skillsRollback(context, name, version, flags)),
    );

  withOptions(skills.command('remove'))
    .description('remove a skill; its versions stay and can be brought back')
    .argument('<name>')
    .option('--purge', 'remove its versions as well, for good')
    .action(async (name: string, flags: ConfigFlags & { purge?: boolean }) =>
      done(await (await import('./skills-change.js')).skillsRemove(context, name, flags)),
    );

  withOptions(skills.command('test'))
    .description('run the examples (>>>) in the docstrings of skills in a fresh interpreter')
    .argument('[names...]', 'by default all skills that have examples')
    .option('--at <version>', 'a former version of the one skill that is named')
    .action(async (names: string[], flags: ConfigFlags & { at?: string }) =>
      done(await (await import('./skills-test.js')).skillsTest(context, names, flags)),
    );
}
