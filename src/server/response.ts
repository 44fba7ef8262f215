import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { CodeExecutionError, ERROR_CODES, type ErrorCode } from '../core/errors.js';
import type { Answer } from './answer.js';
import { llmTokens } from './quantities.js';
import type { ServerDeps } from './server-deps.js';
import { visibleLine, visibleText } from './visible-text.js';
import { clip, visibleValue } from './visible-value.js';

/**
 * Characters of one answer, text and structure each, whatever a tool or a filter made of it. Tools keep to far smaller
 * budgets of their own; this is the wall behind them (base64 of a 100 kB read, escaped, still fits).
 */
export const MAX_ANSWER_CHARS = 250_000;

/** What the model is told of a failure. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  /** The next step. */
  readonly hint?: string;
}

/**
 * The only way to the model. Whatever leaves (answers, failures, progress lines, resources) passes the egress filter,
 * becomes visible text, and is bounded, in this order.
 */
export class ResponseGate {
  readonly #deps: Pick<ServerDeps, 'privacy' | 'log' | 'statsOf'>;
  readonly #principal: string;

  constructor(deps: Pick<ServerDeps, 'privacy' | 'log' | 'statsOf'>, principal: string) {
    this.#deps = deps;
    this.#principal = principal;
  }

  /** The MCP result of what `work` answers, or of how it fails. Never rejects. */
  async result(tool: string, work: () => Promise<Answer<object>>): Promise<CallToolResult> {
    try {
      return await this.#show(await work());
    } catch (error) {
      return this.#fail(tool, error);
    }
  }

  /** Text for the model that is no answer of a tool: a progress line, a resource. */
  async text(text: string, maxChars: number): Promise<string> {
    return clip(visibleText(await this.#filter(text)), maxChars);
  }

  /** What may be told of an error. Faults of ours become a neutral sentence with an id that the log has, too. */
  describe(where: string, error: unknown): Failure {
    if (error instanceof CodeExecutionError && ERROR_CODES[error.code].forModel) {
      const { code, message, hint } = error;
      return { code, message, ...(hint === undefined ? {} : { hint }) };
    }
    const id = randomUUID().slice(0, 8);
    this.#deps.log.error({ err: error, id, where }, 'fault while answering');
    return {
      code: 'internal',
      message: `the server failed (fault ${id}, see its log); this is not a fault of your input`,
      hint: 'call again once; if it fails again, go on without this tool and tell the user the fault id',
    };
  }

  async #fail(tool: string, error: unknown): Promise<CallToolResult> {
    const failure = this.describe(tool, error);
    try {
      return await this.#show({
        prepare: async (filter) => {
          const { code, message, hint } = await filter(failure);
          const next = hint === undefined ? '' : `\nnext: ${visibleLine(hint)}`;
          return {
            text: `failed · ${code} · ${visibleLine(message)}${next}`,
            structured: { success: false, error: { code, message, ...(hint === undefined ? {} : { hint }) } },
            failed: true,
          };
        },
      });
    } catch (second) {
      // The filter itself is broken: nothing that came from elsewhere may leave.
      const { code, message } = this.describe(tool, new Error('egress filter failed', { cause: second }));
      const structuredContent = { success: false, error: { code, message } };
      return {
        content: [{ type: 'text', text: `failed · ${code} · ${message}` }],
        structuredContent,
        isError: true,
      };
    }
  }

  async #show(answer: Answer<object>): Promise<CallToolResult> {
    const rendered = await answer.prepare((facts) => this.#filter(facts));
    const text = bounded(visibleText(rendered.text));
    const stats = this.#deps.statsOf(this.#principal);
    stats.addAnswer(llmTokens(text.length), llmTokens(rendered.keptOutChars ?? 0));
    return {
      content: [{ type: 'text', text }, ...(rendered.blocks ?? [])],
      structuredContent: visibleValue(rendered.structured, MAX_ANSWER_CHARS) as Record<string, unknown>,
      ...(rendered.failed === true ? { isError: true } : {}),
    };
  }

  #filter<T>(facts: T): Promise<T> {
    const { privacy } = this.#deps;
    return privacy === undefined ? Promise.resolve(facts) : privacy.filter(this.#principal, facts);
  }
}

function bounded(text: string): string {
  if (text.length <= MAX_ANSWER_CHARS) return text;
  return `${clip(text, MAX_ANSWER_CHARS)}\n... (${text.length - MAX_ANSWER_CHARS} characters left out)`;
}
