import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import type { ServerTools } from '../../../src/downstream/downstream.js';
import type { DownstreamServers } from '../../../src/downstream/downstream-servers.js';
import { entry, fake, open, openFake, temporaryFolder } from './fake-downstream.js';

/** Names of the tools in each report of a server. */
function reports(downstream: DownstreamServers): string[][] {
  const seen: string[][] = [];
  downstream.onTools(({ tools }) => seen.push(tools.map(({ name }) => name)));
  return seen;
}

test('nothing is started before it is needed', async () => {
  const starts = path.join(temporaryFolder(), 'starts');
  writeFileSync(starts, '');
  const { downstream } = open([entry('fake', fake('ordinary', { FAKE_STARTS: starts }))]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(readFileSync(starts, 'utf8')).toBe('');
  await downstream.discover(20_000);
  expect(readFileSync(starts, 'utf8').trim().split('\n')).toHaveLength(1);
});

test('discovery reports the tools of a server with its category and its own words', async () => {
  const { downstream } = open([entry('fake', fake(), { category: 'tests' })]);
  const seen: ServerTools[] = [];
  downstream.onTools((tools) => seen.push(tools));
  expect(await downstream.discover(20_000)).toEqual([]);
  const expected = {
    source: { server: 'fake', kind: 'server', category: 'tests', description: 'A fake.' },
    tools: [
      { name: 'echo', description: 'gives back its arguments', inputSchema: { type: 'object' } },
      {
        name: 'drop',
        title: 'Drop it',
        annotations: { destructiveHint: true, title: 'Drop it' },
        inputSchema: { type: 'object' },
      },
    ],
  };
  expect(seen).toEqual([expected]);
  const late: ServerTools[] = [];
  downstream.onTools((tools) => late.push(tools));
  expect(late).toEqual([expected]);
});

test('each kind of broken server is one problem, and the others work', async () => {
  const missing = {
    kind: 'stdio',
    command: 'no-such-command-here',
    args: [],
    env: {},
    cwd: '/',
    protocol: 'legacy',
  } as const;
  const nowhere = {
    kind: 'http',
    url: `http://127.0.0.1:${await closedPort()}/mcp`,
    headers: {},
    protocol: 'auto',
  } as const;
  const { downstream } = open(
    [
      entry('missing', missing),
      entry('exits', fake('exit')),
      entry('hangs', fake('hang')),
      entry('nowhere', nowhere),
      entry('refused', { kind: 'refused', message: 'the environment variable X is not set' }),
      entry('noisy', fake('noise')),
      entry('good', fake()),
    ],
    { connectTimeoutMs: 4_000 },
  );
  const seen = reports(downstream);
  // Who asks waits for the slowest of them, not for his own deadline.
  const problems = await downstream.discover(600_000);
  expect(problems).toEqual([
    {
      server: 'missing',
      message: 'could not be started: its command, or the folder it starts in, was not found',
      cached: false,
    },
    { server: 'exits', message: 'ended (exit code 3)', cached: false },
    { server: 'hangs', message: 'did not answer within 4 s', cached: false },
    { server: 'nowhere', message: 'refused the connection', cached: false },
    { server: 'refused', message: 'the environment variable X is not set', cached: false },
  ]);
  expect(seen).toEqual([
    ['echo', 'drop'],
    ['echo', 'drop'],
  ]);
});

test('who waited in vain is told so, and a server that failed is not waited for again', async () => {
  const { downstream } = open([entry('hangs', fake('hang'))], { connectTimeoutMs: 2_000 });
  expect(await downstream.discover(300)).toEqual([
    {
      server: 'hangs',
      message: expect.stringMatching(/^has not answered within \d\.\d s$/),
      cached: false,
    },
  ]);
  expect(await downstream.discover(20_000)).toEqual([
    { server: 'hangs', message: 'did not answer within 2 s', cached: false },
  ]);
  let hasTurned = false;
  setImmediate(() => {
    hasTurned = true;
  });
  expect(await downstream.discover(20_000)).toHaveLength(1);
  expect(hasTurned, 'the event loop turned meanwhile').toBe(false);
});

test('definitions come from the disk at once while the server is listed again', async () => {
  const cacheFolder = path.join(temporaryFolder(), 'tools');
  const first = open([entry('fake', fake())], { cacheFolder });
  await first.downstream.discover(20_000);
  await first.downstream[Symbol.asyncDispose]();

  // Longer than a test may take: who waited for this server would wait in vain.
  const second = open([entry('fake', fake('hang'))], { cacheFolder, connectTimeoutMs: 600_000 });
  const seen = reports(second.downstream);
  expect(await second.downstream.discover(600_000)).toEqual([]);
  expect(seen).toEqual([['echo', 'drop']]);

  const third = open([entry('fake', fake('hang'))], { cacheFolder, connectTimeoutMs: 300 });
  await vi.waitFor(async () => {
    const problem = { server: 'fake', message: 'did not answer within 0.3 s', cached: true };
    expect(await third.downstream.discover(20_000)).toEqual([problem]);
  }, 20_000);
});

test.each([
  ['failed', 3_000],
  ['had not answered when we ended', 100],
])('a server that %s is not waited for the next time, and works when it is mended', async (_, waitMs) => {
  const cacheFolder = path.join(temporaryFolder(), 'tools');
  const first = open([entry('fake', fake('hang'))], { cacheFolder, connectTimeoutMs: 300 });
  await first.downstream.discover(waitMs);
  await first.downstream[Symbol.asyncDispose]();

  // Who waited for this server, which works now, would see no problem.
  const second = open([entry('fake', fake())], { cacheFolder });
  // Whether its deadline or our end came first is the machine's business.
  const message = expect.stringMatching(
    /^failed last time \(it did not answer( within 0\.3 s)?\) and is tried again now$/,
  );
  expect(await second.downstream.discover(20_000)).toEqual([{ server: 'fake', message, cached: false }]);
  await vi.waitFor(async () => expect(await second.downstream.discover(20_000)).toEqual([]), 20_000);
});

test('a changed list replaces the one from the disk', async () => {
  const cacheFolder = path.join(temporaryFolder(), 'tools');
  const first = open([entry('fake', fake('wide'))], { cacheFolder });
  await first.downstream.discover(20_000);
  await first.downstream[Symbol.asyncDispose]();
  const { downstream } = open([entry('fake', fake())], { cacheFolder });
  const seen = reports(downstream);
  await downstream.discover(20_000);
  await vi.waitFor(() => expect(seen).toEqual([['wide'], ['echo', 'drop']]), 20_000);
});

test('the cache is keyed by what is started, and survives damage', async () => {
  const cacheFolder = path.join(temporaryFolder(), 'tools');
  const { downstream } = open([entry('fake', fake())], { cacheFolder });
  await downstream.discover(20_000);
  await downstream[Symbol.asyncDispose]();
  const files = readdirSync(cacheFolder);
  expect(files).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.json$/)]);

  const other = open([entry('fake', fake('hang'), { fingerprint: 'g' })], {
    cacheFolder,
    connectTimeoutMs: 300,
  });
  expect(await other.downstream.discover(2_000)).toEqual([
    { server: 'fake', message: 'did not answer within 0.3 s', cached: false },
  ]);

  writeFileSync(path.join(cacheFolder, files[0] ?? ''), '{"format":1,"server":"fake","tools":[{"na');
  const damaged = open([entry('fake', fake())], { cacheFolder });
  const seen = reports(damaged.downstream);
  expect(await damaged.downstream.discover(20_000)).toEqual([]);
  expect(seen).toEqual([['echo', 'drop']]);
});

