import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { memorySkills } from '../../support/memory-skills.js';
import { connect } from './harness.js';

const list = async (era: 'legacy' | 'modern' = 'legacy') =>
  (await (await connect({ era, skills: memorySkills().skills })).client.listTools()).tools;
const tokens = (value: unknown) => encode(JSON.stringify(value)).length;

test('the server tools are these, in this order, the same in both protocol eras', async () => {
  const tools = await list();
  expect(tools.map((tool) => tool.name)).toEqual([
    'execute_code',
    'search_tools',
    'get_tool_definition',
    'save_skill',
    'load_skill',
    'list_skills',
    'sanitize_pii',
    'restore_pii',
    'write_workspace_file',
    'read_workspace_file',
    'list_workspace_files',
    'get_execution_stats',
  ]);
  expect(await list('modern')).toEqual(tools);
});

test('the list costs at most 1,650 LLM tokens without output schemas and 3,000 with all', async () => {
  const tools = await list();
  const named = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  expect(tokens({ tools: named })).toBeLessThanOrEqual(1650);
  expect(tokens({ tools })).toBeLessThanOrEqual(3000);
});

test('the instructions cost at most 400 LLM tokens and name what matters', async () => {
  const { client } = await connect();
  const instructions = client.getInstructions() ?? '';
  expect(encode(instructions).length).toBeLessThanOrEqual(400);
  for (const word of ['session', 'result', 'workspace', 'no network']) expect(instructions).toContain(word);
});

test('every argument is described and unknown ones are refused', async () => {
  for (const { name, inputSchema } of await list()) {
    const { properties = {}, additionalProperties } = inputSchema as {
      properties?: object;
      additionalProperties?: unknown;
    };
    expect([name, additionalProperties]).toEqual([name, false]);
    for (const [argument, schema] of Object.entries(properties)) {
      expect([name, argument, typeof (schema as { description?: string }).description]).toEqual([
        name,
        argument,
        'string',
      ]);
    }
  }
});

test('annotations tell what a tool may do', async () => {
  const annotations = Object.fromEntries((await list()).map((tool) => [tool.name, tool.annotations]));
  expect(annotations).toMatchObject({
    execute_code: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    search_tools: { readOnlyHint: true, openWorldHint: false },
    get_tool_definition: { readOnlyHint: true, openWorldHint: false },
    sanitize_pii: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    restore_pii: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    write_workspace_file: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
    read_workspace_file: { readOnlyHint: true, openWorldHint: false },
    list_workspace_files: { readOnlyHint: true, openWorldHint: false },
    get_execution_stats: { readOnlyHint: true, openWorldHint: false },
  });
});

test('clients are asked to keep execute_code loaded', async () => {
  expect((await list())[0]?._meta).toMatchObject({ 'anthropic/alwaysLoad': true });
});

test('defaults and maxima in the schema are those of the configuration', async () => {
  const properties = (await list())[0]?.inputSchema.properties as Record<string, object>;
  expect(properties.timeout_seconds).toMatchObject({ default: 30, minimum: 0.1, maximum: 600 });
  expect(properties.memory_mb).toMatchObject({ default: 512, minimum: 64, maximum: 2048 });
  expect(properties.max_output_chars).toMatchObject({ default: 8000 });
});
