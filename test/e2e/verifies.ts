import type { RequirementId } from './requirements.js';

/**
 * The title of a test that verifies requirements: `test(verifies('RUN-1', 'keeps the last value'), ...)`. The ids become part of
 * the title, so that a report shows them; coverage.test.ts finds them in the source.
 */
export function verifies(ids: RequirementId | readonly RequirementId[], title: string): string {
  const list: readonly string[] = typeof ids === 'string' ? [ids] : ids;
  return `${title} [${list.join(', ')}]`;
}
