import { CodeExecutionError } from '../../core/errors.js';
import type { Privacy } from '../../privacy/privacy.js';
import { count } from '../quantities.js';
import type { ServerDeps } from '../server-deps.js';

/** @throws CodeExecutionError `config_error`: privacy is off, and a text returned as it came would look sanitised. */
export function privacyOf(deps: Pick<ServerDeps, 'privacy'>): Privacy {
  if (deps.privacy) return deps.privacy;
  throw new CodeExecutionError(
    'config_error',
    'privacy is off in the configuration of this server (privacy.mode)',
    'tell the user; the operator turns it on with privacy.mode "egress" or "strict"',
  );
}

/** Characters of one text: what comes back must fit into one answer, for a text that is cut is a text that is lost. */
export const MAX_TEXT_CHARS = 100_000;

/** @throws CodeExecutionError `too_large` */
export function checkText(text: string): void {
  if (text.length <= MAX_TEXT_CHARS) return;
  throw new CodeExecutionError(
    'too_large',
    `text has ${count(text.length)} characters; the most in one call is ${count(MAX_TEXT_CHARS)}`,
    'write it to the workspace and use tokenize_pii in execute_code, or send it in parts',
  );
}
