import { PII_TYPES, type PiiType, type PrivacyMode, type RestoreRule } from '../core/pii.js';
import type { RestoreRecord } from './call-privacy.js';
import type { Detector } from './detect/detector.js';
import type { EgressFilter } from './egress/egress-filter.js';
import type {
  Hidden,
  Privacy,
  PrivacyCounts,
  RestoredForModel,
  RestoreQuestion,
  SanitisedText,
} from './privacy.js';
import { tokeniseText } from './rewrite/tokenise-text.js';
import { sentText } from './sent-text.js';
import type { TokenUse, Vault, Vaults } from './vault/vault.js';

export interface PrivacyGuardParts {
  readonly mode: Exclude<PrivacyMode, 'off'>;
  readonly restore: RestoreRule;
  /** What a text that is to be kept must not hold. */
  readonly types: ReadonlySet<PiiType>;
  readonly detector: Detector;
  readonly vaults: Vaults;
  readonly egress: Pick<EgressFilter, 'filter' | 'hiddenIn'>;
  readonly isAllowed: (type: string, value: string) => boolean;
  readonly record: (line: RestoreRecord) => void;
  readonly counters: RestoreCounters;
}

/** Restores of this process, for all principals. */
export interface RestoreCounters {
  readonly restored: number;
  readonly refused: number;
}

/** Privacy between the server tools and the model. */
export class PrivacyGuard implements Privacy {
  readonly #parts: PrivacyGuardParts;

  constructor(parts: PrivacyGuardParts) {
    this.#parts = parts;
  }

  filter<T>(principal: string, facts: T): Promise<T> {
    return this.#parts.egress.filter(facts, principal);
  }

  async noteSent(principal: string, args: unknown): Promise<void> {
    const vault = await this.#parts.vaults.of(principal);
    const detection = this.#parts.detector.begin(ALL_TYPES);
    for (const text of sentText(args))
      for (const { start, end, type } of detection.inText(text)) vault.addSent(type, text.slice(start, end));
  }

  async hiddenIn(principal: string, text: string): Promise<readonly Hidden[]> {
    const edits = await this.#parts.egress.hiddenIn(text, principal);
    return edits.map(({ start, end, text: token }) => ({ start, end, token }));
  }

  async sanitise(principal: string, text: string): Promise<SanitisedText> {
    const { detector, isAllowed, vaults } = this.#parts;
    const counts = new Map<string, number>();
    const sanitised = tokeniseText(text, {
      detection: detector.begin(ALL_TYPES),
      vault: await vaults.of(principal),
      origin: { kind: 'agent' },
      isSpared: isAllowed,
      counts,
    });
    return { text: sanitised, types: Object.fromEntries(counts) };
  }

  async restore(
    principal: string,
    text: string,
    ask?: (question: RestoreQuestion) => Promise<boolean>,
  ): Promise<RestoredForModel> {
    const vault = await this.#parts.vaults.of(principal);
    const { restore: rule } = this.#parts;
    const isOwn = (use: TokenUse) => use.origins.some(({ kind }) => kind === 'agent');
    const others: TokenUse[] = [];
    // A first pass that restores nothing tells what is asked for.
    vault.restore(text, (use) => {
      if (!isOwn(use)) others.push(use);
      return false;
    });
    const showsOthers =
      rule === 'allow' || (rule === 'ask' && others.length > 0 && (await ask?.(questionOf(others))) === true);
    const done = vault.restore(text, (use) => rule !== 'never' && (isOwn(use) || showsOthers));
    for (const { token, type } of done.restored) {
      // What the model may see once is no secret to it any more, or the filter would hide it again.
      vault.addSent(type, vault.restore(token, () => true).text);
      this.#record(principal, token, type, 'restored');
    }
    const reasons = reasonsOf(others, rule, ask !== undefined);
    for (const { token, reason } of done.notRestored) this.#record(principal, token, '', reason);
    return {
      text: done.text,
      restored: done.restored.length,
      notRestored: done.notRestored.map(({ token, reason }) => ({
        token,
        reason: reason === 'refused' ? (reasons.get(token) ?? NEVER) : WHY[reason],
      })),
    };
  }

  async findPersonal(text: string): Promise<readonly { readonly type: string; readonly line: number }[]> {
    const found = this.#parts.detector.begin(this.#parts.types).inText(text);
    const places: { type: string; line: number }[] = [];
    let line = 1;
    let counted = 0;
    for (const { start, end, type } of found) {
      // Findings are in order: each line end is counted once, however many values a text is stuffed with.
      for (let at = text.indexOf('\n', counted); at >= 0 && at < start; at = text.indexOf('\n', counted)) {
        line++;
        counted = at + 1;
      }
      if (!this.#parts.isAllowed(type, text.slice(start, end))) places.push({ type, line });
    }
    return places;
  }

  async counts(principal: string): Promise<PrivacyCounts> {
    const { mode, vaults, counters } = this.#parts;
    const vault: Vault = await vaults.of(principal);
    return { mode, tokens: vault.counts(), restored: counters.restored, refused: counters.refused };
  }

  #record(principal: string, token: string, type: string, outcome: RestoreRecord['outcome']): void {
    this.#parts.record({ principal, token, type, to: 'restore_pii', outcome });
  }
}

const ALL_TYPES: ReadonlySet<PiiType> = new Set(PII_TYPES);
const NEVER = 'the configuration lets the model see no values (privacy.restore "never")';
const WHY = {
  unknown: 'no token of this server and caller, or its value was erased',
  expired: 'its value was erased after its time; get it anew from the tool that it came from',
} as const;

function questionOf(uses: readonly TokenUse[]): RestoreQuestion {
  const types: Record<string, number> = {};
  for (const { type } of uses) types[type] = (types[type] ?? 0) + 1;
  return { types, servers: [...new Set(uses.flatMap(serversOf))] };
}

function reasonsOf(others: readonly TokenUse[], rule: RestoreRule, canAsk: boolean): Map<string, string> {
  if (rule === 'never') return new Map();
  return new Map(
    others.map((use) => {
      const servers = serversOf(use).join(', ');
      const from = servers === '' ? 'it came in by a run' : `it came from ${servers}`;
      const why =
        rule === 'own'
          ? 'and the configuration shows the model only what it sent itself (privacy.restore "own")'
          : canAsk
            ? 'and the user declined'
            : 'and the user would have to agree, but this client cannot ask';
      return [use.token, `${from}, ${why}`];
    }),
  );
}

/** Names of downstream servers; what runs and code brought in has none. */
function serversOf({ origins }: TokenUse): string[] {
  return origins.flatMap((origin) =>
    origin.kind === 'tool' && origin.server !== 'run' && origin.server !== 'code' ? [origin.server] : [],
  );
}
