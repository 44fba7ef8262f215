import { z } from 'zod';
import type { Catalog, CatalogEntry } from '../../catalog/catalog.js';
import { CodeExecutionError } from '../../core/errors.js';
import type { JsonSchema } from '../../core/tool.js';
import type { ToolDecision } from '../../session/tool-access.js';
import { type Answer, answer } from '../answer.js';
import { defineTool } from '../define-tool.js';
import { clip } from '../visible-value.js';

/** A schema in the text; longer ones are in the structured content only, and the arguments are listed anyway. */
const MAX_SCHEMA_TEXT = 4_000;
const MAX_NAME = 512;

const schema = z.record(z.string(), z.unknown());
const output = z.object({
  success: z.boolean(),
  name: z.string(),
  server: z.string(),
  category: z.string(),
  description: z.string(),
  signature: z.string(),
  returns_seen: z.boolean().optional().describe('the return type is that of earlier results'),
  input_schema: schema,
  output_schema: schema.optional(),
  example: z.string(),
  annotations: schema.optional(),
  policy: z.enum(['allow', 'ask', 'deny']),
  policy_reason: z.string().optional(),
  review: z.enum(['accepted', 'new', 'changed', 'shadowing']),
  available: z.boolean(),
});
type Output = z.infer<typeof output>;

type DefinedCatalog = Pick<Catalog, 'resolve' | 'nearest' | 'details' | 'describe'>;

/** Tells everything about one tool. `decide` is the policy that a call of it would meet. */
export const getToolDefinition = (
  catalog: DefinedCatalog,
  decide: (entry: CatalogEntry) => Pick<ToolDecision, 'verdict' | 'reason'>,
) =>
  defineTool({
    name: 'get_tool_definition',
    title: 'Get a tool definition',
    description:
      'Arguments, schema, example call and policy of one tool, for when its signature is not enough.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: z.strictObject({
      tool_name: z.string().min(1).max(MAX_NAME).describe('server.tool, or the tool alone if unique'),
      category: z.string().optional().describe('Only this category'),
    }),
    output,
    async handle({ tool_name: name, category }): Promise<Answer<Output>> {
      const entry = await catalog.resolve(name.replace(/^tools\./, ''), category);
      if (entry === undefined) throw await unknown(catalog, name, category);
      return answer(factsOf(catalog, entry, decide(entry)), ({ text, ...structured }) => ({
        text,
        structured,
      }));
    },
  });

function factsOf(
  catalog: DefinedCatalog,
  entry: CatalogEntry,
  { verdict, reason }: Pick<ToolDecision, 'verdict' | 'reason'>,
): Output & { text: string } {
  const { signature, returnsSeen, inputSchema, outputSchema, example, annotations } = catalog.details(entry);
  const available = entry.source.kind === 'server';
  const { server, category } = entry.source;
  return {
    text: [
      `ok · ${entry.id} · category ${category} · ${available ? `policy ${verdict}` : 'not callable: known from a registry only'}`,
      ...(verdict === 'allow' ? [] : [`policy: ${reason}`]),
      catalog.describe(entry, 'full'),
      `example: ${example}`,
      ...schemaLine(inputSchema),
    ].join('\n'),
    success: true,
    name: entry.id,
    server,
    category,
    description: entry.definition.description ?? '',
    signature,
    ...(returnsSeen ? { returns_seen: true } : {}),
    input_schema: fields(inputSchema),
    ...(outputSchema === undefined ? {} : { output_schema: fields(outputSchema) }),
    example,
    ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
    policy: verdict,
    ...(verdict === 'allow' ? {} : { policy_reason: reason }),
    review: entry.review,
    available,
  };
}

/** The schema, where the list of arguments leaves something out: objects in arguments, ranges, formats. */
function schemaLine(schema: JsonSchema): string[] {
  if (typeof schema === 'boolean') return [];
  const inner = JSON.stringify(Object.values((schema.properties ?? {}) as object));
  if (!/"(?:properties|anyOf|oneOf|prefixItems|minimum|maximum|pattern|format)":/.test(inner)) return [];
  const text = JSON.stringify(schema);
  return [
    text.length <= MAX_SCHEMA_TEXT
      ? `input schema: ${text}`
      : `input schema: ${text.length} characters, in the structured content`,
  ];
}

function fields(schema: JsonSchema): Record<string, unknown> {
  return typeof schema === 'object' ? { ...schema } : {};
}

async function unknown(
  catalog: DefinedCatalog,
  name: string,
  category: string | undefined,
): Promise<CodeExecutionError> {
  const elsewhere = category === undefined ? undefined : await catalog.resolve(name);
  const near = elsewhere === undefined ? await catalog.nearest(name) : [elsewhere.id];
  const where = category === undefined ? '' : ` in the category ${JSON.stringify(clip(category, 80))}`;
  return new CodeExecutionError(
    'tool_unknown',
    `there is no one tool ${JSON.stringify(clip(name, 100))}${where}`,
    near.length === 0
      ? 'find the name with search_tools'
      : `did you mean ${near.join(', ')}? else find it with search_tools`,
  );
}
