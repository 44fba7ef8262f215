import { randomBytes } from 'node:crypto';
import type { RunProgress } from '../session/runner.js';
import type { Approval, ApprovalQuestion } from '../session/tool-access.js';

/** What a call of a server tool has come to: its result, or a question for the person behind the client. */
export type Turn<R> =
  | { readonly kind: 'result'; readonly result: R }
  | { readonly kind: 'question'; readonly question: ApprovalQuestion; readonly state: string };

/** What the work of a conversation can do with whoever is at the other end at the moment. */
export interface CallInTurns {
  readonly signal: AbortSignal;
  /** May be called at any time; several questions are asked one after the other. */
  readonly ask: (question: ApprovalQuestion) => Promise<Approval>;
  readonly progress: (step: RunProgress) => void;
}

/** A person who does not answer is taken to have declined after this long, in milliseconds. */
export const ANSWER_MS = 10 * 60 * 1000;

/**
 * One call that may stop in the middle to ask a person. The protocol ends a request with the question and brings the
 * answer in a new one, so the call lives on between the two. `state` is a random name for it: whoever does not know it
 * cannot answer, and it is good for one answer.
 */
export class Conversation<R> {
  readonly #abort = new AbortController();
  readonly #work: (call: CallInTurns) => Promise<R>;
  #result: Promise<R> | undefined;
  /** Those that nobody was asked yet. */
  readonly #questions: { readonly turn: Turn<R>; readonly settle: (answer: Approval) => void }[] = [];
  /** Takes the next question, while someone waits for a turn. */
  #listener: ((turn: Turn<R>) => void) | undefined;
  /** Settles the question that was asked and not answered yet. */
  #settle: ((answer: Approval) => void) | undefined;
  #expiry: NodeJS.Timeout | undefined;
  /** Nobody will ask for another turn. */
  #isAlone = false;
  /** Tells how far the call is to whoever waits for a turn. */
  #report: ((step: RunProgress) => void) | undefined;

  /** @param work starts with the first turn. */
  constructor(work: (call: CallInTurns) => Promise<R>) {
    this.#work = work;
  }

  /** Runs until the result or the next question. Aborting `signal` meanwhile cancels the call. */
  async next(signal: AbortSignal, report: (step: RunProgress) => void): Promise<Turn<R>> {
    this.#report = report;
    const cancel = (): void => this.#leave(signal.reason);
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const question = new Promise<Turn<R>>((resolve) => {
        this.#listener = resolve;
      });
      this.#offer();
      this.#result ??= this.#work({
        signal: this.#abort.signal,
        ask: (asked) => this.#ask(asked),
        progress: (step) => this.#report?.(step),
      });
      // Between two turns nobody waits for it.
      this.#result.catch(() => undefined);
      const result = this.#result.then((value): Turn<R> => ({ kind: 'result', result: value }));
      return await Promise.race([question, result]);
    } finally {
      this.#listener = undefined;
      this.#report = undefined;
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Answers the question of the last turn. Nothing happens if it is answered. */
  answer(answer: Approval): void {
    clearTimeout(this.#expiry);
    this.#settle?.(answer);
    this.#settle = undefined;
  }

  /** The client is gone. */
  cancel(): void {
    this.#leave(new Error('the client is gone'));
  }

  #leave(reason: unknown): void {
    this.#abort.abort(reason);
    this.#declineAll();
  }

  #declineAll(): void {
    this.#isAlone = true;
    this.answer('declined');
    for (const { settle } of this.#questions.splice(0)) settle('declined');
  }

  #ask(question: ApprovalQuestion): Promise<Approval> {
    if (this.#isAlone) return Promise.resolve('declined');
    return new Promise((settle) => {
      const state = randomBytes(16).toString('hex');
      this.#questions.push({ turn: { kind: 'question', question, state }, settle });
      this.#offer();
    });
  }

  /** One question at a time, and only to someone who waits for a turn. */
  #offer(): void {
    if (this.#settle || !this.#listener) return;
    const next = this.#questions.shift();
    if (!next) return;
    this.#settle = next.settle;
    // Whoever did not come back with an answer will not come back for the next question either.
    this.#expiry = setTimeout(() => this.#declineAll(), ANSWER_MS);
    this.#expiry.unref();
    this.#listener(next.turn);
    this.#listener = undefined;
  }
}

/** The calls of one connection that wait for a person's answer, by their state. */
export class WaitingConversations<R> {
  readonly #waiting = new Map<string, { conversation: Conversation<R>; tool: string }>();

  keep(state: string, tool: string, conversation: Conversation<R>): void {
    this.#waiting.set(state, { conversation, tool });
    setTimeout(() => this.#waiting.delete(state), ANSWER_MS).unref();
  }

  /** The call that `state` names, once. */
  take(state: string, tool: string): Conversation<R> | undefined {
    const found = this.#waiting.get(state);
    if (found?.tool !== tool) return undefined;
    this.#waiting.delete(state);
    return found.conversation;
  }

  cancelAll(): void {
    for (const { conversation } of this.#waiting.values()) conversation.cancel();
    this.#waiting.clear();
  }
}
