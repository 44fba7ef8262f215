import { isMap, parseDocument } from 'yaml';
import type { Manifest } from './manifest.js';
import { readNarrowYaml } from './narrow-yaml.js';
import { MAX_DESCRIPTION, MAX_FRONTMATTER_BYTES } from './skill-limits.js';

/** What a SKILL.md says, or why it cannot be used. */
export type ManifestReading =
  | { readonly manifest: Manifest; readonly warnings: readonly string[] }
  /** The end of a sentence that begins with the skill. */
  | { readonly broken: string };

const KNOWN = new Set(['name', 'description', 'license', 'compatibility', 'allowed-tools', 'metadata']);

/**
 * Reads a SKILL.md that anybody may have written. What is odd becomes a warning; only a text without any description is
 * broken, and one whose frontmatter is no YAML at all. Aliases and tags are not resolved: they are how YAML explodes.
 */
export function readManifest(text: string, folder: string): ManifestReading {
  const split = splitFrontmatter(text);
  if ('broken' in split) return split;
  const { yaml, body } = split;
  const warnings: string[] = [];
  let fields: ReadonlyMap<string, unknown> = new Map();
  if (yaml === undefined)
    warnings.push('SKILL.md has no frontmatter; its description is taken from the text.');
  else {
    const read = readFields(yaml);
    if ('broken' in read) return read;
    ({ fields } = read);
    warnings.push(...read.warnings);
  }
  const field = (key: string): string | undefined => textField(fields, key, warnings);
  const description = describe(field('description'), body, yaml !== undefined, warnings);
  if (description === undefined) return { broken: 'has a SKILL.md without a description' };
  const name = field('name');
  if (yaml !== undefined && name !== folder) {
    warnings.push(
      name === undefined
        ? 'SKILL.md has no name.'
        : 'The name in SKILL.md differs from the name of the folder.',
    );
  }
  const others = [...fields.keys()].filter((key) => !KNOWN.has(key));
  if (others.length > 0) warnings.push(`SKILL.md has keys that are not of the format: ${shown(others)}.`);
  const license = field('license');
  const compatibility = field('compatibility');
  const allowedTools = field('allowed-tools');
  return {
    manifest: {
      name: folder,
      description,
      ...(license === undefined ? {} : { license }),
      ...(compatibility === undefined ? {} : { compatibility }),
      ...(allowedTools === undefined ? {} : { allowedTools }),
      metadata: metadataOf(fields.get('metadata'), warnings),
      body,
    },
    warnings,
  };
}

function splitFrontmatter(
  raw: string,
): { readonly yaml: string | undefined; readonly body: string } | { readonly broken: string } {
  const text = raw.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  if (!/^---[\t ]*\n/.test(text)) return { yaml: undefined, body: text };
  const start = text.indexOf('\n') + 1;
  const close = /^---[\t ]*$/m.exec(text.slice(start));
  if (close === null) return { broken: 'has a SKILL.md whose frontmatter has no closing "---"' };
  if (Buffer.byteLength(text.slice(start, start + close.index)) > MAX_FRONTMATTER_BYTES)
    return { broken: `has a SKILL.md whose frontmatter is longer than ${MAX_FRONTMATTER_BYTES} bytes` };
  const after = start + close.index + close[0].length;
  return { yaml: text.slice(start, start + close.index), body: text.slice(after).replace(/^\n+/, '') };
}

type Fields =
  | { readonly fields: ReadonlyMap<string, unknown>; readonly warnings: readonly string[] }
  | { readonly broken: string };

function readFields(yaml: string): Fields {
  const parsed = readNarrowYaml(yaml) ?? parseYaml(yaml);
  if (typeof parsed !== 'string') return { fields: parsed, warnings: [] };
  const lines = readLines(yaml);
  if (lines === undefined) return { broken: `has a SKILL.md whose frontmatter cannot be read: ${parsed}` };
  return {
    fields: lines,
    warnings: ['The frontmatter of SKILL.md is no valid YAML; it was read line by line.'],
  };
}

