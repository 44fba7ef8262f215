// @ts-check
/** `node build-catalog-main.mjs SET COUNT`: builds a catalogue once, cold, and prints the milliseconds as JSON. */
import { SearchIndex } from '../../dist/catalog/search/search-index.js';
import { searchDocument } from '../../dist/catalog/search-document.js';
import { catalogOf, listingsOf, readSet, toolsUpTo } from './catalog-of-set.mjs';

const [file = '', count = '', what = ''] = process.argv.slice(2);
const listings = listingsOf(toolsUpTo(readSet(file).tools, Number(count)));

if (what === 'catalogue') {
  const started = performance.now();
  await catalogOf(listings).search('first question', { limit: 1, offset: 0 });
  console.log(JSON.stringify(performance.now() - started));
} else {
  const definitions = listings.flatMap(({ source, tools }) =>
    tools.map((definition) => ({ source, definition })),
  );
  const started = performance.now();
  /** @type {Map<string, import('../../dist/catalog/search/document.js').SearchDocument[]>} */
  const servers = new Map();
  for (const { source, definition } of definitions) {
    const list = servers.get(source.server) ?? [];
    servers.set(source.server, list);
    list.push(searchDocument({ id: `${source.server}.${definition.name}`, definition, source }));
  }
  const index = new SearchIndex();
  for (const [server, documents] of servers) index.replace(server, documents);
  index.search('first question', { limit: 1 });
  console.log(JSON.stringify(performance.now() - started));
}
