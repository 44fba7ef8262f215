import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRegistry } from '../../../src/config/registry.js';
import { fakeHost } from './fake-host.js';

const TOOL = { description: 'sends', inputSchema: { type: 'object' }, extra: 1 };

test('each folder is a category and each file a tool', async () => {
  const { root } = fakeHost({
    'r/mail/send.json': JSON.stringify({ ...TOOL, name: 'send_mail' }),
    'r/mail/read.json': JSON.stringify(TOOL),
    'r/mail/notes.txt': 'no',
    'r/.git/x.json': '{}',
    'r/top.json': '{}',
    'r2/mail/late.json': '{}',
  });
  expect(await readRegistry([join(root, 'r'), join(root, 'r2')])).toEqual({
    tools: [
      {
        source: { server: 'mail', kind: 'registry', category: 'mail' },
        tools: [
          { name: 'read', description: 'sends', inputSchema: { type: 'object' } },
          { name: 'send_mail', description: 'sends', inputSchema: { type: 'object' } },
          { name: 'late', inputSchema: { type: 'object' } },
        ],
      },
    ],
    warnings: [],
  });
});

test('what is wrong costs one file, and links are not followed', async () => {
  const { root } = fakeHost({
    'r/a/broken.json': '{',
    'r/a/deep.json': `{"inputSchema":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`,
    'r/a/good.json': '{}',
    'r/a/same.json': '{"name":"good"}',
    'r/a/number.json': '{"name":5}',
    'secret.json': '{"description":"secret"}',
  });
  symlinkSync(join(root, 'secret.json'), join(root, 'r/a/link.json'));
  mkdirSync(join(root, 'r/a/folder.json'));
  const folder = join(root, 'r');
  const { tools, warnings } = await readRegistry([folder, join(root, 'none')]);
  expect(tools.flatMap((one) => one.tools.map(({ name }) => name))).toEqual(['good']);
  expect(warnings).toEqual([
    `registry: ${folder}/a/broken.json: it is no JSON`,
    `registry: ${folder}/a/deep.json: its schema is nested more than 100 levels deep`,
    `registry: ${folder}/a/number.json: it has no name`,
    `registry: ${folder}/a/same.json: the category has a tool of that name already`,
    `registry: ${root}/none: there is no such folder`,
  ]);
});

test('only the first warnings are told one by one', async () => {
  const { root } = fakeHost();
  mkdirSync(join(root, 'r/a'), { recursive: true });
  for (let i = 0; i < 15; i += 1) writeFileSync(join(root, `r/a/${i}.json`), 'x');
  const { warnings } = await readRegistry([join(root, 'r')]);
  expect(warnings).toHaveLength(11);
  expect(warnings[10]).toBe(`registry: ${join(root, 'r')}: 5 more files are left out`);
});
