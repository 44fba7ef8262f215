import { expect, test } from 'vitest';
import type { ServerState, ToolReview } from '../../../src/cli/app-contract.js';
import { runCommandLine } from '../../../src/cli/program.js';
import { fakeHost } from '../config/fake-host.js';
import { fakeContext } from './fake-context.js';

const SERVERS: readonly ServerState[] = [
  {
    name: 'hub',
    category: 'code',
    isRegistry: false,
    tools: [
      { signature: 'hub.get(id: int) -> dict', verdict: 'allow', reason: '' },
      { signature: 'hub.drop(id: int)', verdict: 'ask', reason: 'the tool says that it may destroy data' },
    ],
  },
  { name: 'dead', category: 'dead', isRegistry: false, tools: [], problem: 'refused the connection' },
  {
    name: 'shelf',
    category: 'shelf',
    isRegistry: true,
    tools: [{ signature: 'shelf.known()', verdict: 'deny', reason: 'known from a registry' }],
  },
];

const REVIEWS: readonly ToolReview[] = [
  { id: 'hub.get', standing: 'changed', text: 'hub.get(id: int)\nGets it.' },
  { id: 'evil.hub__get', standing: 'shadowing', claims: 'hub.get', text: 'evil.hub__get()' },
];

const withServers = () => fakeContext(fakeHost(), { app: { servers: () => Promise.resolve(SERVERS) } });
const withReviews = (reviews = REVIEWS) =>
  fakeContext(fakeHost(), { app: { toolReviews: () => Promise.resolve(reviews) } });

test('search prints what a model would read, for the words and options given', async () => {
  const answer = { text: 'ok · 1 tool', structured: { total: 1 }, exit: 'ok' } as const;
  const context = fakeContext(fakeHost(), { answer });
  const args = ['search', 'list', 'files', '--category', 'code', '--limit', '3', '--detail', 'full'];
  expect(await runCommandLine(args, context)).toBe(0);
  expect(context.out()).toBe('ok · 1 tool\n');
  expect(context.events).toEqual([
    'search {"query":"list files","category":"code","limit":3,"detail_level":"full"}',
    'close',
  ]);
});

test('search prints JSON with --json, and exits by the answer', async () => {
  const answer = { text: 'failed', structured: { success: false }, exit: 'failed' } as const;
  const context = fakeContext(fakeHost(), { answer });
  expect(await runCommandLine(['search', '--json'], context)).toBe(1);
  expect(JSON.parse(context.out())).toEqual({ success: false });
  expect(context.events).toEqual(['search {"query":""}', 'close']);
});

test('tools list shows every server with its tools, what becomes of a call, and what is wrong', async () => {
  const context = withServers();
  expect(await runCommandLine(['tools', 'list'], context)).toBe(1);
  expect(context.out()).toBe(
    [
      'hub: 2 tools, category code',
      '  hub.get(id: int) -> dict',
      '  hub.drop(id: int)  [ask: the tool says that it may destroy data]',
      'dead: 0 tools, category dead; the server refused the connection',
      'shelf: 1 tool, known from a registry, not callable',
      '  shelf.known()',
      '',
    ].join('\n'),
  );
  expect(context.events).toEqual(['close']);
});

test('tools list of one server shows that one, and is well if that one is', async () => {
  const context = withServers();
  expect(await runCommandLine(['tools', 'list', 'shelf'], context)).toBe(0);
  expect(context.out()).toBe('shelf: 1 tool, known from a registry, not callable\n  shelf.known()\n');
});

test('tools list of an unknown server names the nearest', async () => {
  const context = withServers();
  expect(await runCommandLine(['tools', 'list', 'hubb'], context)).toBe(2);
  expect(context.err()).toBe(
    'code-execution-mcp: there is no server "hubb"; did you mean hub?\nnext: one of: hub, dead, shelf\n',
  );
});

test('tools list without anything configured says so', async () => {
  const context = fakeContext(fakeHost());
  expect(await runCommandLine(['tools', 'list'], context)).toBe(0);
  expect(context.out()).toBe('no servers and no registry are configured\nnext: add mcpServers\n');
});

test('tools review shows each definition with the reason and the way to accept it, and accepts nothing', async () => {
  const context = withReviews();
  expect(await runCommandLine(['tools', 'review'], context)).toBe(0);
  expect(context.out()).toBe(
    [
      'hub.get: changed: differs from the definition that was accepted; calls are refused',
      '  | hub.get(id: int)',
      '  | Gets it.',
      'evil.hub__get: shadowing: claims the name of a tool of another server; calls are refused (hub.get)',
      '  | evil.hub__get()',
      'next: code-execution-mcp tools review --accept hub.get, or --accept-all',
      '',
    ].join('\n'),
  );
  expect(context.events).toEqual(['close']);
});

test('tools review accepts what is named, or all', async () => {
  const one = withReviews();
  expect(await runCommandLine(['tools', 'review', '--accept', 'hub.get'], one)).toBe(0);
  expect([one.out(), one.events]).toEqual(['accepted hub.get (changed)\n', ['accept hub.get', 'close']]);
  const all = withReviews();
  expect(await runCommandLine(['tools', 'review', '--accept-all'], all)).toBe(0);
  expect(all.events).toEqual(['accept hub.get', 'accept evil.hub__get', 'close']);
});

test('tools review accepts nothing if one of the names is wrong', async () => {
  const context = withReviews();
  const args = ['tools', 'review', '--accept', 'hub.get', 'hub.gone'];
  expect(await runCommandLine(args, context)).toBe(2);
  expect(context.err()).toContain(
    '"hub.gone" is not among the definitions to look at\nnext: they are: hub.get,',
  );
  expect(context.events).toEqual(['close']);
});

test.each([[[]], [['--accept-all']]])('with nothing to look at, tools review %j says so', async (flags) => {
  const context = withReviews([]);
  expect(await runCommandLine(['tools', 'review', ...flags], context)).toBe(0);
  expect(context.out()).toBe('all definitions are as they were accepted\n');
});
