import type { OwnPattern } from '../core/pii.js';
import type { ConfigProblem } from './config.js';
import type { CheckedSetting } from './validate.js';

/**
 * Problems of `privacy.patterns`: what RE2 does not take, and what matches the empty text. The engine is loaded only for
 * who has patterns.
 */
export async function checkPatterns(settings: ReadonlyMap<string, CheckedSetting>): Promise<ConfigProblem[]> {
  const setting = settings.get('privacy.patterns');
  const patterns = (setting?.resolved ?? []) as readonly OwnPattern[];
  if (!setting || patterns.length === 0) return [];
  const { RE2JS } = await import('re2js');
  return patterns.flatMap(({ type, pattern }) => {
    const reason = reasonAgainst(() => RE2JS.compile(pattern).matcher('').find());
    if (reason === undefined) return [];
    const message = `${type}: ${reason}; use the syntax of RE2, which has no backreferences and no look-around`;
    return [{ place: setting.place, key: setting.key, message }];
  });
}

function reasonAgainst(matchesNothing: () => boolean): string | undefined {
  try {
    return matchesNothing() ? 'the pattern matches the empty text' : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'the pattern cannot be read';
  }
}
