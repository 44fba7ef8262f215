import { CodeExecutionError } from '../core/errors.js';
import { quotePath } from '../fs/relative-path.js';
import { RESERVED_NAMES } from './reserved-names.js';

/** Longest name, as the Agent Skills format has it. */
export const MAX_NAME = 64;
const IDENTIFIER = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const RULE = `A name has lower-case letters, digits and single underscores, begins with a letter, and has at most ${MAX_NAME} characters`;

/**
 * A skill's name in its two spellings: `filter_high_risk` in Python, `filter-high-risk` as a folder. The rule lets each
 * be made from the other, so no two names share a folder.
 */
export interface SkillName {
  readonly identifier: string;
  readonly folder: string;
}

/**
 * The name of a skill to be saved, in either spelling.
 * @throws CodeExecutionError `bad_name`, with a name that would do.
 */
export function checkSkillName(text: string): SkillName {
  const name = readSkillName(text);
  const why = name === undefined ? undefined : RESERVED_NAMES.get(name.identifier);
  if (name !== undefined && why === undefined) return name;
  const fault = why ?? faultOf(text);
  const near = nearestName(text);
  throw new CodeExecutionError(
    'bad_name',
    `The name ${quotePath(text)} ${fault}.`,
    near === undefined ? `${RULE}, such as filter_high_risk.` : `Use ${near}. ${RULE}.`,
  );
}

/** The name a text spells; undefined if it is none. Reserved names pass: a folder made by hand may have one. */
export function readSkillName(text: string): SkillName | undefined {
  if (text.length > MAX_NAME) return undefined;
  const identifier = text.replaceAll('-', '_');
  return IDENTIFIER.test(identifier) ? { identifier, folder: identifier.replaceAll('_', '-') } : undefined;
}

/** The valid name closest to a text; undefined when nothing in it could be part of one. */
export function nearestName(text: string): string | undefined {
  const words = text
    .slice(0, 4 * MAX_NAME)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  if (words[0] !== undefined && /^\d/.test(words[0])) words.unshift('skill');
  const joined = words.join('_').slice(0, MAX_NAME).replace(/_$/, '');
  if (!IDENTIFIER.test(joined)) return undefined;
  return RESERVED_NAMES.has(joined) ? `${joined}_skill` : joined;
}

function faultOf(text: string): string {
  if (text === '') return 'is empty';
  if (text.length > MAX_NAME) return `has ${text.length} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: anything beyond ASCII is the point.
  if (/[^\x00-\x7f]/.test(text)) return 'holds a character beyond ASCII, which may look like another';
  if (/[A-Z]/.test(text)) return 'holds an upper-case letter';
  if (/[^a-z0-9_-]/.test(text)) return `holds ${JSON.stringify(/[^a-z0-9_-]/.exec(text)?.[0])}`;
  if (/^[0-9]/.test(text)) return 'begins with a digit';
  if (/^[_-]|[_-]$/.test(text)) return 'begins or ends with an underscore or hyphen';
  return 'has two underscores or hyphens in a row';
}
