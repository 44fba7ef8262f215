import type { Detection } from '../detect/detector.js';
import type { Origin, Vault } from '../vault/vault.js';

/** How values become tokens in one document: where they are looked for, who keeps them, which of them stay. */
export interface Replacing {
  readonly detection: Detection;
  readonly vault: Vault;
  readonly origin: Origin;
  /** True for a value that stays though it is found: on a list of the operator, or sent by the agent itself. */
  readonly isSpared?: (type: string, value: string) => boolean;
  /** Values replaced so far, by type; added to. */
  readonly counts: Map<string, number>;
}

/** The token of a value that was found; undefined: it stays, for it is spared or a token already. Counts what it replaces. */
export function tokenFor(
  using: Replacing,
  type: string,
  value: string,
  form: 'text' | 'number',
): string | undefined {
  const { vault, origin, isSpared, counts } = using;
  if (isSpared?.(type, value) || isToken(vault, value)) return undefined;
  counts.set(type, (counts.get(type) ?? 0) + 1);
  return form === 'number' ? vault.numberTokenOf(type, value, origin) : vault.tokenOf(type, value, origin);
}

/** True when the whole text is one valid token of this vault, which would otherwise get a token of its own. */
export function isToken(vault: Vault, text: string): boolean {
  if (text.length > MAX_TOKEN || !/^[pP8]/.test(text)) return false;
  const [first] = vault.tokensIn(text);
  return first !== undefined && first.start === 0 && first.end === text.length;
}

/** As long as escapes between its characters make one. */
const MAX_TOKEN = 300;
