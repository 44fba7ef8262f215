import type { ConfigProblem } from './config.js';
import type { Setting } from './config-file.js';
import { expandVariables } from './expand.js';
import { BEARER_TOKEN, PRINCIPAL_NAME } from './http-schema.js';
import type { CheckedSetting } from './validate.js';

/** The objects among the keys whose own keys are names. */
export const RECORD_KEYS: ReadonlySet<string> = new Set(['http.tokens']);

/** Fewer different characters are a pattern, not a random token: `aaaa...`, `12341234...`. */
const MIN_DIFFERENT = 10;
const MAKE_ONE = `make one with: node -p "require('node:crypto').randomBytes(32).toString('base64url')"`;

/** Expands and checks `http.tokens`. No message and no shown value holds a token, or a part of one. */
export function checkTokens(
  setting: Setting,
  env: Readonly<Record<string, string | undefined>>,
): { checked: CheckedSetting } | { problems: ConfigProblem[] } {
  const { key, place, value } = setting;
  const problems: ConfigProblem[] = [];
  const fault = (message: string): void => void problems.push({ place, key, message });
  const tokens = new Map<string, string>();
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    fault('valid: an object with a bearer token under the name of each principal');
  else {
    for (const [name, written] of Object.entries(value)) {
      const token = checkToken(name, written, env, fault);
      if (token === undefined) continue;
      const other = [...tokens].find(([, known]) => known === token)?.[0];
      if (other !== undefined) fault(`"${name}" and "${other}" have the same token; ${MAKE_ONE}`);
      tokens.set(name, token);
    }
  }
  if (problems.length > 0) return { problems };
  const shown = JSON.stringify(Object.fromEntries([...tokens.keys()].map((name) => [name, '***'])));
  return { checked: { ...setting, resolved: Object.fromEntries(tokens), shown } };
}

function checkToken(
  name: string,
  written: unknown,
  env: Readonly<Record<string, string | undefined>>,
  fault: (message: string) => void,
): string | undefined {
  if (!PRINCIPAL_NAME.test(name)) {
    fault(
      `the name ${JSON.stringify(name.slice(0, 70))} is not valid: 1 to 64 letters, digits, ".", "_" and "-", the first a letter or digit`,
    );
    return undefined;
  }
  if (typeof written !== 'string') {
    fault(`the token of "${name}" is no text; ${MAKE_ONE}`);
    return undefined;
  }
  const { value, problems } = expandVariables(written, env);
  for (const problem of problems) fault(`the token of "${name}": ${problem}`);
  if (problems.length > 0) return undefined;
  if (!BEARER_TOKEN.test(value))
    fault(
      `the token of "${name}" has ${value.length} characters, valid: 32 to 500 of A-Z a-z 0-9 - . _ ~ + /; ${MAKE_ONE}`,
    );
  else if (new Set(value).size < MIN_DIFFERENT)
    fault(
      `the token of "${name}" can be guessed: it has ${new Set(value).size} different characters; ${MAKE_ONE}`,
    );
  else return value;
  return undefined;
}
