import type { CatalogEntry } from '../catalog/catalog.js';
import { CodeExecutionError } from '../core/errors.js';
import type { ToolCallSummary } from '../core/outcome.js';
import { skillCall } from '../core/skill-call.js';
import type { LargeText, ToolResult } from '../core/tool.js';
import type { Worker } from '../sandbox/sandbox.js';
import type { WorkerFrame } from '../wire/frames.js';
import type { WorkerMessage } from '../wire/messages.js';
import { hashOf, isRecord, parseBody } from './call-arguments.js';
import { failureReply } from './failure-reply.js';
import type { RunClock } from './run-clock.js';
import type { PrivateCall, RunPrivacy } from './run-privacy.js';
import type { FittingSkill, SkillAccess } from './skill-access.js';
import { Slots } from './slots.js';
import type { Approval, ApprovalQuestion, CallProgress, FoundTool, ToolAccess } from './tool-access.js';
import { encode, encodedResult } from './tool-result.js';

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
  /** Absent: privacy is off. */
  readonly privacy?: RunPrivacy;
  /** Its skills stand among the tools of a search. Absent: no skills are kept. */
  readonly skills?: Pick<SkillAccess, 'fitting'>;
  readonly worker: Worker;
  readonly principal: string;
  readonly runId: string;
  readonly budget: CallBudget;
  readonly clock: RunClock;
  readonly approve: ((question: ApprovalQuestion) => Promise<Approval>) | undefined;
  /** Told in one line how far a tool is. */
  readonly onProgress: (line: string) => void;
}

/** One request of the code, while it is served. */
interface Call {
  readonly id: number;
  /** `server.tool`, once it is known. */
  tool?: string;
  /** How long a person was waited for, in milliseconds: by this much the run's deadline has moved. */
  extendMs: number;
}

