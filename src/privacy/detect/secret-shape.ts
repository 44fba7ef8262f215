/** True when a value under the key of a secret is none: a placeholder, an expression, a word that describes it. */
export function isNoSecret(value: string): boolean {
  return (
    value.length < 3 ||
    PLACEHOLDER.test(value) ||
    EXPRESSION.test(value) ||
    NO_SECRETS.has(value.toLowerCase())
  );
}

/** Kinds of characters in a value: small letters, capitals, digits, others. */
export function kindsOf(value: string): number {
  return +/[a-z]/.test(value) + +/[A-Z]/.test(value) + +/\d/.test(value) + +/[^A-Za-z0-9]/.test(value);
}

/** True when nobody would write this for a word: several kinds of characters, a digit among letters, many digits. */
export function looksRandom(value: string): boolean {
  if (value.length < 6) return false;
  if (/^[\d.,:/-]+$/.test(value)) return false;
  const hasDigit = /\d/.test(value);
  if (hasDigit && /[A-Za-z]/.test(value)) return true;
  return (
    value.length >= 8 && /[^A-Za-z0-9]/.test(value.slice(0, -1)) && SYMBOL.test(value) && kindsOf(value) >= 3
  );
}

const SYMBOL = /[!#$%^&*@~?+=]/;
const PLACEHOLDER =
  /^(?:<.*|\$\{.*|\$\(.*|\$[A-Z_]+|\{.*|%[({A-Za-z].*|\[.*|[*•x·.\-_#]+|(?:your|my|the|some|insert|enter|replace|put|add|example|dummy|fake|change)[-_ ]?[a-z_ -]*(?:here|me|password|token|key|secret|value|this)?|PII[A-Z]+\d.*|\(.*)$/i;
/** Code that fetches the value from elsewhere: `os.environ["X"]`, `process.env.X`, `getpass()`, `config.db.password`. */
const EXPRESSION =
  /^(?:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\s*[([].*|[A-Za-z_]\w*(?:\.[A-Za-z_]+)+;?|&\w+;?|@\w+|:\w+)$/;
const NO_SECRETS: ReadonlySet<string> = new Set([
  ...[
    'true',
    'false',
    'null',
    'none',
    'nil',
    'undefined',
    'yes',
    'no',
    'string',
    'text',
    'varchar',
    'char',
    'str',
  ],
  ...[
    'required',
    'optional',
    'redacted',
    'hidden',
    'masked',
    'secret',
    'password',
    'passwd',
    'token',
    'empty',
  ],
  ...[
    'missing',
    'invalid',
    'expired',
    'unknown',
    'default',
    'example',
    'placeholder',
    'todo',
    'tbd',
    'n/a',
    'na',
  ],
  ...[
    'filtered',
    'removed',
    'sensitive',
    'encrypted',
    'hash',
    'bearer',
    'basic',
    'field',
    'value',
    'env',
    'bytes',
  ],
  ...[
    'object',
    'number',
    'integer',
    'boolean',
    'input',
    'prompt',
    'changed',
    'reset',
    'enabled',
    'disabled',
    'set',
  ],
  ...[
    'protected',
    'incorrect',
    'wrong',
    'valid',
    'rejected',
    'ok',
    'error',
    'unset',
    'auto',
    'off',
    'on',
    'self',
  ],
]);
