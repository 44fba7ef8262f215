import { matchesName } from './glob.js';
import type { ToolAnnotations } from './tool.js';

/** What the operator says about the tools of a server: globs over their names (see {@link matchesName}). */
export interface ToolRules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ask: readonly string[];
}

/** What becomes of a call: it goes through, a person is asked first, or it is refused. */
export type Verdict = 'allow' | 'ask' | 'deny';

export const NO_RULES: ToolRules = { allow: [], deny: [], ask: [] };

/**
 * The strictest list that names the tool decides: `deny`, then `ask`, then `allow`. A tool in no list is allowed, unless
 * it says of itself that it destroys. An absent hint counts as none, since most servers send none.
 */
export function decide(rules: ToolRules, tool: string, annotations: ToolAnnotations = {}): Verdict {
  if (isListed(rules.deny, tool)) return 'deny';
  if (isListed(rules.ask, tool)) return 'ask';
  if (isListed(rules.allow, tool)) return 'allow';
  return annotations.destructiveHint === true ? 'ask' : 'allow';
}

function isListed(globs: readonly string[], tool: string): boolean {
  return globs.some((glob) => matchesName(glob, tool));
}
