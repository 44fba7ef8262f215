/** Kinds of personal data and secrets, by the names that configuration, tokens and statistics use. */
export const PII_TYPES = [
  'EMAIL',
  'PHONE',
  'PERSON',
  'ADDRESS',
  'SSN',
  'NATIONAL_ID',
  'CREDIT_CARD',
  'IBAN',
  'BANK_ACCOUNT',
  'IP',
  'MAC',
  'URL_CREDENTIALS',
  'DATE_OF_BIRTH',
  'PASSPORT',
  'DRIVER_LICENSE',
  'MEDICAL_ID',
  'SECRET',
  'CRYPTO_WALLET',
  'USERNAME',
] as const;

export type PiiType = (typeof PII_TYPES)[number];

/**
 * When values become tokens. `egress`: on the way to the model. `strict`: already on the way into the sandbox. `off`: never.
 */
export const PRIVACY_MODES = ['egress', 'strict', 'off'] as const;
export type PrivacyMode = (typeof PRIVACY_MODES)[number];

/**
 * Whether a token of a value that came from a tool may be shown to the model again. `own`: no, only what the agent sent
 * itself. `ask`: the person decides. `allow`: yes. `never`: not even what the agent sent.
 */
export const RESTORE_RULES = ['own', 'ask', 'allow', 'never'] as const;
export type RestoreRule = (typeof RESTORE_RULES)[number];

/** Which kinds are looked for: a preset, a kind, or a kind that is left out (`-PHONE`); later ones win. */
export type DetectWord = 'standard' | 'full' | PiiType | `-${PiiType}`;

/** The kinds that a list of words means. */
export function detectedTypes(words: readonly DetectWord[]): ReadonlySet<PiiType> {
  const types = new Set<PiiType>();
  for (const word of words) {
    if (word === 'standard') for (const type of STANDARD_PII) types.add(type);
    else if (word === 'full') for (const type of PII_TYPES) types.add(type);
    else if (word.startsWith('-')) types.delete(word.slice(1) as PiiType);
    else types.add(word as PiiType);
  }
  return types;
}

/** A kind of value that the operator adds. */
export interface OwnPattern {
  /** Capital letters and `_`: what its tokens are named after. */
  readonly type: string;
  /** In the syntax of RE2, which never backtracks. */
  readonly pattern: string;
}

/** What the operator says about the personal data of one server. */
export interface ServerPrivacy {
  /** Absent: as for all. */
  readonly mode?: Exclude<PrivacyMode, 'off'>;
  /** In strict mode: the kinds hidden from code. Absent: as for all. */
  readonly detect?: readonly DetectWord[];
  /** Globs over `tool` and `tool.argument.path`: where tokens are turned back into values. */
  readonly restore: { readonly allow: readonly string[]; readonly deny: readonly string[] };
}

export const NO_SERVER_PRIVACY: ServerPrivacy = { restore: { allow: [], deny: [] } };

/** What prose never needs: hidden from the model unless the configuration says otherwise. */
export const STANDARD_PII: readonly PiiType[] = [
  'SECRET',
  'URL_CREDENTIALS',
  'CREDIT_CARD',
  'BANK_ACCOUNT',
  'IBAN',
  'SSN',
  'NATIONAL_ID',
  'PASSPORT',
  'DRIVER_LICENSE',
  'MEDICAL_ID',
  'EMAIL',
  'PHONE',
];
