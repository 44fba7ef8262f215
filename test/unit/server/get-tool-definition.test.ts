import { expect, test } from 'vitest';
import { getToolDefinition } from '../../../src/server/tools/get-tool-definition.js';
import { catalogOf, definition, listing } from '../catalog/catalog-fixture.js';
import { connect } from './harness.js';

const string = { type: 'string' };
const CREATE = {
  ...definition('create-issue', 'Open an issue.\nNeeds write access.'),
  inputSchema: {
    type: 'object',
    properties: {
      title: { ...string, description: 'Shown in lists' },
      place: { type: 'object', properties: { repo: string }, required: ['repo'] },
    },
    required: ['title'],
  },
  outputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  annotations: { destructiveHint: false },
};
const SERVERS = {
  github: [CREATE, definition('list_issues', 'List issues.')],
  gitlab: [definition('list_issues')],
};

test('the answer has everything that a call needs, as text and as structure', async () => {
  const { call } = await connect({ servers: SERVERS });
  const { text, structured } = await call('get_tool_definition', { tool_name: 'github.create_issue' });
  expect(text).toBe(
    [
      'ok · github.create_issue · category code · policy allow',
      'github.create_issue(title: str, place?: dict) -> {id: int}',
      '  Open an issue.',
      '  Needs write access.',
      '  Arguments:',
      '    title: str  Shown in lists',
      '    place?: {repo: str}',
      '  Returns: {id: int}',
      'example: tools.github.create_issue(title="title")',
      `input schema: ${JSON.stringify(CREATE.inputSchema)}`,
    ].join('\n'),
  );
  expect(structured).toEqual({
    success: true,
    name: 'github.create_issue',
    server: 'github',
    category: 'code',
    description: 'Open an issue.\nNeeds write access.',
    signature: 'github.create_issue(title: str, place?: {repo: str}) -> {id: int}',
    input_schema: CREATE.inputSchema,
    output_schema: CREATE.outputSchema,
    example: 'tools.github.create_issue(title="title")',
    annotations: { destructiveHint: false },
    policy: 'allow',
    review: 'accepted',
    available: true,
  });
});

test.each(['tools.github.create_issue', 'github:create-issue', 'create_issue'])(
  '%s names it as well',
  async (name) => {
    const { call } = await connect({ servers: SERVERS });
    expect((await call('get_tool_definition', { tool_name: name })).structured.name).toBe(
      'github.create_issue',
    );
  },
);

test.each([
  ['github.create_isue', 'did you mean github.create_issue'],
  ['list_issues', 'did you mean github.list_issues, gitlab.list_issues'],
])('%s is no one tool, and the nearest are named', async (name, expected) => {
  const { call } = await connect({ servers: SERVERS });
  const { text, code } = await call('get_tool_definition', { tool_name: name });
  expect(code).toBe('tool_unknown');
  expect(text).toContain(`there is no one tool "${name}"`);
  expect(text).toContain(expected);
});

test('a tool of another category is named', async () => {
  const { call } = await connect({ servers: SERVERS });
  const { text } = await call('get_tool_definition', { tool_name: 'github.create_issue', category: 'mail' });
  expect(text).toContain('in the category "mail"');
  expect(text).toContain('did you mean github.create_issue');
});

test('the policy says why a call would be asked about', async () => {
  const { catalog } = catalogOf({ live: [listing('github', [CREATE])] });
  const tool = getToolDefinition(catalog, () => ({ verdict: 'ask', reason: 'listed under ask' }));
  const answer = await tool.handle({ tool_name: 'create_issue' }, undefined as never);
  const { text, structured } = await answer.prepare(async (facts) => facts);
  expect(text.split('\n').slice(0, 2)).toEqual([
    'ok · github.create_issue · category github · policy ask',
    'policy: listed under ask',
  ]);
  expect(structured).toMatchObject({ policy: 'ask', policy_reason: 'listed under ask' });
});

test('a registry tool is described, and said to be not callable', async () => {
  const { catalog } = catalogOf({ registry: [listing('pay', [definition('refund')], { kind: 'registry' })] });
  const tool = getToolDefinition(catalog, () => ({ verdict: 'allow', reason: '' }));
  const answer = await tool.handle({ tool_name: 'refund' }, undefined as never);
  const { text, structured } = await answer.prepare(async (facts) => facts);
  expect(text).toContain('not callable: known from a registry only');
  expect(structured).toMatchObject({ available: false });
});
