import { CodeExecutionError } from '../core/errors.js';
import {
  NO_SERVER_PRIVACY,
  PII_TYPES,
  type PiiType,
  type PrivacyMode,
  type ServerPrivacy,
} from '../core/pii.js';
import type { ToolResult } from '../core/tool.js';
import type { Detector } from './detect/detector.js';
import type { RunNotes } from './egress/run-notes.js';
import { type Destination, mayRestore } from './restore-policy.js';
import type { Replacing } from './rewrite/replacing.js';
import { type RestoredValue, restoreValue } from './rewrite/restore-value.js';
import { tokeniseResult } from './rewrite/tokenise-result.js';
import { tokeniseText } from './rewrite/tokenise-text.js';
import type { Origin, Vault, Vaults } from './vault/vault.js';

/** A restore that was made or refused, for the audit log; never a value. */
export interface RestoreRecord {
  readonly principal: string;
  /** Absent when the model asked for it. */
  readonly run?: string;
  readonly token: string;
  readonly type: string;
  /** `server.tool` and the path of the argument, or `restore_pii`. */
  readonly to: string;
  readonly argument?: string;
  readonly outcome: 'restored' | 'refused' | 'expired' | 'unknown';
}

export interface CallPrivacyParts {
  readonly mode: Exclude<PrivacyMode, 'off'>;
  readonly types: ReadonlySet<PiiType>;
  /** Kinds hidden from code for a server that names its own. */
  readonly typesOf: (server: string) => ReadonlySet<PiiType> | undefined;
  readonly rulesOf: (server: string) => ServerPrivacy | undefined;
  readonly detector: Detector;
  readonly vaults: Vaults;
  readonly beginRun: (principal: string) => RunNotes;
  /** What the operator lets through. */
  readonly isAllowed: (type: string, value: string) => boolean;
  readonly record: (line: RestoreRecord) => void;
}

/** A call on its way: structurally what the session gives. */
export interface Call extends Destination {
  readonly principal: string;
  readonly run: string;
}

/** Privacy between code and tools. */
export class CallPrivacy {
  readonly #parts: CallPrivacyParts;

  constructor(parts: CallPrivacyParts) {
    this.#parts = parts;
  }

  async restoreArguments(
    call: Call,
    args: Record<string, unknown>,
  ): Promise<{ args: Record<string, unknown>; notes: readonly string[] }> {
    const vault = await this.#parts.vaults.of(call.principal);
    const rules = this.#parts.rulesOf(call.server) ?? NO_SERVER_PRIVACY;
    const done = restoreValue(args, vault, (use, path) => mayRestore(rules, call, path, use));
    this.#record(call, done);
    const refused = done.notRestored.find(({ reason }) => reason !== 'unknown');
    if (refused) throw denied(call, refused);
    // Arguments are an object, and restoring changes strings and numbers only.
    const restored = done.value as Record<string, unknown>;
    return {
      args: restored,
      notes: done.notRestored.map(({ token, path }) => unknownToken(call, token, path)),
    };
  }

  async receive(call: Call, result: ToolResult): Promise<ToolResult> {
    const using = await this.#strict(call);
    return using === undefined ? result : tokeniseResult(result, using);
  }

  async receiveText(call: Call, text: string): Promise<string> {
    const using = await this.#strict(call);
    return using === undefined ? text : tokeniseText(text, using);
  }

  /** What strict mode lets in holds tokens only, which need no noting. */
  noting(principal: string): (call: Call, json: Uint8Array) => void {
    const notes = this.#parts.beginRun(principal);
    return (call, json) => {
      if (this.#modeOf(call.server) === 'egress') notes.add(call.server, json);
    };
  }

  async tokenise(principal: string, text: string): Promise<string> {
    const vault = await this.#parts.vaults.of(principal);
    // Also what the agent sent: it asks for tokens, and gets them.
    return tokeniseText(text, this.#replacing(vault, ALL_TYPES, FROM_CODE, this.#parts.isAllowed));
  }

  #modeOf(server: string): 'egress' | 'strict' {
    return this.#parts.rulesOf(server)?.mode ?? this.#parts.mode;
  }

  async #strict(call: Call): Promise<Replacing | undefined> {
    if (this.#modeOf(call.server) === 'egress') return undefined;
    const vault = await this.#parts.vaults.of(call.principal);
    const types = this.#parts.typesOf(call.server) ?? this.#parts.types;
    const { isAllowed } = this.#parts;
    const isSpared = (type: string, value: string) => isAllowed(type, value) || vault.wasSent(value, type);
    return this.#replacing(vault, types, { kind: 'tool', server: call.server }, isSpared);
  }

  #replacing(
    vault: Vault,
    types: ReadonlySet<PiiType>,
    origin: Origin,
    isSpared: (type: string, value: string) => boolean,
  ): Replacing {
    return { detection: this.#parts.detector.begin(types), vault, origin, isSpared, counts: new Map() };
  }

  #record({ principal, run, server, tool }: Call, { restored, notRestored }: RestoredValue): void {
    const to = `${server}.${tool}`;
    for (const { token, type, path } of restored)
      this.#parts.record({ principal, run, token, type, to, argument: path, outcome: 'restored' });
    for (const { token, reason, path } of notRestored)
      this.#parts.record({ principal, run, token, type: '', to, argument: path, outcome: reason });
  }
}

const ALL_TYPES: ReadonlySet<PiiType> = new Set(PII_TYPES);
/** What code hands in came from some tool or file, not from the agent. */
const FROM_CODE: Origin = { kind: 'tool', server: 'code' };

function denied(
  { server, tool }: Call,
  { token, path, reason }: RestoredValue['notRestored'][number],
): CodeExecutionError {
  if (reason === 'expired') {
    return new CodeExecutionError(
      'restore_denied',
      `${server}.${tool}: the value of ${token} in "${path}" was erased after its time`,
      'get the value anew from the tool that it came from, and use its new token',
    );
  }
  return new CodeExecutionError(
    'restore_denied',
    `${server}.${tool}: the value of ${token} in "${path}" may not go to this tool, which reaches an open world`,
    `the operator allows it with mcpServers.${server}.privacy.restore.allow: ["${tool}.${path.replaceAll(/\[\d+\]/g, '')}"]; tell the user`,
  );
}

function unknownToken({ server, tool }: Call, token: string, path: string): string {
  return `${server}.${tool} got ${token} in "${path}" as it is: it is no token of this server`;
}
