import { expect, test } from 'vitest';
import type { CatalogEntry } from '../../../src/catalog/catalog.js';
import { serverStates, toolReviews } from '../../../src/cli/tool-states.js';

const entry = (
  server: string,
  name: string,
  more: Partial<CatalogEntry> = {},
  kind: 'server' | 'registry' = 'server',
): CatalogEntry => ({
  id: `${server}.${name}`,
  pythonServer: server,
  pythonName: name,
  remoteName: name,
  source: { server, kind, category: 'c' },
  definition: { name, inputSchema: {} },
  hash: '',
  review: 'accepted',
  summary: '',
  signature: `${server}.${name}()`,
  ...more,
});

const parts = (entries: CatalogEntry[], claims = new Map<string, string>()) => {
  const asked: unknown[] = [];
  return {
    asked,
    downstream: {
      discover: async (...args: unknown[]) => {
        asked.push(args);
        return [{ server: 'dead', message: 'ended (exit code 3)', cached: false }];
      },
    },
    catalog: {
      search: async () => ({
        hits: entries.map((one) => ({ entry: one, score: 0 })),
        total: entries.length,
        confidence: 1,
        unmatchedWords: [],
        problems: [],
      }),
      reviews: async () =>
        entries.map((one) => {
          const claimed = claims.get(one.id);
          return { entry: one, ...(claimed === undefined ? {} : { claims: claimed }) };
        }),
      describe: (one: CatalogEntry) => `about ${one.id}`,
    },
    access: { decide: () => ({ verdict: 'ask' as const, reason: 'why', howToAllow: '' }) },
  };
};

test('servers come in the order of the configuration, also without tools, and registry categories behind', async () => {
  const it = parts([entry('hub', 'a'), entry('hub', 'b'), entry('shelf', 'x', {}, 'registry')]);
  const servers = [
    { name: 'dead', category: 'd' },
    { name: 'hub', category: 'c' },
  ];
  const tool = (signature: string) => ({ signature, verdict: 'ask', reason: 'why' });
  expect(await serverStates(servers, it)).toEqual([
    { name: 'dead', category: 'd', isRegistry: false, tools: [], problem: 'ended (exit code 3)' },
    { name: 'hub', category: 'c', isRegistry: false, tools: [tool('hub.a()'), tool('hub.b()')] },
    { name: 'shelf', category: 'c', isRegistry: true, tools: [tool('shelf.x()')] },
  ]);
  expect(it.asked).toEqual([[60_000, { live: true }]]);
});

test('reviews are what the servers say now', async () => {
  const it = parts(
    [entry('hub', 'a', { review: 'changed' }), entry('evil', 'b', { review: 'shadowing' })],
    new Map([['evil.b', 'hub.b']]),
  );
  expect(await toolReviews(it)).toEqual([
    { id: 'hub.a', standing: 'changed', text: 'about hub.a' },
    { id: 'evil.b', standing: 'shadowing', claims: 'hub.b', text: 'about evil.b' },
  ]);
  expect(it.asked).toEqual([[60_000, { live: true }]]);
});
