import type { ConfigFlags } from '../config/config.js';
import type { SkillArchive } from '../skills/skills.js';
import type { App } from './app-contract.js';
import { type CliContext, EXIT } from './context.js';
import { printable, testText, versionNumber, withSkills } from './skills-open.js';
import { UsageError } from './usage-error.js';

/** Runs the examples of skills, keeps the outcomes and prints them. Fails if an example does. */
export async function skillsTest(
  context: CliContext,
  names: readonly string[],
  flags: ConfigFlags & { readonly at?: string },
): Promise<number> {
  if (flags.at !== undefined && names.length !== 1) throw new UsageError('--at needs the name of one skill');
  const version = flags.at === undefined ? undefined : versionNumber(flags.at, '--at');
  return withSkills(context, flags, async (archive, app) => {
    const { out } = context.streams;
    const tested = names.length > 0 ? names : await namesWithExamples(archive);
    if (tested.length === 0) out.write('no skill has examples (lines with >>> in a docstring)\n');
    let failed = false;
    for (const name of tested) failed = !(await testOne(app, out, name, version)) || failed;
    return failed ? EXIT.failed : EXIT.ok;
  });
}

async function testOne(
  app: App,
  out: CliContext['streams']['out'],
  name: string,
  version: number | undefined,
): Promise<boolean> {
  const outcome = await app.testSkill(name, version);
  out.write(`${name}: ${testText(outcome)}\n`);
  if (outcome.message !== undefined) out.write(`${printable(outcome.message).replace(/^/gm, '  ')}\n`);
  return outcome.failed === 0;
}

async function namesWithExamples(archive: SkillArchive): Promise<string[]> {
  const { skills } = await archive.find(undefined, { limit: 100_000, offset: 0 });
  const usable = skills.filter(({ broken }) => broken === undefined);
  const loaded = await Promise.all(usable.map(({ name }) => archive.load(name)));
  return loaded.filter(({ shape }) => shape.examples > 0).map(({ name }) => name);
}
