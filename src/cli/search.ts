import type { ConfigFlags } from '../config/config.js';
import { type CliContext, EXIT } from './context.js';
import { openApp } from './open-app.js';
import { UsageError } from './usage-error.js';

/** Options of `search` as the command line gives them. */
export interface SearchFlags extends ConfigFlags {
  readonly category?: string;
  readonly limit?: string;
  readonly detail?: string;
  readonly json?: boolean;
}

/** Prints what `search_tools` answers to a model. Without words: the categories. */
export async function search(
  context: CliContext,
  words: readonly string[],
  flags: SearchFlags,
): Promise<number> {
  const { category, limit, detail } = flags;
  if (limit !== undefined && !/^\d+$/.test(limit))
    throw new UsageError(`--limit: found "${limit}", valid: a whole number`);
  const { app } = await openApp(context, flags, 'error');
  try {
    const answer = await app.searchTools({
      query: words.join(' '),
      ...(category === undefined ? {} : { category }),
      ...(limit === undefined ? {} : { limit: Number(limit) }),
      ...(detail === undefined ? {} : { detail_level: detail }),
    });
    context.streams.out.write(`${flags.json ? JSON.stringify(answer.structured, null, 2) : answer.text}\n`);
    return answer.exit === 'ok' ? EXIT.ok : EXIT.failed;
  } finally {
    await app.close();
  }
}
