import { createHash } from 'node:crypto';
import type { CatalogEntry } from '../catalog/catalog.js';
import { CodeExecutionError, ERROR_CODES, type ErrorCode } from '../core/errors.js';
import type { ToolCallSummary } from '../core/outcome.js';
import type { ToolContent, ToolResult } from '../core/tool.js';
import type { Worker } from '../sandbox/sandbox.js';
import type { WorkerFrame } from '../wire/frames.js';
import type { WorkerMessage } from '../wire/messages.js';
import type { RunClock } from './run-clock.js';
import { Slots } from './slots.js';
import type { Approval, ApprovalQuestion, ToolAccess } from './tool-access.js';

type CallMessage = Extract<WorkerMessage, { type: 'call' }>;

/** Budgets of one run. */
export interface CallBudget {
  readonly calls: number;
  readonly parallel: number;
  /** Bytes of one encoded result. */
  readonly resultBytes: number;
  /** Bytes of all encoded results together. */
  readonly totalBytes: number;
}

export interface ToolCallsOptions {
  readonly access: ToolAccess;
  readonly worker: Worker;
  readonly principal: string;
  readonly runId: string;
  readonly budget: CallBudget;
  readonly clock: RunClock;
  readonly approve: ((question: ApprovalQuestion) => Promise<Approval>) | undefined;
}

const MAX_ARGUMENT_TEXT = 1_500;
const MAX_WAITING = 1_000;

/**
 * The only gate through which code reaches a tool: resolve, policy, call, unwrap, record. Who calls is known from the
 * channel, never from the frame; everything in the frame is the code's own claim.
 */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  readonly #slots: Slots;
  readonly #pending = new Map<number, AbortController>();
  readonly #done: ToolCallSummary[] = [];
  #calls = 0;
  #bytes = 0;
  #closed = false;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
    this.#slots = new Slots(options.budget.parallel, MAX_WAITING);
  }

  get summaries(): readonly ToolCallSummary[] {
    return this.#done;
  }

  handle(frame: WorkerFrame & { readonly message: CallMessage }): void {
    const { id } = frame.message;
    if (this.#closed || this.#pending.has(id)) return;
    const abort = new AbortController();
    this.#pending.set(id, abort);
    void this.#serve(frame.message, frame.payload, abort.signal).finally(() => this.#pending.delete(id));
  }

  /** The run's time is up: whoever waits for a tool is told so, and can unwind. */
  expire(): void {
    const error = new CodeExecutionError('timeout', 'the time of the run is up');
    for (const [id, abort] of this.#pending) {
      this.#fail(id, undefined, error);
      abort.abort(error);
    }
  }

  /** The run is over: calls still on their way are cancelled, and later ones are not heard. */
  close(): void {
    this.#closed = true;
    for (const abort of this.#pending.values())
      abort.abort(new CodeExecutionError('cancelled', 'the run is over'));
  }

  async #serve(message: CallMessage, payload: Uint8Array, signal: AbortSignal): Promise<void> {
    let tool: string | undefined;
    try {
      const body = parseBody(payload);
      if (message.op === 'tool') {
        const answer = await this.#callTool(message.name, body, signal, (name) => {
          tool = name;
        });
        if (!signal.aborted) this.#reply(message.id, answer.json, answer.pausedMs);
      } else {
        const value = await this.#ask(message, body);
        if (!signal.aborted) this.#reply(message.id, encode({ value }), 0);
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(message.id, tool, error);
    }
  }

  async #ask(message: CallMessage, body: Record<string, unknown>): Promise<unknown> {
    const { access } = this.#options;
    if (message.op === 'search') {
      const { query, category, limit } = body;
      const count = typeof limit === 'number' && limit >= 1 ? Math.min(50, Math.floor(limit)) : 5;
      return access.search(
        String(query ?? '').slice(0, 2_000),
        typeof category === 'string' ? category : undefined,
        count,
      );
    }
    if (message.op === 'describe') {
      const text = await access.describe(message.name);
      if (text === undefined) throw await this.#unknown(message.name);
      return text;
    }
    const names = await access.names(message.name);
    if (names === undefined) throw await this.#unknown(message.name);
    return names;
  }

  async #callTool(
    name: string,
    body: Record<string, unknown>,
    signal: AbortSignal,
    named: (tool: string) => void,
  ): Promise<{ json: Uint8Array; pausedMs: number }> {
    const { access, budget } = this.#options;
    if (++this.#calls > budget.calls) {
      throw new CodeExecutionError(
        'call_budget',
        `the run has made ${budget.calls} tool calls, all that it may`,
        'keep what you have in a file or a session and go on in another run',
      );
    }
    const entry = await access.resolve(name);
    if (!entry) throw await this.#unknown(name);
    named(entry.id);
    const positional = Array.isArray(body.positional) ? body.positional : [];
    const args = access.bind(entry, positional, isRecord(body.keyword) ? body.keyword : {});
    const release = await this.#slots.take(signal);
    const began = performance.now();
    let outcome = 'ok';
    let chars = 0;
    try {
      const pausedMs = await this.#allow(entry, args);
      const result = await access.call(entry, args, signal);
      if (result.isError) throw toolFailed(entry.id, result);
      const value = resultOf(result);
      if ('value' in value) access.learn(entry, value.value);
      const json = encode(value);
      chars = json.length;
      this.#charge(json.length, entry.id);
      return { json, pausedMs };
    } catch (error) {
      outcome = error instanceof CodeExecutionError ? error.code : 'internal';
      throw error;
    } finally {
      release();
      const ms = Math.round(performance.now() - began);
      this.#done.push({ tool: entry.id, ms, ok: outcome === 'ok', chars });
      const { runId: run, principal } = this.#options;
      access.record({ run, principal, tool: entry.id, argumentHash: hashOf(args), ms, chars, outcome });
    }
  }

  /** Lets the call through or throws. Returns how long a person was waited for, in milliseconds. */
  async #allow(entry: CatalogEntry, args: Record<string, unknown>): Promise<number> {
    const { access, approve, clock } = this.#options;
    const { verdict, reason, howToAllow } = access.decide(entry);
    if (verdict === 'allow') return 0;
    if (verdict === 'deny')
      throw new CodeExecutionError('tool_denied', `${entry.id} is not allowed: ${reason}`, howToAllow);
    const resume = clock.pause();
    let answer: Approval = 'unavailable';
    let pausedMs = 0;
    try {
      const argumentsText = JSON.stringify(args).slice(0, MAX_ARGUMENT_TEXT);
      if (approve) answer = await approve({ tool: entry.id, argumentsText, reason });
    } finally {
      pausedMs = resume();
    }
    if (answer === 'approved') return pausedMs;
    if (answer === 'declined') {
      throw new CodeExecutionError(
        'tool_denied',
        `the user declined this call of ${entry.id}`,
        'do not try it again; ask the user what to do instead',
      );
    }
    throw new CodeExecutionError(
      'tool_needs_approval',
      `${entry.id} needs the approval of the user, and this client cannot ask: ${reason}`,
      howToAllow,
    );
  }

  #charge(bytes: number, tool: string): void {
    const { resultBytes, totalBytes } = this.#options.budget;
    if (bytes > resultBytes) {
      throw new CodeExecutionError(
        'too_large',
        `${tool} returned ${bytes} bytes; a result may have ${resultBytes}`,
        'ask for less: a filter, a page, fewer fields',
      );
    }
    this.#bytes += bytes;
    if (this.#bytes > totalBytes) {
      throw new CodeExecutionError(
        'call_budget',
        `the tools of this run have returned more than ${totalBytes} bytes`,
        'go on in another run',
      );
    }
  }

  async #unknown(name: string): Promise<CodeExecutionError> {
    const near = await this.#options.access.nearest(name);
    const hint =
      near.length > 0 ? `did you mean ${near.join(', ')}?` : 'look with tools.search("what it should do")';
    return new CodeExecutionError(
      'tool_unknown',
      `there is no tool ${JSON.stringify(name.slice(0, 100))}`,
      hint,
    );
  }

  #reply(id: number, json: Uint8Array, extendMs: number): void {
    this.#options.worker.send({
      message: { type: 'reply', id, ok: true, ...(extendMs > 0 ? { extendMs } : {}) },
      payload: json,
    });
  }

  #fail(id: number, tool: string | undefined, error: unknown): void {
    const known = error instanceof CodeExecutionError && ERROR_CODES[error.code].forModel ? error : undefined;
    const code: ErrorCode = known?.code ?? 'internal';
    const message = known?.message ?? 'the server failed to make this call';
    this.#options.worker.send({
      message: {
        type: 'reply',
        id,
        ok: false,
        code,
        message,
        retryable: code === 'tool_unavailable' || code === 'busy',
        ...(known?.hint === undefined ? {} : { hint: known.hint }),
        ...(tool === undefined ? {} : { tool }),
      },
      payload: NO_BYTES,
    });
  }
}

