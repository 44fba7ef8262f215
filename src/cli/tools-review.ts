import type { ConfigFlags } from '../config/config.js';
import type { App, ToolReview } from './app-contract.js';
import { type CliContext, EXIT } from './context.js';
import { openApp } from './open-app.js';
import { UsageError } from './usage-error.js';

/** Options of `tools review` as the command line gives them. */
export interface ReviewFlags extends ConfigFlags {
  readonly accept?: readonly string[];
  readonly acceptAll?: boolean;
}

const STANDINGS: Readonly<Record<ToolReview['standing'], string>> = {
  new: 'appeared after its server was first seen; calls go through',
  changed: 'differs from the definition that was accepted; calls are refused',
  shadowing: 'claims the name of a tool of another server; calls are refused',
};

/** Prints the definitions that a person should look at; accepts those that are named, or all of them. */
export async function toolsReview(context: CliContext, flags: ReviewFlags): Promise<number> {
  if (flags.accept !== undefined && flags.acceptAll)
    throw new UsageError('--accept and --accept-all exclude each other');
  const { app } = await openApp(context, flags, 'error');
  try {
    const reviews = await app.toolReviews();
    const accepted = flags.acceptAll ? reviews : (flags.accept ?? []).map((id) => named(id, reviews));
    const lines = accepted.length > 0 ? await accept(app, accepted) : listing(reviews);
    context.streams.out.write(`${lines.join('\n')}\n`);
    return EXIT.ok;
  } finally {
    await app.close();
  }
}

async function accept(app: App, reviews: readonly ToolReview[]): Promise<string[]> {
  for (const { id } of reviews) await app.acceptTool(id);
  return reviews.map(({ id, standing }) => `accepted ${id} (${standing})`);
}

function named(id: string, reviews: readonly ToolReview[]): ToolReview {
  const found = reviews.find((review) => review.id === id);
  if (found !== undefined) return found;
  const ids = reviews.map((review) => review.id);
  throw new UsageError(
    `"${id}" is not among the definitions to look at`,
    ids.length === 0 ? 'there are none' : `they are: ${ids.join(', ')}`,
  );
}

function listing(reviews: readonly ToolReview[]): string[] {
  if (reviews.length === 0) return ['all definitions are as they were accepted'];
  const lines = reviews.flatMap(({ id, standing, claims, text }) => [
    `${id}: ${standing}: ${STANDINGS[standing]}${claims === undefined ? '' : ` (${claims})`}`,
    ...text.split('\n').map((line) => `  | ${line}`),
  ]);
  return [
    ...lines,
    `next: code-execution-mcp tools review --accept ${reviews[0]?.id ?? 'ID'}, or --accept-all`,
  ];
}
