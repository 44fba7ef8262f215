import { CodeExecutionError } from '../core/errors.js';
import { quotePath } from '../fs/relative-path.js';
import { MAX_DESCRIPTION, MAX_TAG, MAX_TAGS } from './skill-limits.js';
import type { SaveRequest } from './skills.js';

/** What a save may be refused for before anything is looked at. Gives the description and the tags as they are kept. */
export function checkRequest({ code, description, tags }: SaveRequest): {
  readonly description: string;
  readonly tags: readonly string[];
} {
  if (code.includes('\0') || /\p{Surrogate}/u.test(code))
    throw new CodeExecutionError(
      'bad_encoding',
      'The code holds a NUL character or half of a surrogate pair.',
      'Write such characters as escapes in a string literal.',
    );
  return { description: checkDescription(description), tags: checkTags(tags) };
}

function checkDescription(text: string): string {
  const description = plain(text);
  if (description === '')
    throw new CodeExecutionError(
      'bad_arguments',
      'The description is empty.',
      'Say in a sentence what the skill does and when to use it: it is found by that.',
    );
  if (description.length <= MAX_DESCRIPTION) return description;
  throw new CodeExecutionError(
    'too_large',
    `The description has ${description.length} characters; ${MAX_DESCRIPTION} are allowed.`,
    'Say in it what the skill does and when to use it; the rest belongs into the docstring.',
  );
}

function checkTags(tags: readonly string[]): readonly string[] {
  const kept = [...new Set(tags.map(plain).filter((tag) => tag !== ''))];
  const bad = kept.find((tag) => tag.length > MAX_TAG || tag.includes(','));
  if (bad !== undefined)
    throw new CodeExecutionError(
      'bad_arguments',
      `The tag ${quotePath(bad)} is longer than ${MAX_TAG} characters or holds a comma.`,
      'Give each tag as a short text of its own.',
    );
  if (kept.length <= MAX_TAGS) return kept;
  throw new CodeExecutionError(
    'bad_arguments',
    `There are ${kept.length} tags; ${MAX_TAGS} are allowed.`,
    'Keep the few by which one would look for the skill.',
  );
}

/** One line; control characters and halves of surrogate pairs, which no file can hold, become spaces. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Surrogate}\s]+/gu, ' ').trim();
}
