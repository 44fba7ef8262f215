import { CodeExecutionError } from '../core/errors.js';
import type { Worker } from '../sandbox/sandbox.js';
import type { Skill, SkillSource, SkillSummary } from '../skills/skills.js';
import type { WorkerFrame } from '../wire/frames.js';
import type { WorkerMessage } from '../wire/messages.js';
import { parseBody } from './call-arguments.js';
import { failureReply } from './failure-reply.js';
import type { SkillAccess } from './skill-access.js';
import { encode } from './tool-result.js';

type CallMessage = Extract<WorkerMessage, { type: 'call' }>;

export interface SkillCallsOptions {
  readonly access: SkillAccess;
  readonly worker: Worker;
  readonly principal: string;
  readonly runId: string;
}

/** Requests of one run, those that save, and bytes of all answers: a loop without end comes to one, ordinary code to none. */
const MAX_REQUESTS = 1_000;
const MAX_SAVES = 20;
const MAX_BYTES = 32 * 1024 * 1024;
/** At the same time: a worker waits for each answer. */
const MAX_PENDING = 4;
const MAX_LISTED = 1_000;
const MAX_NAMES = 5_000;
const MAX_QUERY = 2_000;
const MAX_TAGS = 100;

/** True for what {@link SkillCalls} answers. */
export function isSkillCall({ op }: CallMessage): boolean {
  return op === 'skill' || op === 'skills' || op === 'save_skill';
}

/**
 * How code reaches its principal's skills. Whose they are is known from the channel, never from the frame; everything in
 * the frame is the code's own claim.
 */
export class SkillCalls {
  readonly #options: SkillCallsOptions;
  readonly #pending = new Set<number>();
  readonly #used = new Set<string>();
  readonly #notes: string[] = [];
  readonly #abort = new AbortController();
  #requests = 0;
  #saves = 0;
  #bytes = 0;
  #expired = false;
  #closed = false;

  constructor(options: SkillCallsOptions) {
    this.#options = options;
  }

  /** What was saved, one line each, for the report of the run. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  handle(frame: WorkerFrame & { readonly message: CallMessage }): void {
    const { id } = frame.message;
    if (this.#closed || this.#pending.has(id)) return;
    if (this.#expired) this.#fail(id, timeIsUp());
    else if (this.#pending.size >= MAX_PENDING) this.#fail(id, tooMany());
    else {
      this.#pending.add(id);
      void this.#serve(frame.message, frame.payload);
    }
  }

  /** The run's time is up: whoever waits is told so and can unwind. Nothing begins any more. */
  expire(): void {
    this.#expired = true;
    for (const id of this.#pending) this.#fail(id, timeIsUp());
    this.#pending.clear();
    this.#abort.abort(timeIsUp());
  }

  /** The run is over. */
  close(): void {
    this.#closed = true;
    this.#pending.clear();
    this.#abort.abort(new CodeExecutionError('cancelled', 'the run is over'));
  }

  async #serve(message: CallMessage, payload: Uint8Array): Promise<void> {
    const { id } = message;
    try {
      const json = encode({ value: await this.#answer(message, parseBody(payload)) });
      this.#bytes += json.length;
      if (this.#bytes > MAX_BYTES) throw budget(`asked for more than ${MAX_BYTES} bytes of skills`);
      if (!this.#pending.delete(id)) return;
      this.#options.worker.send({ message: { type: 'reply', id, ok: true }, payload: json });
    } catch (error) {
      if (this.#pending.delete(id)) this.#fail(id, error);
    }
  }

  async #answer({ op, name }: CallMessage, body: Record<string, unknown>): Promise<unknown> {
    if (++this.#requests > MAX_REQUESTS) throw budget(`made ${MAX_REQUESTS} requests about skills`);
    if (op === 'skill') return this.#source(name, body);
    if (op === 'skills') return this.#list(body);
    return this.#save(name, body);
  }

  async #source(name: string, { version }: Record<string, unknown>): Promise<unknown> {
    if (version !== undefined && !Number.isSafeInteger(version))
      throw new CodeExecutionError('bad_arguments', 'the version is no whole number');
    const { access, principal } = this.#options;
    const skill =
      version === undefined
        ? await access.source(principal, name)
        : sourceOf(await access.load(principal, name, version as number));
    if (!this.#used.has(skill.name)) {
      this.#used.add(skill.name);
      access.recordUse(principal, skill.name);
    }
    const { version: found, code, entry } = skill;
    return { name: skill.name, version: found, code, entry };
  }

  async #list({ query, limit, names }: Record<string, unknown>): Promise<unknown> {
    const { access, principal } = this.#options;
    const wanted = typeof limit === 'number' && limit >= 1 ? Math.floor(limit) : 100;
    const page = { limit: Math.min(wanted, names === true ? MAX_NAMES : MAX_LISTED), offset: 0 };
    const words = typeof query === 'string' && query.trim() !== '' ? query.slice(0, MAX_QUERY) : undefined;
    const { skills } = await access.find(principal, words, page);
    const usable = skills.filter((skill) => skill.broken === undefined);
    return names === true ? usable.map((skill) => skill.name) : usable.map(listed);
  }

  async #save(name: string, body: Record<string, unknown>): Promise<unknown> {
    if (++this.#saves > MAX_SAVES) throw budget(`saved skills ${MAX_SAVES} times`);
    const { access, principal, runId } = this.#options;
    const { code, description, tags, overwrite, test } = body;
    if (typeof code !== 'string' || typeof description !== 'string')
      throw new CodeExecutionError('bad_arguments', 'the code or the description is no text');
    const words = Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
    const draft = {
      name,
      code,
      description,
      tags: words.slice(0, MAX_TAGS),
      overwrite: overwrite === true,
      test: test === true,
    };
    const { skill, missing, notes } = await access.save(principal, draft, {
      run: runId,
      nested: true,
      signal: this.#abort.signal,
    });
    this.#notes.push(`saved the skill ${skill.name} (version ${skill.version})`);
    return {
      name: skill.name,
      version: skill.version,
      signature: skill.signature,
      requires_tools: skill.shape.requiresTools,
      missing_tools: missing.tools,
      missing_skills: missing.skills,
      notes,
      ...(skill.test === undefined ? {} : { test: { passed: skill.test.passed, failed: skill.test.failed } }),
    };
  }

  #fail(id: number, error: unknown): void {
    this.#options.worker.send(failureReply(id, error, 'the server failed to answer this'));
  }
}

function sourceOf({ name, version, code, shape }: Skill): SkillSource {
  return { name, version, code, entry: shape.entry };
}

function listed({ name, description, signature, version, updated, uses, tags, test }: SkillSummary): object {
  const outcome = test === undefined ? {} : { test: { passed: test.passed, failed: test.failed } };
  return { name, description, signature, version, updated, uses, tags, ...outcome };
}

function budget(what: string): CodeExecutionError {
  return new CodeExecutionError(
    'call_budget',
    `the run has ${what}, all that it may`,
    'go on in another run',
  );
}

function tooMany(): CodeExecutionError {
  return new CodeExecutionError('busy', `more than ${MAX_PENDING} requests about skills at the same time`);
}

function timeIsUp(): CodeExecutionError {
  return new CodeExecutionError('timeout', 'the time of the run is up');
}
