import { looksSecret } from './secrets.js';

/** A string after expansion. */
export interface Expanded {
  readonly value: string;
  /** The same for people: values of secret-looking variables are `***`. */
  readonly shown: string;
  /** True when at least one reference was replaced. */
  readonly changed: boolean;
  /** One sentence for each reference that could not be replaced. */
  readonly problems: readonly string[];
}

/** `${...}`; the content is judged later, so that a malformed reference is an error and not a literal. */
const REFERENCE = /\$\{([^}]*)(\}?)/g;
/** Name and default of a reference. */
const CONTENT = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;
/**
 * Replaces `${VAR}`, `${VAR:-default}` and `${env:VAR}`. As in a shell, the default also stands in for an empty value;
 * a bare `$VAR` stays as it is.
 */
export function expandVariables(text: string, env: Readonly<Record<string, string | undefined>>): Expanded {
  const problems: string[] = [];
  let changed = false;
  const replace = (hide: boolean) => (whole: string, content: string, close: string) => {
    const parts = close ? CONTENT.exec(content) : null;
    const name = parts?.[1];
    if (!name) {
      problems.push(`"${whole}" is no variable reference: write \${NAME}, \${NAME:-default} or \${env:NAME}`);
      return whole;
    }
    const found = Object.hasOwn(env, name) ? env[name] : undefined;
    const fallback = parts[2];
    if (found === undefined && fallback === undefined) {
      problems.push(`the environment variable ${name} is not set: set it, or write \${${name}:-default}`);
      return whole;
    }
    changed = true;
    if (fallback !== undefined && !found) return fallback;
    const value = found ?? '';
    return hide && looksSecret(name) ? '***' : value;
  };
  const value = text.replace(REFERENCE, replace(false));
  const shown = text.replace(REFERENCE, replace(true));
  return { value, shown, changed, problems: [...new Set(problems)] };
}
