import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/**
 * The input schema as `tools/list` shows it, behind the interface that the SDK asks for. It accepts everything: the
 * arguments are parsed by us ({@link parseArguments}), because the SDK's own message for bad arguments has no code, no
 * nearest name and no next step.
 */
export function listedInput(input: z.ZodObject): StandardSchemaWithJSON {
  return permissive({ ...terse(z.toJSONSchema(input, { io: 'input' })), additionalProperties: false });
}

/**
 * The output schema with `success` and `error`, and nothing required: clients check failures against it as well. Only the
 * fields at the top, with their types: what lies in them is in the reference docs, and would cost every client 900 LLM
 * tokens in each conversation.
 */
export function listedOutput(output: z.ZodObject): StandardSchemaWithJSON {
  const { properties, ...schema } = terse(z.toJSONSchema(output, { io: 'output' }), ['required']);
  const fields = Object.entries(properties as object).map(([name, field]) => [name, shallow(field)]);
  return permissive({
    ...schema,
    properties: { success: { type: 'boolean' }, error: { type: 'object' }, ...Object.fromEntries(fields) },
  });
}

function shallow(field: JsonSchema): JsonSchema {
  const { properties: _properties, items: _items, description: _description, ...rest } = field;
  return rest;
}

function permissive(schema: JsonSchema): StandardSchemaWithJSON {
  return {
    '~standard': {
      version: 1,
      vendor: 'code-execution-mcp',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

/** Leaves out what costs tokens and tells nothing: the dialect (the protocol's default), "any safe integer" and the like. */
function terse(schema: JsonSchema, without: readonly string[] = []): JsonSchema {
  const dropped = new Set(['$schema', 'propertyNames', 'additionalProperties', ...without]);
  const kept = Object.entries(schema).filter(([key, value]) => {
    if (key === 'minimum' || key === 'maximum') return Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER;
    return !dropped.has(key);
  });
  return Object.fromEntries(
    kept.map(([key, value]) => [key, isSchema(value) ? terse(value, without) : value]),
  );
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