/** Text scalars as strings, maps as maps; a sentence when it is no such YAML. */
function parseYaml(yaml: string): ReadonlyMap<string, unknown> | string {
  // The parser recurses, and takes a second to run out of stack.
  if (isDeep(yaml)) return 'it is nested too deeply';
  try {
    // "failsafe": every scalar stays the text that was written; no dates, no numbers, no types of a tag.
    const document = parseDocument(yaml, { schema: 'failsafe', merge: false, logLevel: 'silent' });
    const [error] = document.errors;
    if (error !== undefined) return (error.message.split('\n')[0] ?? '').replace(/:$/, '');
    if (document.contents === null) return new Map();
    if (!isMap(document.contents)) return 'it is no mapping of keys to values';
    const fields = document.toJS({ mapAsMap: true, maxAliasCount: 0 }) as ReadonlyMap<unknown, unknown>;
    return new Map([...fields].filter((entry): entry is [string, unknown] => typeof entry[0] === 'string'));
  } catch (error) {
    if (error instanceof ReferenceError) return 'it uses aliases, which are not allowed';
    throw error;
  }
}

function isDeep(yaml: string): boolean {
  let depth = 0;
  for (const char of yaml) {
    if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth -= 1;
    if (depth > MAX_NESTING) return true;
  }
  return COMPACT_NEST.test(yaml);
}

const MAX_NESTING = 32;
const COMPACT_NEST = /(?:[-?:][\t ]+){32}/;

/** The usual mistake is a value with a colon and no quotes: each top-level line is taken as `key: value`. */
function readLines(yaml: string): ReadonlyMap<string, unknown> | undefined {
  const fields = new Map<string, unknown>();
  for (const line of yaml.split('\n')) {
    const match = /^([a-z][a-z-]*):[\t ]+(\S.*)$/.exec(line);
    if (match?.[1] === undefined || match[2] === undefined || !KNOWN.has(match[1])) continue;
    if (/^[[{&*!|>]/.test(match[2])) continue;
    fields.set(match[1], match[2].trim().replace(/^(["'])(.*)\1$/, '$2'));
  }
  return fields.has('description') ? fields : undefined;
}

function textField(
  fields: ReadonlyMap<string, unknown>,
  key: string,
  warnings: string[],
): string | undefined {
  const value = fields.get(key);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  const warning = `The value of "${key}" in SKILL.md is no text.`;
  if (!warnings.includes(warning)) warnings.push(warning);
  return undefined;
}

function describe(
  given: string | undefined,
  body: string,
  hasFrontmatter: boolean,
  warnings: string[],
): string | undefined {
  if (given === undefined && hasFrontmatter)
    warnings.push('SKILL.md has no description; the first lines of its text stand for it.');
  const description = (given ?? firstParagraph(body))?.replace(UNSEEN, ' ').trim();
  if (description === undefined || description === '') return undefined;
  if (description.length <= MAX_DESCRIPTION) return description;
  warnings.push(
    `The description in SKILL.md is longer than ${MAX_DESCRIPTION} characters; the rest is left out.`,
  );
  return description.slice(0, MAX_DESCRIPTION);
}

/** White space, and what could act on a terminal or hide from a reader. */
const UNSEEN = /[\s\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/gu;

/** The first lines of prose, else the first heading. */
function firstParagraph(body: string): string | undefined {
  const blocks = body.slice(0, 8 * MAX_DESCRIPTION).split(/\n\s*\n/);
  const prose = blocks.map((block) => block.replace(/^\s*#.*$/gm, '').trim());
  return prose.find((block) => block !== '') ?? /^\s*#+\s*(.+)$/m.exec(body)?.[1];
}

function metadataOf(value: unknown, warnings: string[]): ReadonlyMap<string, string> {
  const metadata = new Map<string, string>();
  if (value === undefined || value === null || value === '') return metadata;
  if (!(value instanceof Map)) {
    warnings.push('The metadata in SKILL.md is no mapping.');
    return metadata;
  }
  const odd: string[] = [];
  for (const [key, item] of value as ReadonlyMap<unknown, unknown>) {
    if (typeof key === 'string' && typeof item === 'string') metadata.set(key, item);
    else odd.push(typeof key === 'string' ? key : 'a key that is no text');
  }
  if (odd.length > 0) warnings.push(`Metadata that is no text is left out: ${shown(odd)}.`);
  return metadata;
}

function shown(names: readonly string[]): string {
  const few = names.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 40)));
  return names.length > few.length
    ? `${few.join(', ')} and ${names.length - few.length} more`
    : few.join(', ');
}
