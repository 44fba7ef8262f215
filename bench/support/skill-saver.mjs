// @ts-check
/** A server process that saves skills: `ROOT ID COUNT`; every other one under a name that all processes use. */
import { SearchIndex } from '../../dist/catalog/search/search-index.js';
import { FolderSkillStore } from '../../dist/skills/folder-skill-store.js';
import { skillRequest } from './skill-request.mjs';

const [root = '', id = '', count = '0'] = process.argv.slice(2);
const store = new FolderSkillStore({
  principal: id,
  root,
  readOnlyRoots: [],
  search: new SearchIndex(),
  log: { warn: (_fields, message) => console.error(message) },
  record: () => {},
});
const ms = [];
for (let number = 0; number < Number(count); number += 1) {
  const name = number % 2 === 0 ? `shared_${number % 10}` : `own_${id}_${number}`;
  const started = performance.now();
  await store.save(skillRequest(name, `# ${id} ${number}`));
  ms.push(performance.now() - started);
}
console.log(JSON.stringify(ms));
