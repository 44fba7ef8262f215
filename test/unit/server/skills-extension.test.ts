import { type Skill, SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { expect, test, vi } from 'vitest';
import { draft, memorySkills } from '../../support/memory-skills.js';
import { connect } from './harness.js';

type Options = Parameters<typeof connect>[0];
const URI = 'skill://filter-high-risk/SKILL.md';

async function served(options: Options = {}) {
  const { skills, store } = memorySkills();
  await skills.save('local', draft('filter_high_risk', { description: 'For Ann.' }), {});
  const connection = await connect({ skills, ...options });
  return { skills, store, ...connection, reader: new SkillsClient(connection.client) };
}

/** Everything that an entry lists, read and verified by the client's own code. */
async function readAll(reader: SkillsClient, entry: Skill) {
  const resources = entry.resources === 'dynamic' ? [] : entry.resources;
  return Promise.all(resources.map(({ uri }) => reader.read(entry, uri)));
}

test.each(['legacy', 'modern'] as const)(
  'a client lists, gets and reads skills that it can verify, %s era',
  async (era) => {
    const { reader, store } = await served({ era });
    store.files.set('filter_high_risk/references/Q&A é.md', Buffer.from('Questions'));
    store.files.set('filter_high_risk/assets/logo.png', Buffer.from([0x89, 0x50, 0xff, 0]));
    expect([reader.supported, reader.directoryRead]).toEqual([true, true]);
    const { skills: listed } = await reader.list();
    expect(listed).toMatchObject([
      { uri: URI, frontmatter: { name: 'filter-high-risk', description: 'For Ann.' } },
    ]);
    const { skill } = await reader.get(URI);
    expect(skill).toEqual(listed[0]);
    const files = await readAll(reader, skill);
    const kinds = files.map(({ uri, verified, mimeType, text }) => [
      decodeURIComponent(uri.slice('skill://filter-high-risk/'.length)),
      verified,
      mimeType,
      typeof text,
    ]);
    expect(kinds.sort()).toEqual([
      ['SKILL.md', true, 'text/markdown', 'string'],
      ['assets/logo.png', true, undefined, 'undefined'],
      ['references/Q&A é.md', true, 'text/markdown', 'string'],
      ['scripts/main.py', true, 'text/x-python', 'string'],
    ]);
  },
);

test('directories list what lies directly in them', async () => {
  const { reader, store } = await served();
  store.files.set('filter_high_risk/references/deep/a.md', Buffer.from('a'));
  const directory = async (uri: string) =>
    (await reader.readDirectory(uri)).resources.map(({ uri, mimeType }) => [uri, mimeType]);
  expect(await directory('skill://filter-high-risk')).toEqual([
    [URI, 'text/markdown'],
    ['skill://filter-high-risk/references', 'inode/directory'],
    ['skill://filter-high-risk/scripts', 'inode/directory'],
  ]);
  expect(await directory('skill://filter-high-risk/references/')).toEqual([
    ['skill://filter-high-risk/references/deep', 'inode/directory'],
  ]);
  expect(await directory('skill://filter-high-risk/references/deep')).toEqual([
    ['skill://filter-high-risk/references/deep/a.md', 'text/markdown'],
  ]);
  await expect(directory('skill://filter-high-risk/nope')).rejects.toThrow(/not a directory/);
  await expect(directory('skill://nope')).rejects.toThrow(/not a directory/);
});

test('SKILL.md of every skill is among the resources', async () => {
  const { client } = await served();
  const { resources } = await client.listResources();
  expect(resources).toEqual([
    { uri: URI, name: 'filter-high-risk', description: 'For Ann.', mimeType: 'text/markdown' },
  ]);
});

test('every text passes the filter of privacy before its digest is made', async () => {
  const hide = <T>(facts: T): T => JSON.parse(JSON.stringify(facts).replaceAll('Ann', 'PERSON_1'));
  const privacy = { filter: async <T>(_principal: string, facts: T) => hide(facts) };
  const { client, reader, skills } = await served({ privacy });
  await skills.save('local', draft('greet', { code: 'def greet():\n    return "Ann\u202e"\n' }), {});
  const { skills: listed } = await reader.list();
  const files = (await Promise.all(listed.map((entry) => readAll(reader, entry)))).flat();
  const shown = JSON.stringify([listed, files.map(({ text }) => text), await client.listResources()]);
  expect(shown).not.toContain('Ann');
  expect(files.find(({ uri }) => uri.endsWith('greet/scripts/main.py'))?.text).toBe(
    'def greet():\n    return "PERSON_1\\u202e"\n',
  );
});

test('what does not exist is not found', async () => {
  const { client, reader } = await served();
  await expect(reader.get('skill://nope/SKILL.md')).rejects.toThrow(
    'No skill is served at skill://nope/SKILL.md',
  );
  await expect(reader.get('skill://filter-high-risk/scripts/main.py')).rejects.toThrow('No skill is served');
  for (const uri of [
    'skill://nope/SKILL.md',
    'skill://filter-high-risk/nope.md',
    'skill://filter-high-risk/../x',
  ])
    await expect(client.readResource({ uri })).rejects.toThrow();
});

test('an unknown cursor is refused', async () => {
  const { reader } = await served();
  await expect(reader.list({ cursor: 'forged' })).rejects.toThrow(
    'bad_arguments: cursor is not one of this server',
  );
});

test('a folder that does not keep the rules of the format is left out and logged', async () => {
  const { reader, skills, logged } = await served();
  await skills.save('local', draft('wordy', { description: 'x'.repeat(1_100) }), {});
  expect((await reader.list()).skills.map(({ uri }) => uri)).toEqual([URI]);
  expect(logged).toMatchObject([{ fields: { skill: 'wordy' }, message: 'a skill is not served' }]);
});

test('more than a hundred skills come in pages, each once', async () => {
  const { reader, skills } = await served();
  for (let at = 0; at < 120; at++) await skills.save('local', draft(`s${at}`), {});
  const first = await reader.list({ cursor: 'p0' });
  expect([first.skills.length, first.nextCursor]).toEqual([100, 'p100']);
  const { skills: all } = await reader.list();
  expect(new Set(all.map(({ uri }) => uri)).size).toBe(121);
});

test('a failure of the store is told without its words', async () => {
  const { reader, store, logged } = await served();
  store.find = () => Promise.reject(new Error('secret path'));
  await expect(reader.list()).rejects.toThrow(/internal: the server failed \(fault [0-9a-f]{8}/);
  expect(logged.at(-1)?.message).toBe('fault while answering');
});

test.each(['legacy', 'modern'] as const)(
  'a save tells the client and is there at once, %s era',
  async (era) => {
    const onResources = vi.fn();
    const { skills, reader } = await served({ era, onResources });
    expect((await reader.list()).skills).toHaveLength(1);
    const code = 'def filter_high_risk():\n    return 2\n';
    await skills.save('local', draft('filter_high_risk', { code, overwrite: true }), {});
    await vi.waitFor(() => expect(onResources).toHaveBeenCalledTimes(1), 20_000);
    const { skill } = await reader.get(URI);
    expect((await reader.read(skill, 'scripts/main.py')).text).toBe(code);
    await skills.save('local', draft('area'), {});
    await vi.waitFor(() => expect(onResources).toHaveBeenCalledTimes(2), 20_000);
    expect((await reader.list()).skills).toHaveLength(2);
  },
);

test('a connection that is over is told nothing', async () => {
  const { skills, connection, logged } = await served();
  await connection.close();
  await skills.save('local', draft('area'), {});
  expect(logged).toEqual([]);
});
