import { skillCall } from '../core/skill-call.js';
import type { MissingParts } from '../session/skill-access.js';
import type { SkillSummary, TestOutcome } from '../skills/skills.js';
import { count } from './quantities.js';
import { visibleLine } from './visible-text.js';

/** `tests 3 passed`, `tests 1 of 3 failed`; undefined for code that was not tested. */
export function testWords(test: TestOutcome | undefined): string | undefined {
  if (test === undefined) return undefined;
  const all = count(test.passed + test.failed);
  return test.failed === 0 ? `tests ${all} passed` : `tests ${count(test.failed)} of ${all} failed`;
}

/** One line: how it is called, what it is for. */
export function skillLine({ name, signature, description }: SkillSummary): string {
  return visibleLine(`skill ${skillCall(name, signature)}: ${description}`);
}

/** What a skill needs and does not find, a line each. */
export function missingLines({ tools, skills }: MissingParts): string[] {
  return [
    ...(tools.length === 0
      ? []
      : [`missing tools: ${visibleLine(tools.join(', '))} (search_tools finds what there is)`]),
    ...(skills.length === 0 ? [] : [`missing skills: ${visibleLine(skills.join(', '))}`]),
  ];
}
