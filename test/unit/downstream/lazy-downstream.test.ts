import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ServerTools } from '../../../src/downstream/downstream.js';
import { LazyDownstream } from '../../../src/downstream/lazy-downstream.js';
import { QUIET } from '../../support/quiet-logger.js';
import { entry, fake, temporaryFolder } from './fake-downstream.js';

function lazy(
  servers = [entry('fake', fake())],
  cacheFolder = path.join(temporaryFolder(), 'tools'),
): LazyDownstream {
  const made = new LazyDownstream({ servers, cacheFolder, log: QUIET, version: '0.0.0' });
  onTestFinished(() => made[Symbol.asyncDispose]());
  return made;
}

test('the names of the servers are there at once', () => {
  expect(lazy([entry('a', fake()), entry('b', fake())]).servers).toEqual(['a', 'b']);
});

test('a first question lists and calls as the servers themselves do', async () => {
  const downstream = lazy();
  const lists: ServerTools[] = [];
  downstream.onTools((tools) => lists.push(tools));
  expect(await downstream.discover(10_000)).toEqual([]);
  expect(lists.map(({ source, tools }) => [source.server, tools.map(({ name }) => name)])).toEqual([
    ['fake', ['echo', 'drop']],
  ]);
  expect((await downstream.call('fake', 'echo', { n: 1 })).content).toEqual([
    { type: 'text', text: '{"n":1}' },
  ]);
});

test('who listens while the servers are loaded is told once, like one who listens later', async () => {
  const downstream = lazy();
  const told = { during: 0, after: 0 };
  const discovered = downstream.discover(10_000);
  downstream.onTools(() => told.during++);
  await discovered;
  downstream.onTools(() => told.after++);
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toEqual({ during: 1, after: 1 });
});

test('asked live, it waits for a server of which the disk has an answer already', async () => {
  const cacheFolder = path.join(temporaryFolder(), 'tools');
  const servers = [entry('fake', fake())];
  const first = lazy(servers, cacheFolder);
  await first.discover(10_000);
  await first[Symbol.asyncDispose]();
  const broken = [entry('fake', fake('exit'))];
  expect(await lazy(broken, cacheFolder).discover(10_000, { live: true })).toEqual([
    { server: 'fake', message: 'ended (exit code 3)', cached: true },
  ]);
});

test('without servers nothing is loaded and nothing is wrong', async () => {
  expect(await lazy([]).discover(10)).toEqual([]);
});

test('after the end nothing is started any more, and a second end does no harm', async () => {
  const downstream = lazy();
  await downstream[Symbol.asyncDispose]();
  await downstream[Symbol.asyncDispose]();
  expect(await downstream.discover(10)).toEqual([]);
  await expect(downstream.call('fake', 'echo', {})).rejects.toMatchObject({
    code: 'tool_unavailable',
    message: 'the servers are shut down',
  });
});

test('an end that comes while the servers are loaded ends them as well', async () => {
  const downstream = lazy();
  const call = downstream.call('fake', 'echo', {});
  const outcome = call.then(
    () => 'answered',
    (error: { code?: string }) => error.code,
  );
  await downstream[Symbol.asyncDispose]();
  expect(await outcome).toBe('tool_unavailable');
});