test('a change of the list is reported once, however often the server says so', async () => {
  const { downstream } = openFake();
  const seen = reports(downstream);
  await downstream.discover(20_000);
  await downstream.call('fake', 'echo', { do: 'change' });
  await vi.waitFor(
    () =>
      expect(seen).toEqual([
        ['echo', 'drop'],
        ['echo', 'new'],
      ]),
    5_000,
  );
  await new Promise((resolve) => setTimeout(resolve, 800));
  expect(seen).toHaveLength(2);
});

test('a list that goes on for ever, or is too long, is cut and said to be', async () => {
  const { downstream } = open([
    entry('loop', fake('loop')),
    entry('many', fake('many')),
    entry('wide', fake('wide')),
  ]);
  const seen = new Map<string, number>();
  downstream.onTools(({ source, tools }) => seen.set(source.server, tools.length));
  expect(await downstream.discover(15_000)).toEqual([
    { server: 'loop', message: 'repeats its pages; the first 2 are known', cached: false },
    { server: 'many', message: 'lists more than 5000 tools; the first 5000 are known', cached: false },
  ]);
  expect([...seen].sort()).toEqual([
    ['loop', 2],
    ['many', 5_000],
    ['wide', 1],
  ]);
});

test('tools with odd names are kept, and what is no tool is left out', async () => {
  const { downstream, log } = openFake('odd');
  const seen = reports(downstream);
  expect(await downstream.discover(20_000)).toEqual([]);
  expect(seen).toEqual([
    ['class', '__proto__', '__class__', '../../etc/passwd', 'a b', 'no-schema', 'bad-output'],
  ]);
  expect(log.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
    'a tool is left out: its name has more than 256 characters',
    'a tool is left out: it has no name',
    'a tool is left out: its name occurs twice',
    'a tool is left out: its schema is nested more than 100 levels deep',
  ]);
});

test('a broken output schema does not cost the result', async () => {
  const { downstream } = openFake('odd');
  await downstream.discover(20_000);
  const result = await downstream.call('fake', 'bad-output', {
    do: 'raw',
    result: '{"structuredContent":{"a":1}}',
  });
  expect(result.structured).toEqual({ a: 1 });
});

test('what a server prints is logged without its secrets', async () => {
  const { downstream, log } = open([entry('fake', fake('exit'), { secrets: ['hunter22'] })]);
  await downstream.discover(20_000);
  expect(log).toContainEqual({ level: 'debug', message: 'the password is ***' });
  expect(JSON.stringify(log)).not.toContain('hunter22');
});

test.each(['auto', 'legacy'] as const)(
  'a server that ends at the first unknown request is reached by %s',
  async (protocol) => {
    const { downstream } = open([entry('fake', { ...fake('touchy'), protocol } as ReturnType<typeof fake>)]);
    expect(await downstream.discover(20_000)).toEqual([]);
    expect((await downstream.call('fake', 'echo', { n: 1 })).content).toEqual([
      { type: 'text', text: '{"n":1}' },
    ]);
  },
);

/** A port that nobody listens on. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
