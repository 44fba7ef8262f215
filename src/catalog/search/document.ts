/** One tool as the index reads it. Plain text, already cleaned and bounded. */
export interface SearchDocument {
  /** Unique in the whole index; decides ties. */
  readonly id: string;
  readonly name: string;
  readonly server: string;
  readonly category: string;
  readonly description: string;
  /** Names of arguments, also nested ones. */
  readonly argumentNames: readonly string[];
  /** Their descriptions, titles and enum values. */
  readonly argumentTexts: readonly string[];
}

/** Parts of a document that are weighed on their own, in the order of their numbers. */
export const FIELDS = [
  'name',
  'server',
  'category',
  'description',
  'firstSentence',
  'argumentNames',
  'argumentTexts',
] as const;
export type Field = (typeof FIELDS)[number];

/** Number of a field. */
export const FIELD: Readonly<Record<Field, number>> = {
  name: 0,
  server: 1,
  category: 2,
  description: 3,
  firstSentence: 4,
  argumentNames: 5,
  argumentTexts: 6,
};

/** The first sentence of a description: up to a full stop before white space, a line break, or 300 characters. */
export function firstSentence(description: string): string {
  const text = description.trimStart().slice(0, MAX_SENTENCE);
  const end = /[.!?](?=\s|$)|[。！？]|\n\s*\n|\n(?=\s*[-*#\d])/.exec(text);
  return (end === null ? text : text.slice(0, end.index + 1)).trim();
}

const MAX_SENTENCE = 300;
