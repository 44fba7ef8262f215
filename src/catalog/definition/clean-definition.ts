import type { JsonSchema, ToolAnnotations, ToolDefinition } from '../../core/tool.js';
import { boundSchema } from './bound-schema.js';
import { MAX_DESCRIPTION, MAX_NAME, MAX_REMOTE_NAME } from './bounds.js';
import { cleanLine, cleanText } from './clean-text.js';

/**
 * A foreign definition as it may be shown and indexed. The name is for reading; calls use the name as it came. Undefined
 * when there is no name to call it by: not a string, empty, or longer than {@link MAX_REMOTE_NAME}.
 */
export function cleanDefinition(raw: ToolDefinition): ToolDefinition | undefined {
  if (typeof raw.name !== 'string' || raw.name === '' || raw.name.length > MAX_REMOTE_NAME) return undefined;
  const title = typeof raw.title === 'string' ? cleanLine(raw.title, MAX_NAME) : '';
  const description =
    typeof raw.description === 'string' ? cleanText(dedent(raw.description), MAX_DESCRIPTION) : '';
  const annotations = cleanAnnotations(raw.annotations);
  return {
    name: cleanLine(raw.name, MAX_NAME) || 'unnamed',
    ...(title === '' ? {} : { title }),
    ...(description === '' ? {} : { description }),
    inputSchema: objectSchema(raw.inputSchema),
    ...(raw.outputSchema === undefined ? {} : { outputSchema: boundSchema(raw.outputSchema) }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

/** Arguments are always an object; a schema that says otherwise is broken and takes anything. */
function objectSchema(schema: unknown): JsonSchema {
  const bounded = boundSchema(schema);
  if (typeof bounded === 'boolean') return { type: 'object' };
  return bounded.type === undefined || bounded.type === 'object'
    ? { ...bounded, type: 'object' }
    : { type: 'object' };
}

/** Text from a Python docstring or a template literal is indented all along; that costs tokens and tells nothing. */
function dedent(text: string): string {
  return text.replace(/\n[ \t]+/g, (lead) => (lead.length > DEEP_INDENT ? '\n' : lead));
}

const DEEP_INDENT = 8;
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

function cleanAnnotations(raw: ToolAnnotations | undefined): ToolAnnotations | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const kept = HINTS.flatMap((hint) => (typeof raw[hint] === 'boolean' ? [[hint, raw[hint]] as const] : []));
  const title = typeof raw.title === 'string' ? [['title', cleanLine(raw.title, MAX_NAME)] as const] : [];
  return kept.length + title.length === 0 ? undefined : Object.fromEntries([...title, ...kept]);
}