const NO_BYTES = new Uint8Array(0);

/** structuredContent if there is any; else the text, parsed when it is JSON; media and mixtures as parts. */
function resultOf(result: ToolResult): { value: unknown } | { parts: readonly ToolContent[] } {
  if (
    result.structured !== undefined &&
    !result.content.some((part) => part.type === 'image' || part.type === 'audio')
  ) {
    return { value: result.structured };
  }
  const texts = result.content.filter((part) => part.type === 'text');
  if (texts.length !== result.content.length) return { parts: result.content };
  if (texts.length === 0) return { value: null };
  if (texts.length > 1) return { parts: texts };
  return { value: parsedText(texts[0]?.text ?? '') };
}

/** Only objects and arrays: a text "12" or "true" is more often a text than a number. */
function parsedText(text: string): unknown {
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toolFailed(tool: string, result: ToolResult): CodeExecutionError {
  const words = result.content
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n')
    .trim();
  return new CodeExecutionError(
    'tool_failed',
    `${tool} failed: ${words.slice(0, 4_000) || 'it gave no reason'}`,
  );
}

function parseBody(payload: Uint8Array): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    throw new CodeExecutionError('bad_arguments', 'the arguments are no JSON');
  }
  if (!isRecord(body)) throw new CodeExecutionError('bad_arguments', 'the arguments are no object');
  return body;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function hashOf(args: Record<string, unknown>): string {
  const sorted = Object.fromEntries(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 16);
}
