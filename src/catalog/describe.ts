import type { JsonSchema } from '../core/tool.js';
import type { CatalogEntry, DetailLevel } from './catalog.js';
import { MAX_SHOWN_DESCRIPTION } from './definition/bounds.js';
import { cleanLine, cleanText } from './definition/clean-text.js';
import { pythonLiteral } from './python/literal.js';
import { nameText, pythonType, WHOLE } from './python/python-type.js';
import { parametersOf } from './python/signature.js';
import { firstSentence } from './search/document.js';
import { STOP_WORDS } from './search/stop-words.js';
import { WordSplitter } from './search/words.js';

/** A summary is one line beside a signature: the first sentence, if it is short. */
const MAX_SUMMARY = 72;
const MAX_ARGUMENT_LINE = 200;
const MAX_ARGUMENTS = 60;

/** The first sentence of a cleaned description on one line. */
export function summaryOf(description: string | undefined): string {
  return cleanLine(firstSentence(description ?? ''), MAX_SUMMARY);
}

/** A tool as text for a model, at the detail asked for; `returns` is the whole return type, for `full`. */
export function entryText(entry: CatalogEntry, level: DetailLevel, returns?: string): string {
  const { id, summary, signature } = entry;
  switch (level) {
    case 'name':
      return id;
    case 'summary':
      return summary === '' ? id : `${id}: ${summary}`;
    case 'signature':
      return saysMore(summary, signature)
        ? `${marked(entry, signature)}\n  ${summary}`
        : marked(entry, signature);
    case 'full':
      return [marked(entry, signature), ...notConnected(entry), ...docstring(entry, returns)].join('\n');
  }
}

/** New words with which a summary tells more than the signature. */
const MIN_NEW_WORDS = 2;

/** A summary of the signature's own words is left out: "Merge a pull request" for `merge_pull_request`. */
function saysMore(summary: string, signature: string): boolean {
  const splitter = new WordSplitter();
  const known = new Set(splitter.splitAll(signature).flatMap((split) => split.parts));
  const fresh = splitter
    .splitAll(summary)
    .flatMap(({ words, parts }) =>
      parts.filter((part, at) => !known.has(part) && !STOP_WORDS.has(words[at] ?? part)),
    );
  return new Set(fresh).size >= MIN_NEW_WORDS;
}

/** What keeps a definition from being trusted, beside its signature. */
function marked(entry: CatalogEntry, text: string): string {
  const doubtful = entry.review === 'changed' || entry.review === 'shadowing';
  return doubtful ? `${text}  # definition ${entry.review}` : text;
}

function notConnected({ source }: CatalogEntry): string[] {
  return source.kind === 'registry' ? ['  (known from a registry only: it cannot be called here)'] : [];
}

function docstring({ definition }: CatalogEntry, returns: string | undefined): string[] {
  const parameters = parametersOf(definition.inputSchema);
  const shown = parameters.slice(0, MAX_ARGUMENTS).map(({ name, schema, required }) => {
    const text = descriptionOf(schema);
    const type = `${nameText(name)}${required ? '' : '?'}: ${pythonType(schema, WHOLE)}${required ? '' : defaultOf(schema)}`;
    return `    ${type}${text === '' ? '' : `  ${text}`}`;
  });
  if (parameters.length > shown.length) shown.push(`    ... +${parameters.length - shown.length} arguments`);
  const whole = cleanText(definition.description ?? '', MAX_SHOWN_DESCRIPTION);
  const description = whole === '' ? [] : whole.split('\n').map((line) => (line === '' ? '' : `  ${line}`));
  return [
    ...description,
    ...(shown.length === 0 ? [] : ['  Arguments:', ...shown]),
    ...(returns === undefined ? [] : [`  Returns: ${returns}`]),
  ];
}

function descriptionOf(schema: JsonSchema): string {
  if (typeof schema === 'boolean') return '';
  const text = schema.description ?? schema.title;
  return typeof text === 'string' ? cleanLine(text, MAX_ARGUMENT_LINE) : '';
}

function defaultOf(schema: JsonSchema): string {
  return typeof schema === 'object' && Object.hasOwn(schema, 'default')
    ? ` = ${pythonLiteral(schema.default)}`
    : '';
}
