import { CodeExecutionError } from '../core/errors.js';
import type { SkillDraft } from './skill-access.js';

/** Longest source text of a skill, in bytes of UTF-8: more is data. */
export const MAX_SKILL_BYTES = 256 * 1024;

/** Looks for secrets and personal data; gives kind and line (from 1), never the value. */
export type FindPersonal = (
  text: string,
) => Promise<readonly { readonly type: string; readonly line: number }[]>;

const MAX_PLACES = 5;

/** @throws CodeExecutionError `bad_arguments`, `too_large`, `bad_encoding`: this text is not even parsed. */
export function checkDraft({ code, description, tags }: SkillDraft): void {
  if (code.trim() === '') {
    throw new CodeExecutionError(
      'bad_arguments',
      'the code is empty',
      'pass Python source that defines a function',
    );
  }
  const size = Buffer.byteLength(code);
  if (size > MAX_SKILL_BYTES) {
    throw new CodeExecutionError(
      'too_large',
      `the code has ${size} bytes; a skill has ${MAX_SKILL_BYTES} at most`,
      'keep data in workspace files and let the skill read them',
    );
  }
  const nul = code.indexOf('\0');
  if (nul >= 0) {
    throw new CodeExecutionError(
      'bad_arguments',
      `the code has a NUL character in line ${lineAt(code, nul)}`,
      'write it as \\x00 inside a string',
    );
  }
  for (const [what, text] of [
    ['code', code],
    ['description', description],
    ...tags.map((tag) => ['tags', tag]),
  ] as const) {
    const lone = text.search(/\p{Surrogate}/u);
    if (lone < 0) continue;
    throw new CodeExecutionError(
      'bad_encoding',
      `the ${what} has half of a surrogate pair in line ${lineAt(text, lone)}, which UTF-8 cannot hold`,
      'write it as an escape like \\ud83d inside a string',
    );
  }
}

/** @throws CodeExecutionError `personal_data` with the places, never the values. */
export async function checkPersonal(draft: SkillDraft, find: FindPersonal): Promise<void> {
  const { name, code, description, tags } = draft;
  const parts = { code, description, name, tags: tags.join('\n') };
  const places: string[] = [];
  for (const [part, text] of Object.entries(parts)) {
    for (const { type, line } of await find(text)) {
      places.push(part === 'code' ? `${type} in line ${line} of the code` : `${type} in the ${part}`);
    }
  }
  if (places.length === 0) return;
  const more = places.length > MAX_PLACES ? ` and ${places.length - MAX_PLACES} more` : '';
  throw new CodeExecutionError(
    'personal_data',
    `a skill is kept and shared, and this one holds personal data or a secret: ${places.slice(0, MAX_PLACES).join(', ')}${more}`,
    'take such values as arguments or read them from a file, use made-up ones in examples, then save again',
  );
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
