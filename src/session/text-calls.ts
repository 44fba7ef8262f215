import { CodeExecutionError } from '../core/errors.js';
import { MIB } from '../core/limits.js';
import type { Worker } from '../sandbox/sandbox.js';
import type { WorkerFrame } from '../wire/frames.js';
import type { WorkerMessage } from '../wire/messages.js';
import { parseBody } from './call-arguments.js';
import { failureReply } from './failure-reply.js';
import type { RunPrivacy } from './run-privacy.js';
import { encode } from './tool-result.js';

type CallMessage = Extract<WorkerMessage, { type: 'call' }>;

export interface TextCallsOptions {
  /** Absent: privacy is off, and code that asks is told so. */
  readonly privacy: Pick<RunPrivacy, 'tokenise'> | undefined;
  readonly worker: Worker;
  readonly principal: string;
}

/** Characters of all texts of one run: two seconds of looking. */
const MAX_CHARS = 32 * MIB;
const MAX_REQUESTS = 10_000;

/** True for what {@link TextCalls} answers. */
export function isTextCall({ op }: CallMessage): boolean {
  return op === 'tokenise';
}

/** How code has tokens put in the place of values. One text after the other, as they came. */
export class TextCalls {
  readonly #options: TextCallsOptions;
  #queue: Promise<void> = Promise.resolve();
  #chars = 0;
  #requests = 0;
  #closed = false;

  constructor(options: TextCallsOptions) {
    this.#options = options;
  }

  handle({ message, payload }: WorkerFrame & { readonly message: CallMessage }): void {
    // Refused before they are kept, or a flood of frames would wait in memory.
    this.#chars += payload.length;
    const problem = ++this.#requests > MAX_REQUESTS || this.#chars > MAX_CHARS ? budgetSpent() : undefined;
    this.#queue = this.#queue.then(() =>
      this.#closed ? undefined : this.#serve(message.id, payload, problem),
    );
  }

  /** The run is over. */
  close(): void {
    this.#closed = true;
  }

  async #serve(id: number, payload: Uint8Array, problem: CodeExecutionError | undefined): Promise<void> {
    const { privacy, worker, principal } = this.#options;
    try {
      if (problem) throw problem;
      if (!privacy) throw privacyIsOff();
      const { text } = parseBody(payload);
      if (typeof text !== 'string') throw new CodeExecutionError('bad_arguments', 'the text is no text');
      const json = encode({ value: await privacy.tokenise(principal, text) });
      if (!this.#closed) worker.send({ message: { type: 'reply', id, ok: true }, payload: json });
    } catch (error) {
      if (!this.#closed) worker.send(failureReply(id, error, 'the server failed to answer this'));
    }
  }
}

function budgetSpent(): CodeExecutionError {
  return new CodeExecutionError(
    'call_budget',
    `the run has had ${MAX_CHARS} bytes of text or ${MAX_REQUESTS} texts tokenised, all that it may`,
    'go on in another run',
  );
}

function privacyIsOff(): CodeExecutionError {
  return new CodeExecutionError(
    'config_error',
    'privacy is off in the configuration of this server (privacy.mode)',
    'tell the user; the operator turns it on with privacy.mode "egress" or "strict"',
  );
}
