import type { PrivacyMode } from '../core/pii.js';

/** A place in a text whose value the model must not see, and what it sees instead. UTF-16 offsets. */
export interface Hidden {
  readonly start: number;
  readonly end: number;
  readonly token: string;
}

export interface SanitisedText {
  readonly text: string;
  /** Number of values by type. */
  readonly types: Readonly<Record<string, number>>;
}

export interface RestoredForModel {
  readonly text: string;
  readonly restored: number;
  readonly notRestored: readonly { readonly token: string; readonly reason: string }[];
}

/** What the person behind the client is asked before values are shown to the model. */
export interface RestoreQuestion {
  /** Number of values by type. */
  readonly types: Readonly<Record<string, number>>;
  /** Names of the servers that they came from. */
  readonly servers: readonly string[];
}

/** Counts since the start; never values. */
export interface PrivacyCounts {
  readonly mode: PrivacyMode;
  /** Values that have a token, by type. */
  readonly tokens: Readonly<Record<string, number>>;
  /** Tokens that became values again: for a tool or for the model. */
  readonly restored: number;
  readonly refused: number;
}

/** Privacy as the server tools see it. All of it is about one principal, whose values no other one has. */
export interface Privacy {
  /** Everything for the model passes here: values become tokens. Facts in which nothing is found are returned as they are. */
  filter<T>(principal: string, facts: T): Promise<T>;
  /** What the agent itself sends is no secret to it: its values stay as they are in later answers. */
  noteSent(principal: string, args: unknown): Promise<void>;
  /** Where a part of a file holds values, looked at with the text around it. */
  hiddenIn(principal: string, text: string): Promise<readonly Hidden[]>;
  sanitise(principal: string, text: string): Promise<SanitisedText>;
  /**
   * Values in place of tokens, as far as the model may see them.
   *
   * @param ask the person, if the configuration wants that and the client can.
   */
  restore(
    principal: string,
    text: string,
    ask?: (question: RestoreQuestion) => Promise<boolean>,
  ): Promise<RestoredForModel>;
  /** Secrets and personal data of a text, by kind and line, for a refusal that names the place and never the value. */
  findPersonal(text: string): Promise<readonly { readonly type: string; readonly line: number }[]>;
  counts(principal: string): Promise<PrivacyCounts>;
}
