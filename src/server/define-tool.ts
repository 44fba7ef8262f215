import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Answer } from './answer.js';
import type { ToolContext } from './server-deps.js';

/**
 * One server tool. Registration, argument checks, the tool list test and the reference docs derive from this record.
 *
 * The answer of a tool that fails carries `success: false` and `error` instead of the fields of `output`; both are
 * added to the listed output schema, where nothing is required for that reason.
 */
export interface ServerTool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** Hints for clients, as `_meta` of the listed tool. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** A `z.strictObject`: an unknown argument is an error that names the nearest known one. */
  readonly input: I;
  readonly output: O;
  handle(args: z.infer<I>, context: ToolContext): Promise<Answer<z.infer<O>>>;
}

/** Returns its argument: it is there so that `args` and the answer get their types from the schemas. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(
  tool: ServerTool<I, O>,
): ServerTool<I, O> {
  return tool;
}
