/** Where a value came in. `agent`: it sent the value itself (code, arguments, a file it wrote, text to sanitise). */
export type Origin = { readonly kind: 'agent' } | { readonly kind: 'tool'; readonly server: string };

/** A token that was found in a text. Never holds the value. */
export interface TokenUse {
  /** As the vault writes it. */
  readonly token: string;
  readonly type: string;
  readonly origins: readonly Origin[];
}

/** Why a token stayed: `unknown` (forged, foreign, erased), `expired`, or the refusal of the caller. */
export interface NotRestored {
  readonly token: string;
  readonly reason: 'unknown' | 'expired' | 'refused';
}

/** A valid token and where it stands. UTF-16 offsets; the span includes whatever stands between its characters. */
export interface FoundToken {
  readonly use: TokenUse;
  readonly start: number;
  readonly end: number;
}

/** Each token is listed once, however often it stands in the text. */
export interface RestoredText {
  readonly text: string;
  readonly restored: readonly TokenUse[];
  /** Of the unknown ones the first 1,000. */
  readonly notRestored: readonly NotRestored[];
}

/**
 * The values of one principal and their tokens. A token is letters and digits in upper case (`PIIEMAIL...`) with a keyed
 * tag, so that it is checked and not merely looked up. Holds the only copy of the values outside the sandbox.
 */
export interface Vault {
  /** The token of a value: the same for the same value and type. Other spellings of it get the same token but for one character. */
  tokenOf(type: string, value: string, origin: Origin): string;
  /** For a number in JSON: a number of 16 digits from a range nobody uses. `lexeme`: as it was written. */
  numberTokenOf(type: string, lexeme: string, origin: Origin): string;
  /** Remembers that the agent sent this value itself: it is no secret to it. */
  addSent(type: string, value: string): void;
  /** With a type other spellings of a value that was sent count too. */
  wasSent(value: string, type?: string): boolean;
  /**
   * One pass from left to right; a restored text is not looked at again. `may` decides for each valid token, once a call.
   * A number token is restored where its digits stand, also with `.0` behind or as `8.1...e15`.
   */
  restore(text: string, may: (use: TokenUse) => boolean): RestoredText;
  /** True when the text holds something that looks like a token of any vault: a cheap first look. */
  mayHoldToken(text: string): boolean;
  /**
   * The valid tokens of a text, in order; none overlap. A text that is tokenised so that restoring gives it back must have
   * those that stand in it already replaced by tokens of their own ({@link Vault.tokenOf} of the text between the offsets).
   */
  tokensIn(text: string): readonly FoundToken[];
  /** Called with every value that is added, for the search for known values; and at once with those already here. */
  onValue(listener: (type: string, value: string) => void): void;
  /** Called when the principal was erased, by this process or another, or the vault closes: what was learnt from `onValue` must go too. */
  onErased(listener: () => void): void;
  /** Numbers of values by type; never values. */
  counts(): Readonly<Record<string, number>>;
}

/** The vaults of all principals. */
export interface Vaults extends AsyncDisposable {
  of(principal: string): Promise<Vault>;
  /** Erases all values of a principal, in memory and on disk: its tokens mean nothing from then on. */
  forget(principal: string): Promise<void>;
  /** Resolves when every value so far is on disk; fails when one cannot be written. */
  flush(): Promise<void>;
}
