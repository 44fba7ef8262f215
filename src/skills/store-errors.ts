import { CodeExecutionError } from '../core/errors.js';
import { quotePath, RelativePath } from '../fs/relative-path.js';
import type { SkillVersion } from './skills.js';

/** A path below a skill's folder. @throws CodeExecutionError `path_denied` for one that is none. */
export function pathInSkill(text: string): RelativePath {
  try {
    return RelativePath.parse(text);
  } catch (error) {
    throw new CodeExecutionError(
      'path_denied',
      `${quotePath(text)} is no path of a file in a skill.`,
      'Give a path as the list of files has it, such as "SKILL.md" or "references/notes.md".',
      { cause: error },
    );
  }
}

/** Why a file of a skill was not read; the words of the path boundary are those of the workspace. */
export function fileRefused(
  error: unknown,
  path: string,
  files: readonly string[],
  maxBytes: number,
): unknown {
  if (!(error instanceof CodeExecutionError)) return error;
  const name = quotePath(path);
  const shown = `It has: ${files.slice(0, 20).join(', ')}${files.length > 20 ? ' ...' : ''}.`;
  const refuse = (code: 'not_found' | 'path_denied' | 'too_large', fault: string, next: string) =>
    new CodeExecutionError(code, `${name} ${fault}.`, next, { cause: error });
  switch (error.code) {
    case 'not_found':
      return refuse('not_found', 'is not in the folder of the skill', shown);
    case 'path_denied':
      return refuse('path_denied', 'is a link, a folder or a special file', shown);
    case 'too_large':
      return refuse('too_large', `is larger than ${maxBytes} bytes`, 'Its owner has to make it smaller.');
    default:
      return error;
  }
}

export function noVersion(
  name: string,
  version: number,
  versions: readonly Pick<SkillVersion, 'version'>[],
): CodeExecutionError {
  const kept = versions.map((one) => one.version).sort((a, b) => a - b);
  return new CodeExecutionError(
    'not_found',
    `There is no version ${version} of the skill ${quotePath(name)}.`,
    `Kept are: ${kept.join(', ')}.`,
  );
}

/** For a folder that somebody made by hand. */
export function unusable(name: string, fault: string): CodeExecutionError {
  return new CodeExecutionError(
    'path_denied',
    `The skill ${quotePath(name)} ${fault}.`,
    'Its owner has to mend the folder.',
  );
}
