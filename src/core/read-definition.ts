import type { JsonSchema, ToolAnnotations, ToolDefinition } from './tool.js';
import { valueSize } from './value-size.js';

/** The MCP specification suggests 128. */
const MAX_NAME = 256;
/** A schema of 10,000 properties has half of it. */
const MAX_DEFINITION_BYTES = 1024 * 1024;
const MAX_DEPTH = 100;
const MAX_TEXT = 100_000;

/** A definition, or why the thing is none, in words that hold nothing of it. */
export type ReadDefinition =
  | { readonly definition: ToolDefinition; readonly bytes: number }
  | { readonly fault: string };

/**
 * Takes from what a server or a file calls a tool the fields that are known, if they have the right types. Text stays as it
 * is: cleaning it is for the catalogue, which also pins its hash.
 */
export function readDefinition(raw: unknown): ReadDefinition {
  if (!isRecord(raw)) return { fault: 'it is no object' };
  const { name, title, description, inputSchema, outputSchema, annotations } = raw;
  if (typeof name !== 'string' || name === '') return { fault: 'it has no name' };
  if (name.length > MAX_NAME) return { fault: `its name has more than ${MAX_NAME} characters` };
  const hints = readAnnotations(annotations);
  const shownTitle = text(title) ?? hints?.title;
  const definition: ToolDefinition = {
    name,
    ...(shownTitle === undefined ? {} : { title: shownTitle }),
    ...(typeof description === 'string' ? { description: description.slice(0, MAX_TEXT) } : {}),
    inputSchema: isSchema(inputSchema) ? inputSchema : { type: 'object' },
    ...(isSchema(outputSchema) ? { outputSchema } : {}),
    ...(hints ? { annotations: hints } : {}),
  };
  const size = valueSize(definition, MAX_DEFINITION_BYTES, MAX_DEPTH);
  if (size === 'too large')
    return { fault: `its definition has more than ${MAX_DEFINITION_BYTES / 1024 / 1024} MiB` };
  if (size === 'too deep') return { fault: `its schema is nested more than ${MAX_DEPTH} levels deep` };
  return { definition, bytes: size.bytes };
}

function readAnnotations(raw: unknown): ToolAnnotations | undefined {
  if (!isRecord(raw)) return undefined;
  const title = text(raw.title);
  const hint = (name: Exclude<keyof ToolAnnotations, 'title'>) =>
    typeof raw[name] === 'boolean' ? { [name]: raw[name] } : {};
  return {
    ...(title === undefined ? {} : { title }),
    ...hint('readOnlyHint'),
    ...hint('destructiveHint'),
    ...hint('idempotentHint'),
    ...hint('openWorldHint'),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, MAX_NAME) : undefined;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || isRecord(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
