import { SearchIndex } from '../../../src/catalog/search/search-index.js';
import { FolderSkillStore } from '../../../src/skills/folder-skill-store.js';
import { request } from './saved-request.js';

/**
 * A server process that saves: `ROOT ID COUNT`. Every other save is of a name that all processes use. Prints
 * `NAME VERSION HASH` when a save has returned, so what was printed may never be lost.
 */
const [root = '', id = '', count = '0'] = process.argv.slice(2);
const store = new FolderSkillStore({
  principal: `process ${id}`,
  root,
  readOnlyRoots: [],
  search: new SearchIndex(),
  log: { warn: (fields, message) => console.error(message, fields) },
  record: () => {},
});
for (let number = 0; number < Number(count); number += 1) {
  const name = number % 2 === 0 ? `shared_${number % 10}` : `own_${id}_${number % 7}`;
  const code = `def main():\n    return "${id} ${number} ${'x'.repeat(5_000)}"\n`;
  const saved = await store.save(request({ name, code, overwrite: true }));
  process.stdout.write(`${name} ${saved.version} ${hashIn(saved)}\n`);
}

function hashIn(saved: Awaited<ReturnType<FolderSkillStore['save']>>): string {
  return saved.versions.find((one) => one.version === saved.version)?.hash ?? '';
}
