import type { ConfigFlags, ConfigProblem } from '../config/config.js';
import { type CliContext, EXIT } from './context.js';

/** Prints the files that were read, every problem and warning, and the configuration that applies, secrets masked. */
export async function configCheck(context: CliContext, flags: ConfigFlags): Promise<number> {
  const { loaded, problems, warnings, sources } = await context.inspectConfig(flags);
  const lines: string[] = [];
  for (const { kind, path } of sources) lines.push(`file      ${path} (${kind})`);
  if (sources.length === 0) lines.push('file      none; defaults apply');
  for (const warning of warnings) lines.push(`warning   ${warning}`);
  for (const problem of problems) lines.push(`problem   ${describe(problem)}`);
  if (loaded) {
    const width = Math.max(...loaded.shown.map(({ key }) => key.length));
    lines.push('');
    for (const { key, value, place } of loaded.shown)
      lines.push(`${key.padEnd(width)}  ${value}  (${place})`);
  }
  lines.push('', problems.length > 0 ? `${problems.length} to correct` : 'ok');
  context.streams.out.write(`${lines.join('\n')}\n`);
  return problems.length > 0 ? EXIT.failed : EXIT.ok;
}

function describe({ place, key, message }: ConfigProblem): string {
  return [place, key, message].filter(Boolean).join(': ');
}