const MAX_ARGUMENT_TEXT = 1_500;
const MAX_QUERY = 2_000;
const MAX_WAITING = 1_000;
/** Of a failing tool's words, so many characters are handed on. */
const MAX_REASON = 4_000;
/** Of the notes of one call, so many are kept. */
const MAX_NOTES = 5;

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
  #expired = false;
  #closed = false;
  readonly #notes = new Set<string>();
  readonly #note: ReturnType<RunPrivacy['noting']> | undefined;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
    this.#note = options.privacy?.noting(options.principal);
    this.#slots = new Slots(options.budget.parallel, MAX_WAITING);
  }

  get summaries(): readonly ToolCallSummary[] {
    return this.#done;
  }

  /** One line each, for the report of the run. */
  get notes(): readonly string[] {
    return [...this.#notes];
  }

  handle(frame: WorkerFrame & { readonly message: CallMessage }): void {
    const { id } = frame.message;
    if (this.#closed || this.#pending.has(id)) return;
    if (this.#expired) {
      // The interpreter is about to be killed, and the call would be cut off in the middle.
      this.#fail({ id, extendMs: 0 }, timeIsUp());
      return;
    }
    const abort = new AbortController();
    this.#pending.set(id, abort);
    void this.#serve(frame.message, frame.payload, abort.signal).finally(() => this.#pending.delete(id));
  }

  /** The run's time is up: whoever waits for a tool is told so, once, and can unwind. No call begins any more. */
  expire(): void {
    this.#expired = true;
    const error = timeIsUp();
    for (const [id, abort] of this.#pending) {
      if (abort.signal.aborted) continue;
      this.#fail({ id, extendMs: 0 }, error);
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
    const call: Call = { id: message.id, extendMs: 0 };
    try {
      const body = parseBody(payload);
      const json =
        message.op === 'tool'
          ? await this.#callTool(message.name, body, signal, call)
          : encode({ value: await this.#ask(message, body) });
      if (!signal.aborted) this.#reply(call, json);
    } catch (error) {
      if (!signal.aborted) this.#fail(call, error);
    }
  }

  async #ask(message: CallMessage, body: Record<string, unknown>): Promise<unknown> {
    const { access } = this.#options;
    if (message.op === 'search') {
      const { query, category, limit } = body;
      if (typeof query !== 'string') throw new CodeExecutionError('bad_arguments', 'the query is no text');
      const count = typeof limit === 'number' && limit >= 1 ? Math.min(50, Math.floor(limit)) : 5;
      return this.#search(
        query.slice(0, MAX_QUERY),
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

  /** Tools, and the skills that fit as well; a skill is no part of any category. */
  async #search(query: string, category: string | undefined, count: number): Promise<readonly FoundTool[]> {
    const { access, skills, principal } = this.#options;
    const tools = await access.search(query, category, count);
    if (!skills || category !== undefined) return tools;
    const rivals = tools.map(({ name, ...tool }) => ({ id: name, ...tool }));
    const fitting = await skills.fitting(principal, query, rivals);
    const found = (named: boolean) => fitting.filter((one) => one.named === named).map(foundSkill);
    return [...found(true), ...tools, ...found(false)];
  }

  async #callTool(
    name: string,
    body: Record<string, unknown>,
    signal: AbortSignal,
    call: Call,
  ): Promise<Uint8Array> {
    const { access, budget, principal, runId: run } = this.#options;
    if (++this.#calls > budget.calls) {
      throw new CodeExecutionError(
        'call_budget',
        `the run has made ${budget.calls} tool calls, all that it may`,
        'keep what you have in a file or a session and go on in another run',
      );
    }
    const entry = await access.resolve(name);
    if (!entry) throw await this.#unknown(name);
    call.tool = entry.id;
    const positional = Array.isArray(body.positional) ? body.positional : [];
    const args = access.bind(entry, positional, isRecord(body.keyword) ? body.keyword : {});
    const argumentHash = hashOf(args);
    const release = await this.#slots.take(signal);
    const began = performance.now();
    let outcome = 'ok';
    let chars = 0;
    try {
      await this.#allow(entry, args, call);
      signal.throwIfAborted();
      const result = await this.#privately(entry, args, (restored) =>
        access.call(entry, restored, {
          signal,
          maxResultBytes: budget.resultBytes,
          onProgress: (step) => this.#options.onProgress(progressLine(entry.id, step)),
        }),
      );
      if (result.isError) throw toolFailed(entry.id, result);
      const { json, value } = encodedResult(result);
      if (value !== undefined) access.learn(entry, value);
      chars = json.length;
      this.#charge(json.length, entry.id);
      this.#note?.(this.#privateCall(entry), json);
      return json;
    } catch (error) {
      outcome = error instanceof CodeExecutionError ? error.code : 'internal';
      throw error;
    } finally {
      release();
      const ms = Math.round(performance.now() - began);
      this.#done.push({ tool: entry.id, ms, ok: outcome === 'ok', chars });
      access.record({ run, principal, tool: entry.id, argumentHash, ms, chars, outcome });
    }
  }

  /** A call with its tokens restored, and what comes back as code may see it: result, failure and error alike. */
  async #privately(
    entry: CatalogEntry,
    args: Record<string, unknown>,
    call: (args: Record<string, unknown>) => Promise<ToolResult>,
  ): Promise<ToolResult> {
    const { privacy } = this.#options;
    if (!privacy) return call(args);
    const context = this.#privateCall(entry);
    const restored = await privacy.restoreArguments(context, args);
    for (const note of restored.notes.slice(0, MAX_NOTES)) this.#notes.add(note);
    try {
      return await privacy.receive(context, await call(restored.args));
    } catch (error) {
      if (!(error instanceof CodeExecutionError)) throw error;
      const words = await privacy.receiveText(context, error.message);
      throw new CodeExecutionError(error.code, words, error.hint, { cause: error });
    }
  }

  #privateCall({ source, definition, remoteName }: CatalogEntry): PrivateCall {
    const { principal, runId: run } = this.#options;
    const reachesOut = definition.annotations?.openWorldHint === true;
    return { principal, run, server: source.server, tool: remoteName, reachesOut };
  }

  /** Lets the call through or throws. */
  async #allow(entry: CatalogEntry, args: Record<string, unknown>, call: Call): Promise<void> {
    const { access, approve, clock } = this.#options;
    const { verdict, reason, howToAllow } = access.decide(entry);
    if (verdict === 'allow') return;
    if (verdict === 'deny')
      throw new CodeExecutionError('tool_denied', `${entry.id} is not allowed: ${reason}`, howToAllow);
    const resume = clock.pause();
    let answer: Approval = 'unavailable';
    try {
      const argumentsText = JSON.stringify(args).slice(0, MAX_ARGUMENT_TEXT);
      if (approve) answer = await approve({ tool: entry.id, argumentsText, reason });
    } finally {
      call.extendMs = resume();
    }
    if (answer === 'approved') return;
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

  #reply({ id, extendMs }: Call, json: Uint8Array): void {
    this.#options.worker.send({
      message: { type: 'reply', id, ok: true, ...(extendMs > 0 ? { extendMs } : {}) },
      payload: json,
    });
  }

  #fail({ id, ...details }: Call, error: unknown): void {
    this.#options.worker.send(failureReply(id, error, 'the server failed to make this call', details));
  }
}

function foundSkill({ skill }: FittingSkill): FoundTool {
  const { name, signature, description } = skill;
  return { name: `skills.${name}`, signature: `skill ${skillCall(name, signature)}`, description };
}

function toolFailed(tool: string, result: ToolResult): CodeExecutionError {
  const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''));
  // Of a failure with more than a megabyte of words, the beginning of its JSON has to do.
  const words = (result.large ? beginning(result.large) : texts.join('\n')).trim();
  return new CodeExecutionError(
    'tool_failed',
    `${tool} failed: ${words.slice(0, MAX_REASON) || 'it gave no reason'}`,
  );
}

function beginning({ parts }: LargeText): string {
  const starts = parts.map((part) => part.subarray(0, MAX_REASON));
  return Buffer.concat(starts).toString('utf8', 0, MAX_REASON);
}

/** `office.export: page 3 (3 of 10)`: a text, for the numbers are the tool's own and not those of the run. */
function progressLine(tool: string, { done, total, message }: CallProgress): string {
  const steps = total === undefined ? `${done}` : `${done} of ${total}`;
  return message === undefined ? `${tool}: ${steps}` : `${tool}: ${message} (${steps})`;
}

function timeIsUp(): CodeExecutionError {
  return new CodeExecutionError('timeout', 'the time of the run is up');
}
