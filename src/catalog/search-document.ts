import type { JsonSchema } from '../core/tool.js';
import type { CatalogEntry } from './catalog.js';
import type { SearchDocument } from './search/document.js';

type Fields = { readonly [key: string]: unknown };

/** Nested arguments that are indexed: `filter.labels` is a reason to find a tool, the tenth level is not. */
const MAX_DEPTH = 4;
const MAX_NAMES = 200;
const MAX_ENUM = 20;
const MAX_TEXT = 500;

/** What the search reads of a tool. */
export function searchDocument(entry: Pick<CatalogEntry, 'id' | 'definition' | 'source'>): SearchDocument {
  const { id, definition, source } = entry;
  const names: string[] = [];
  const texts: string[] = [];
  collect(definition.inputSchema, names, texts, 0);
  const { title, description = '' } = definition;
  return {
    id,
    name: definition.name,
    server: source.server,
    category: source.category,
    description:
      title === undefined || title === definition.name ? description : `${title}.\n\n${description}`,
    argumentNames: names,
    argumentTexts: texts,
  };
}

function collect(schema: JsonSchema, names: string[], texts: string[], depth: number): void {
  if (typeof schema === 'boolean' || depth > MAX_DEPTH) return;
  for (const [name, property] of Object.entries((schema.properties ?? {}) as Fields)) {
    if (names.length >= MAX_NAMES) return;
    names.push(name);
    if (typeof property !== 'object' || property === null) continue;
    const { description, enum: values } = property as Fields;
    if (typeof description === 'string') texts.push(description.slice(0, MAX_TEXT));
    if (Array.isArray(values)) {
      const words = values.slice(0, MAX_ENUM).filter((value) => typeof value === 'string');
      if (words.length > 0) texts.push(words.join(' '));
    }
    collect(property as JsonSchema, names, texts, depth + 1);
  }
  if (schema.items !== undefined) collect(schema.items as JsonSchema, names, texts, depth + 1);
}
