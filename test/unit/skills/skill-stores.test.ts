import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SearchIndex } from '../../../src/catalog/search/search-index.js';
import type { SkillEvent } from '../../../src/skills/folder-skill-store.js';
import { SkillStores } from '../../../src/skills/skill-stores.js';
import { temporaryFolder } from '../fs/temporary-folder.js';
import { request } from './saved-request.js';

function stores(dataDir: string, events: SkillEvent[] = []): SkillStores {
  return new SkillStores({
    dataDir,
    ownPrincipal: 'local',
    ownRoot: path.join(dataDir, 'mine'),
    readOnlyRoots: [],
    createSearch: () => new SearchIndex(),
    log: { warn: () => {} },
    record: (line) => events.push(line),
  });
}

test('each principal has skills of its own, in the configured folder or below the data folder', async () => {
  const dataDir = temporaryFolder();
  const events: SkillEvent[] = [];
  const all = stores(dataDir, events);
  await all.of('local').save(request());
  await all.of('Bob').save(request({ name: 'of_bob', provenance: { principal: 'Bob' } }));
  expect(existsSync(path.join(dataDir, 'mine/filter-high-risk/SKILL.md'))).toBe(true);
  expect(existsSync(path.join(dataDir, 'skills/~42ob/of-bob/SKILL.md'))).toBe(true);
  await expect(all.of('Bob').load('filter_high_risk')).rejects.toMatchObject({ code: 'not_found' });
  await expect(all.of('local').load('of_bob')).rejects.toMatchObject({ code: 'not_found' });
  expect(events.map(({ event, skill, principal, run }) => [event, skill, principal, run])).toEqual([
    ['save', 'filter_high_risk', 'local', 'r1'],
    ['save', 'of_bob', 'Bob', undefined],
  ]);
});

test('a principal has one store; closing all writes what they have counted', async () => {
  const dataDir = temporaryFolder();
  const all = stores(dataDir);
  expect(all.of('local')).toBe(all.of('local'));
  await all.of('local').save(request());
  all.of('local').recordUse('filter_high_risk');
  await all[Symbol.asyncDispose]();
  expect(JSON.parse(readFileSync(path.join(dataDir, 'mine/.history/uses.json'), 'utf8'))).toEqual({
    filter_high_risk: 1,
  });
});
